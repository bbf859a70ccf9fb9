/* Writes the first legal turn for input.txt to output.txt: a complete jump if there is one. */
#include <stdio.h>
#include <string.h>

static char board[8][16];
static int black;

static char at(int row, int column) {
    return row < 0 || row > 7 || column < 0 || column > 7 ? '#' : board[row][column];
}

static int is_own(char piece) {
    return black ? piece == 'b' || piece == 'B' : piece == 'w' || piece == 'W';
}

static int is_enemy(char piece) {
    return piece != '.' && piece != '#' && !is_own(piece);
}

static int may_go(char piece, int down) {
    return piece == 'B' || piece == 'W' || down == (black ? 1 : -1);
}

static int jump(FILE *out, int row, int column) {
    char piece = board[row][column];
    for (int way = 0; way < 4; way++) {
        int down = way & 1 ? 1 : -1, right = way & 2 ? 1 : -1;
        int to = row + 2 * down, beside = column + 2 * right;
        if (!may_go(piece, down) || !is_enemy(at(row + down, column + right)) || at(to, beside) != '.')
            continue;
        fprintf(out, "J %c%d %c%d\n", 'a' + column, 8 - row, 'a' + beside, 8 - to);
        board[row][column] = board[row + down][column + right] = '.';
        board[to][beside] = piece;
        int crowned = (piece == 'b' && to == 7) || (piece == 'w' && to == 0);
        if (!crowned)
            jump(out, to, beside);
        return 1;
    }
    return 0;
}

static int step(FILE *out, int row, int column) {
    for (int way = 0; way < 4; way++) {
        int down = way & 1 ? 1 : -1, right = way & 2 ? 1 : -1;
        if (may_go(board[row][column], down) && at(row + down, column + right) == '.') {
            fprintf(out, "E %c%d %c%d\n", 'a' + column, 8 - row, 'a' + column + right, 8 - row - down);
            return 1;
        }
    }
    return 0;
}

/* Writes the turn to an open file; returns 0 if there is one. */
static int answer_to(FILE *out) {
    char color[16], seconds[64];
    FILE *in = fopen("input.txt", "r");
    if (!in || fscanf(in, "%15s %15s %63s", board[0], color, seconds) != 3)
        return 1;
    black = strcmp(color, "BLACK") == 0;
    for (int row = 0; row < 8; row++)
        if (fscanf(in, "%15s", board[row]) != 1)
            return 1;
    fclose(in);
    for (int square = 0; square < 64; square++)
        if (is_own(board[square / 8][square % 8]) && jump(out, square / 8, square % 8))
            return 0;
    for (int square = 0; square < 64; square++)
        if (is_own(board[square / 8][square % 8]) && step(out, square / 8, square % 8))
            return 0;
    return 1;
}

static int answer(void) {
    FILE *out = fopen("output.txt", "w");
    return !out || answer_to(out) | fclose(out);
}
