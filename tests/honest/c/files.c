/* Writes, reads and deletes temporary files of 20 MB in the working directory. */
#include "moves.h"

int main(void) {
    static char block[1 << 20];
    memset(block, 7, sizeof block);
    for (int number = 0; number < 4; number++) {
        char name[32];
        snprintf(name, sizeof name, "scratch-%d.tmp", number);
        FILE *file = fopen(name, "w+b");
        if (!file)
            return 2;
        for (int i = 0; i < 5; i++)
            if (fwrite(block, sizeof block, 1, file) != 1)
                return 3;
        rewind(file);
        for (int i = 0; i < 5; i++)
            if (fread(block, sizeof block, 1, file) != 1 || block[i] != 7)
                return 4;
        fclose(file);
    }
    int failed = answer();
    for (int number = 0; number < 4; number++) {
        char name[32];
        snprintf(name, sizeof name, "scratch-%d.tmp", number);
        remove(name);
    }
    return failed;
}
