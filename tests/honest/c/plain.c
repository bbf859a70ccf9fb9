#include "moves.h"

int main(void) {
    return answer();
}
