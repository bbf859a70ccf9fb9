// Draws pieces and moves on a page's boards.
"use strict";

// Puts pieces on a board, given as rows from the top with "/" between them and a digit for each run of empty squares.
function drawPieces(group, compact) {
  const pieces = [];
  compact.split("/").forEach((row, y) => {
    let x = 0;
    for (const letter of row) {
      if (letter >= "0" && letter <= "9") {
        x += Number(letter);
        continue;
      }
      const piece = document.createElementNS(group.namespaceURI, "use");
      piece.setAttribute("href", "#" + letter);
      piece.setAttribute("x", x++);
      piece.setAttribute("y", y);
      pieces.push(piece);
    }
  });
  group.replaceChildren(...pieces);
}

// Returns the path of a line through the squares that a move names.
function wayOf(board, text) {
  const top = Number(board.dataset.top);
  const squares = text.match(/[a-h][1-8]/gi) || [];
  const places = squares.map((square) => {
    const column = square.toLowerCase().charCodeAt(0) - 97;
    const row = Math.abs(top - Number(square[1]));
    return `${column + 0.5} ${row + 0.5}`;
  });
  return places.length ? "M" + places.join("L") : "";
}
