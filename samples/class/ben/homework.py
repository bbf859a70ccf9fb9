"""An agent with a mistake: its jumps end after the first hop."""

import sys


class Board:
    """Rows from the top, columns from a; `own` and `their` are the letters of the men."""

    def __init__(self, color, rows):
        self.own, self.their = ("b", "w") if color == "BLACK" else ("w", "b")
        self.ahead = 1 if color == "BLACK" else -1
        self.rows = [list(row) for row in rows]

    def at(self, row, column):
        return self.rows[row][column] if row in range(8) and column in range(8) else "#"

    def own_squares(self):
        return [(row, column) for row in range(8) for column in range(8) if self.at(row, column).lower() == self.own]

    def directions(self, piece):
        """Men go ahead, kings both ways."""
        return [(down, right) for down in ([1, -1] if piece.isupper() else [self.ahead]) for right in (-1, 1)]

    def jump(self, row, column):
        for down, right in self.directions(self.at(row, column)):
            to = (row + 2 * down, column + 2 * right)
            if self.at(row + down, column + right).lower() == self.their and self.at(*to) == ".":
                return ["J %s %s" % (name(row, column), name(*to))]
        return []

    def step(self, row, column):
        for down, right in self.directions(self.at(row, column)):
            if self.at(row + down, column + right) == ".":
                return ["E %s %s" % (name(row, column), name(row + down, column + right))]
        return []


def name(row, column):
    return "abcdefgh"[column] + str(8 - row)


def first_turn(board):
    for find in board.jump, board.step:
        for square in board.own_squares():
            turn = find(*square)
            if turn:
                return turn
    sys.exit("no legal turn: the game is over")


with open("input.txt") as file:
    kind, color, seconds, *rows = file.read().split()
answer = first_turn(Board(color, rows))
with open("output.txt", "w") as file:
    file.write("\n".join(answer) + "\n")
