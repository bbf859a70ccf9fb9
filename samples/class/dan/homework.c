/* A right agent in C: of all legal turns the longest jump, or any step, at random. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LONGEST = 16 };

static char board[8][9];
static char own, their;
static int ahead, far_row;

/* Squares of a turn: row and column of each. */
struct turn {
    int length;
    int row[LONGEST], column[LONGEST];
};

static struct turn now, best;

static char at(int row, int column) {
    return row < 0 || row > 7 || column < 0 || column > 7 ? '#' : board[row][column];
}

/* Whether the piece may move down (1) or up (-1): kings may do both. */
static int may_go(char piece, int down) { return isupper(piece) || down == ahead; }

/* Goes on with a jump from the last square of `now`; keeps the longest one. */
static void jump(char piece) {
    int row = now.row[now.length - 1], column = now.column[now.length - 1], is_over = 1;
    for (int down = -1; down <= 1; down += 2)
        for (int right = -1; right <= 1; right += 2) {
            char taken = at(row + down, column + right);
            int to = row + 2 * down, beside = column + 2 * right;
            if (!may_go(piece, down) || tolower(taken) != their || at(to, beside) != '.') continue;
            is_over = 0;
            board[row + down][column + right] = '.';
            now.row[now.length] = to;
            now.column[now.length++] = beside;
            int is_crowned = islower(piece) && to == far_row;
            if (is_crowned && now.length > best.length) best = now;
            if (!is_crowned) jump(piece);
            now.length--;
            board[row + down][column + right] = taken;
        }
    if (is_over && now.length > 1 && now.length > best.length) best = now;
}

/* One of the steps, each with the same chance; `seen` counts them. */
static void step(int row, int column, int *seen) {
    for (int down = -1; down <= 1; down += 2)
        for (int right = -1; right <= 1; right += 2) {
            if (!may_go(board[row][column], down) || at(row + down, column + right) != '.') continue;
            if (rand() % ++*seen == 0)
                best = (struct turn){2, {row, row + down}, {column, column + right}};
        }
}

int main(void) {
    char kind[8], color[8];
    double seconds;
    FILE *in = fopen("input.txt", "r");
    if (!in || fscanf(in, "%7s %7s %lf", kind, color, &seconds) != 3) return 2;
    for (int row = 0; row < 8; row++)
        if (fscanf(in, "%8s", board[row]) != 1) return 2;
    int black = strcmp(color, "BLACK") == 0;
    own = black ? 'b' : 'w', their = black ? 'w' : 'b', ahead = black ? 1 : -1, far_row = black ? 7 : 0;
    srand((unsigned)time(NULL));

    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) {
            char piece = board[row][column];
            if (tolower(piece) != own) continue;
            board[row][column] = '.';
            now = (struct turn){1, {row}, {column}};
            jump(piece);
            board[row][column] = piece;
        }
    char letter = best.length ? 'J' : 'E';
    int seen = 0;
    if (letter == 'E')
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++)
                if (tolower(board[row][column]) == own) step(row, column, &seen);
    if (!best.length) return 3;

    FILE *out = fopen("output.txt", "w");
    if (!out) return 1;
    for (int i = 0; i + 1 < best.length; i++)
        fprintf(out, "%c %c%d %c%d\n", letter, 'a' + best.column[i], 8 - best.row[i], 'a' + best.column[i + 1],
                8 - best.row[i + 1]);
    return fclose(out) == 0 ? 0 : 1;
}
