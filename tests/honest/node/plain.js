// Plays the first legal turn: a complete jump if there is one.
const fs = require("fs");

const lines = fs.readFileSync("input.txt", "utf8").split("\n");
const black = lines[1] === "BLACK";
const board = lines.slice(3, 11).map((line) => [...line]);
const at = (row, column) => (board[row] && board[row][column]) || "#";
const name = (row, column) => "abcdefgh"[column] + (8 - row);
const isKing = (piece) => piece === "B" || piece === "W";

function ways(piece) {
  const ahead = black ? 1 : -1;
  return (isKing(piece) ? [ahead, -ahead] : [ahead]).flatMap((down) => [[down, -1], [down, 1]]);
}

function jump(row, column) {
  const piece = at(row, column);
  for (const [down, right] of ways(piece)) {
    const [to, beside] = [row + 2 * down, column + 2 * right];
    const taken = at(row + down, column + right);
    if (taken.toLowerCase() !== (black ? "w" : "b") || at(to, beside) !== ".") continue;
    board[row][column] = board[row + down][column + right] = ".";
    board[to][beside] = piece;
    const crowned = !isKing(piece) && to === (black ? 7 : 0);
    return `J ${name(row, column)} ${name(to, beside)}\n` + (crowned ? "" : jump(to, beside));
  }
  return "";
}

function step(row, column) {
  const way = ways(at(row, column)).find(([down, right]) => at(row + down, column + right) === ".");
  return way ? `E ${name(row, column)} ${name(row + way[0], column + way[1])}\n` : "";
}

const squares = [...Array(64).keys()].map((square) => [square >> 3, square & 7]);
const own = squares.filter(([row, column]) => at(row, column).toLowerCase() === (black ? "b" : "w"));
const first = (find) => own.reduce((found, [row, column]) => found || find(row, column), "");
fs.writeFileSync("output.txt", first(jump) || first(step));
