// Boards as text: rows from the top with "/" between them, and a digit for each run of empty squares.

// Returns the contents of the squares, row by row from the top: a letter for a piece, or an empty text.
export function spread(board) {
  return [...board.replaceAll("/", "")].flatMap((letter) =>
    letter >= "0" && letter <= "9" ? Array(Number(letter)).fill("") : [letter],
  );
}

// Returns the board as it is seen from the other side.
export function turned(board) {
  return [...board].reverse().join("");
}
