/* Raises its limit on the stack, and leaves the hard limit as it would be in a shell. */
#include "moves.h"

#include <sys/resource.h>

int main(void) {
    struct rlimit limit = {256 << 20, RLIM_INFINITY};
    if (setrlimit(RLIMIT_STACK, &limit))
        return 2;
    return answer();
}
