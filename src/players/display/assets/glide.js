// Pieces glide from square to square, unless the person prefers no motion.

import { spread } from "./boards.js";

// More moves at once are another position, which appears at once.
const MOST_MOVES = 2;
const MILLISECONDS = 180;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Lets the pieces glide that have moved since the board `before`. `group` contains the pieces of the board `now`. A piece
// that a person has dropped on the square with index `dropped` is already there. `path` contains the indices of the
// squares of the last move, through which its piece glides.
export function glide(group, before, now, dropped, path) {
  if (calm.matches) return;
  const size = now.split("/").length;
  const corner = (index) => [index % size, Math.floor(index / size)];
  for (const { from, to } of moved(spread(before), spread(now))) {
    if (to === dropped) continue;
    const [x, y] = corner(to);
    const squares = path.at(-1) === to && path.includes(from) ? path.slice(path.indexOf(from)) : [from, to];
    const is_there = (use) => Number(use.getAttribute("x")) === x && Number(use.getAttribute("y")) === y;
    const piece = [...group.children].find(is_there);
    // The last piece is drawn over the others.
    group.append(piece);
    const frames = squares.map((square) => {
      const [left, top] = corner(square);
      return { transform: square === to ? "none" : `translate(${left - x}px, ${top - y}px)` };
    });
    piece.animate(frames, { duration: MILLISECONDS * (squares.length - 1), easing: "ease-out" });
  }
}

// Returns the squares between which pieces have moved. Captured pieces have only disappeared.
function moved(before, now) {
  const changed = [...now.keys()].filter((index) => before[index] !== now[index]);
  const come = changed.filter((index) => now[index]);
  if (come.length > MOST_MOVES) return [];
  const left = changed.filter((index) => before[index]);
  return come.flatMap((to) => {
    // A piece may be crowned on its way.
    const own = left.filter((index) => before[index].toLowerCase() === now[to].toLowerCase());
    const from = own.find((index) => !now[index]) ?? own[0];
    return from === undefined ? [] : [{ from, to }];
  });
}
