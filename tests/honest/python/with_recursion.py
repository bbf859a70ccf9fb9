"""Deep recursion in a thread with a 512 MB stack."""
import sys
import threading

import moves


def deep(number):
    return 0 if number == 0 else 1 + deep(number - 1)


def think():
    assert deep(100000) == 100000
    moves.write(moves.turn(*moves.read()))


sys.setrecursionlimit(1000000)
threading.stack_size(512 << 20)
thread = threading.Thread(target=think)
thread.start()
thread.join()
