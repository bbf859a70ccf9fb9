"""A process that is killed if it takes too long, a common way to enforce a time limit."""
import multiprocessing

import moves


def think():
    moves.write(moves.turn(*moves.read()))


if __name__ == "__main__":
    process = multiprocessing.Process(target=think)
    process.start()
    process.join(10)
    if process.is_alive():
        process.terminate()
