"""A pool whose workers come from a fork server, the default of Python 3.14."""
import multiprocessing

import moves

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    with context.Pool(2) as pool:
        pool.map(moves.count, [10000] * 4)
        moves.write(pool.apply(moves.turn, moves.read()))
