"""Plays the first legal turn: a complete jump if there is one."""


def read():
    with open("input.txt") as file:
        lines = file.read().split()
    return lines[1] == "BLACK", [list(line) for line in lines[3:11]]


def at(board, row, column):
    return board[row][column] if 0 <= row < 8 and 0 <= column < 8 else "#"


def name(row, column):
    return "abcdefgh"[column] + str(8 - row)


def ways(piece, black):
    ahead = 1 if black else -1
    return [(down, right) for down in ((1, -1) if piece.isupper() else (ahead,)) for right in (-1, 1)]


def jump(board, black, row, column):
    piece = board[row][column]
    for down, right in ways(piece, black):
        to, beside = row + 2 * down, column + 2 * right
        taken = at(board, row + down, column + right)
        if taken.lower() != ("w" if black else "b") or at(board, to, beside) != ".":
            continue
        board[row][column] = board[row + down][column + right] = "."
        board[to][beside] = piece
        line = "J %s %s\n" % (name(row, column), name(to, beside))
        crowned = piece.islower() and to == (7 if black else 0)
        return line + ("" if crowned else jump(board, black, to, beside))
    return ""


def step(board, black, row, column):
    for down, right in ways(board[row][column], black):
        if at(board, row + down, column + right) == ".":
            return "E %s %s\n" % (name(row, column), name(row + down, column + right))
    return ""


def turn(black, board):
    own = [(r, c) for r in range(8) for c in range(8) if board[r][c].lower() == ("b" if black else "w")]
    for find in jump, step:
        for row, column in own:
            found = find(board, black, row, column)
            if found:
                return found
    raise ValueError("no legal turn")


def write(text):
    with open("output.txt", "w") as file:
        file.write(text)


def count(number):
    """Work for a thread or process."""
    return sum(i * i for i in range(number))
