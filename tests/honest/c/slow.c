/* It waits for two seconds before it begins, as a start over a network does. */
#include <unistd.h>
#include "moves.h"

int main(void) {
    sleep(2);
    return answer();
}
