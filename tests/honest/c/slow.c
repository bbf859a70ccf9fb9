/* Waits for two seconds first, like a program started over a network. */
#include <unistd.h>
#include "moves.h"

int main(void) {
    sleep(2);
    return answer();
}
