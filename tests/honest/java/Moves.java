import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Plays the first legal turn: a complete jump if there is one. */
class Moves {
    private final char[][] board = new char[8][];
    private final boolean black;

    private Moves(List<String> lines) {
        black = lines.get(1).equals("BLACK");
        for (int row = 0; row < 8; row++)
            board[row] = lines.get(3 + row).toCharArray();
    }

    /** Reads input.txt and writes output.txt. */
    static void answer() throws IOException {
        Moves moves = new Moves(Files.readAllLines(Path.of("input.txt")));
        Files.writeString(Path.of("output.txt"), moves.turn());
    }

    private String turn() {
        for (int square = 0; square < 64; square++) {
            String found = isOwn(square / 8, square % 8) ? jump(square / 8, square % 8) : "";
            if (!found.isEmpty())
                return found;
        }
        for (int square = 0; square < 64; square++) {
            String found = isOwn(square / 8, square % 8) ? step(square / 8, square % 8) : "";
            if (!found.isEmpty())
                return found;
        }
        throw new IllegalStateException("no legal turn");
    }

    private char at(int row, int column) {
        return row < 0 || row > 7 || column < 0 || column > 7 ? '#' : board[row][column];
    }

    private boolean isOwn(int row, int column) {
        return Character.toLowerCase(at(row, column)) == (black ? 'b' : 'w');
    }

    private boolean isEnemy(int row, int column) {
        return Character.toLowerCase(at(row, column)) == (black ? 'w' : 'b');
    }

    private boolean mayGo(char piece, int down) {
        return Character.isUpperCase(piece) || down == (black ? 1 : -1);
    }

    private static String name(int row, int column) {
        return "" + (char) ('a' + column) + (8 - row);
    }

    private String jump(int row, int column) {
        char piece = board[row][column];
        for (int way = 0; way < 4; way++) {
            int down = way < 2 ? 1 : -1, right = way % 2 == 0 ? 1 : -1;
            int to = row + 2 * down, beside = column + 2 * right;
            if (!mayGo(piece, down) || !isEnemy(row + down, column + right) || at(to, beside) != '.')
                continue;
            board[row][column] = board[row + down][column + right] = '.';
            board[to][beside] = piece;
            boolean crowned = Character.isLowerCase(piece) && to == (black ? 7 : 0);
            return "J " + name(row, column) + " " + name(to, beside) + "\n" + (crowned ? "" : jump(to, beside));
        }
        return "";
    }

    private String step(int row, int column) {
        for (int way = 0; way < 4; way++) {
            int down = way < 2 ? 1 : -1, right = way % 2 == 0 ? 1 : -1;
            if (mayGo(board[row][column], down) && at(row + down, column + right) == '.')
                return "E " + name(row, column) + " " + name(row + down, column + right) + "\n";
        }
        return "";
    }
}
