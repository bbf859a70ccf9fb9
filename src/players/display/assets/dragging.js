// Dragging on the board: a piece leaves its square, follows the pointer, and is dropped on a square.

import { svg } from "./marks.js";

const board = document.getElementById("board");
const squares = document.getElementById("squares");
const cells = [...squares.querySelectorAll("button")];
const size = Math.sqrt(cells.length);
let dragged = null;
let tell = {};

// Calls `on.can(square)`, which returns true if there is a piece to drag; `on.take(square)` when it leaves its square;
// `on.drop(from, to)` when it is dropped on one; and `on.press(cell)` for a click.
export function start(on) {
  tell = on;
  squares.addEventListener("pointerdown", take);
  squares.addEventListener("pointermove", drag);
  squares.addEventListener("pointerup", drop);
  squares.addEventListener("pointercancel", settle);
}

// Puts the dragged piece back on its square.
export function settle() {
  dragged?.piece?.remove();
  dragged?.own?.classList.remove("away");
  dragged = null;
}

function take(event) {
  const cell = event.target.closest("button");
  if (!cell || event.button !== 0 || !tell.can(cell.dataset.square)) return;
  dragged = { cell, square: cell.dataset.square, x: event.clientX, y: event.clientY, piece: null };
  squares.setPointerCapture(event.pointerId);
}

function drag(event) {
  if (!dragged) return;
  if (!dragged.piece && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) > 6) lift();
  if (dragged?.piece) {
    const [x, y] = under(event);
    dragged.piece.setAttribute("x", x - 0.5);
    dragged.piece.setAttribute("y", y - 0.5);
  }
}

// Takes the piece from its square.
function lift() {
  tell.take(dragged.square);
  const index = cells.indexOf(dragged.cell);
  const [x, y] = [index % size, Math.floor(index / size)];
  const is_own = (use) => Number(use.getAttribute("x")) === x && Number(use.getAttribute("y")) === y;
  dragged.own = [...board.querySelectorAll(".pieces use")].find(is_own);
  dragged.own.classList.add("away");
  dragged.piece = board.appendChild(svg("use", { class: "dragged", href: dragged.own.getAttribute("href") }));
}

function drop(event) {
  const [x, y] = under(event).map(Math.floor);
  const cell = x >= 0 && x < size && y >= 0 && y < size ? cells[y * size + x] : null;
  const was = dragged;
  settle();
  if (!cell) return;
  if (was?.piece) {
    tell.drop(was.square, cell.dataset.square);
  } else if (event.button === 0) {
    cell.focus();
    tell.press(cell);
  }
}

// Returns the pointer position, in units of squares.
function under(event) {
  const around = squares.getBoundingClientRect();
  return [((event.clientX - around.left) / around.width) * size, ((event.clientY - around.top) / around.height) * size];
}
