"""A matrix product, in as many threads as numpy chooses."""
import numpy

import moves

black, board = moves.read()
weights = numpy.arange(640000, dtype=float).reshape(800, 800)
assert (weights @ weights).shape == (800, 800)
moves.write(moves.turn(black, board))
