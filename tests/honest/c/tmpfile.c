/* Writes its answer to a nameless temporary file first, and copies it. */
#include "moves.h"

int main(void) {
    FILE *draft = tmpfile();
    if (!draft || answer_to(draft))
        return 2;
    rewind(draft);
    FILE *out = fopen("output.txt", "w");
    if (!out)
        return 3;
    for (int letter; (letter = fgetc(draft)) != EOF;)
        fputc(letter, out);
    return fclose(out) != 0;
}
