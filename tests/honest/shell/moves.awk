# Plays the first legal turn: a complete jump if there is one.
function at(row, column) { return row < 1 || row > 8 || column < 1 || column > 8 ? "#" : square[row, column] }
function name(row, column) { return substr("abcdefgh", column, 1) (9 - row) }
function may_go(piece, down) { return piece ~ /[BW]/ || down == (black ? 1 : -1) }
function jump(row, column,   piece, way, down, right, taken) {
    piece = at(row, column)
    for (way = 0; way < 4; way++) {
        down = way < 2 ? 1 : -1
        right = way % 2 ? 1 : -1
        taken = at(row + down, column + right)
        if (!may_go(piece, down) || taken !~ enemy || at(row + 2 * down, column + 2 * right) != ".") continue
        print "J", name(row, column), name(row + 2 * down, column + 2 * right)
        square[row, column] = square[row + down, column + right] = "."
        square[row + 2 * down, column + 2 * right] = piece
        if (piece ~ /[BW]/ || row + 2 * down != (black ? 8 : 1)) jump(row + 2 * down, column + 2 * right)
        return 1
    }
    return 0
}
function step(row, column,   way, down, right) {
    for (way = 0; way < 4; way++) {
        down = way < 2 ? 1 : -1
        right = way % 2 ? 1 : -1
        if (may_go(at(row, column), down) && at(row + down, column + right) == ".") {
            print "E", name(row, column), name(row + down, column + right)
            return 1
        }
    }
    return 0
}
NR == 2 { black = $1 == "BLACK"; own = black ? "[bB]" : "[wW]"; enemy = black ? "[wW]" : "[bB]" }
NR > 3 && NR <= 11 { for (i = 1; i <= 8; i++) square[NR - 3, i] = substr($1, i, 1) }
END {
    for (row = 1; row <= 8; row++)
        for (column = 1; column <= 8; column++)
            if (at(row, column) ~ own && jump(row, column)) exit
    for (row = 1; row <= 8; row++)
        for (column = 1; column <= 8; column++)
            if (at(row, column) ~ own && step(row, column)) exit
}
