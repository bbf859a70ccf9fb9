/* Waits for two seconds before it begins, like a start over a network. */
#include <unistd.h>
#include "moves.h"

int main(void) {
    sleep(2);
    return answer();
}
