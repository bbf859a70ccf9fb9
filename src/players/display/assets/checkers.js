// Checkers: why a piece cannot move to a square.

import { spread } from "./boards.js";

// Returns the reason in words; null if there is none. `names` are the names of the squares, row by row from the top.
export function whyNot(board, names, from, to) {
  const [contents, size] = [spread(board), Math.sqrt(names.length)];
  const place = (name) => [names.indexOf(name) % size, Math.floor(names.indexOf(name) / size)];
  const [[x, y], [to_x, to_y]] = [place(from), place(to)];
  const [right, down] = [to_x - x, to_y - y];
  if (contents[names.indexOf(to)]) return `There is a piece on ${to}.`;
  if (Math.abs(right) !== Math.abs(down)) return "Pieces move diagonally, on the dark squares.";
  const piece = contents[names.indexOf(from)];
  const is_backward = { b: down < 0, w: down > 0 }[piece];
  if (is_backward) return "A man moves forward only. A king also moves backward.";
  if (Math.abs(right) === 1) return null;
  const between = names[(y + down / 2) * size + x + right / 2];
  if (Math.abs(right) > 2) return "A piece moves one square, or jumps over an adjacent piece of the other side.";
  return `A piece moves two squares only to capture, and there is no piece of the other side on ${between}.`;
}
