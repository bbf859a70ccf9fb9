/* Fills a 1.5 GB table, as a search might. */
#include <stdlib.h>
#include "moves.h"

int main(void) {
    size_t size = 1500u << 20;
    char *table = malloc(size);
    if (!table)
        return 2;
    for (size_t place = 0; place < size; place += 4096)
        table[place] = (char)place;
    return answer() || table[4096] != 0;
}
