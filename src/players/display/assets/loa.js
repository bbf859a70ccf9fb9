// Lines of Action: why a piece cannot move to a square.

import { spread } from "./boards.js";

// Returns the reason in words; null if there is none. `names` are the names of the squares, row by row from the top.
export function whyNot(board, names, from, to) {
  const [contents, size] = [spread(board), Math.sqrt(names.length)];
  const place = (name) => [names.indexOf(name) % size, Math.floor(names.indexOf(name) / size)];
  const [start, end] = [place(from), place(to)];
  const [right, down] = [end[0] - start[0], end[1] - start[1]];
  if (right !== 0 && down !== 0 && Math.abs(right) !== Math.abs(down)) {
    return `A piece moves along a row, a column or a diagonal; ${to} is on none of ${from}.`;
  }
  // Returns the square this number of steps along the line, as its index; -1 outside the board.
  const along = (steps) => {
    const [x, y] = [start[0] + steps * Math.sign(right), start[1] + steps * Math.sign(down)];
    return x >= 0 && x < size && y >= 0 && y < size ? y * size + x : -1;
  };
  const pieces = [...Array(2 * size).keys()].filter((number) => contents[along(number - size)]).length;
  const distance = Math.max(Math.abs(right), Math.abs(down));
  if (distance !== pieces) return `A piece moves as many squares as there are pieces on the line: ${pieces}.`;
  const own = contents[along(0)];
  if (contents[along(distance)] === own) return `A piece cannot land on its own side's: there is one on ${to}.`;
  const between = [...Array(distance).keys()].slice(1).map(along);
  const enemy = between.find((index) => contents[index] && contents[index] !== own);
  if (enemy !== undefined) return `A piece cannot jump over the other side's: there is one on ${names[enemy]}.`;
  return null;
}
