// The board: its pieces and marks, and moves by dragging, clicks and keys.

import { spread, turned } from "./boards.js";
import * as dragging from "./dragging.js";
import { glide } from "./glide.js";
import { frame, line, svg, target } from "./marks.js";

const board = document.getElementById("board");
const squares = document.getElementById("squares");
const cells = [...squares.querySelectorAll("button")];
const size = Math.sqrt(cells.length);
const marks = board.insertBefore(svg("g", { class: "marks" }), board.querySelector(".pieces"));
const over = board.appendChild(svg("g", { class: "marks" }));
const pieces = board.querySelector(".pieces");
const names = [...board.querySelectorAll(".names text")];
const columns = names.filter((_, place) => place % 2 === 0);
const rows = names.filter((_, place) => place % 2 === 1);
// Names of the squares, row by row from the top of the unflipped board.
export const order = cells.map((cell) => cell.dataset.square);
let flipped = false;
let shown = null;
// Board whose pieces are drawn, as it lies; null if they must be drawn again.
let drawn = null;
// Squares of the chosen piece: its own, and those of the captures entered so far.
let path = [];
// Squares of a move that has been sent; its piece is drawn at the end of it.
let made = null;
let focused = cells[cells.length - size];
let tell = {};

board.setAttribute("aria-hidden", "true");

// Calls `on.move(path)` for a move, which returns true if it was made, `on.place(square)` for a square during setup,
// `on.refuse(reason)`, or `on.why(from, to)`, which returns the reason why a piece cannot move to a square.
export function start(on) {
  tell = on;
  focused.tabIndex = 0;
  squares.addEventListener("click", (event) => {
    const cell = event.target.closest("button");
    // Drags end in clicks as well; those have a detail above 0.
    if (cell && event.detail === 0) press(cell);
  });
  squares.addEventListener("keydown", keys);
  squares.addEventListener("focusin", (event) => remember(event.target));
  dragging.start({ can, take, drop, press });
}

// Shows a position: its board, the person's legal moves, and the marks.
export function show(position) {
  const same = shown && shown.board === position.board && shown.steps.length === position.steps.length;
  shown = position;
  made = null;
  if (!same) {
    path = [];
    dragging.settle();
  }
  draw();
}

export function flip() {
  flipped = !flipped;
  const place = focused.dataset.square;
  cells.forEach((cell, index) => (cell.dataset.square = order[flipped ? order.length - 1 - index : index]));
  for (const list of [columns, rows]) {
    const texts = list.map((name) => name.textContent).reverse();
    list.forEach((name, index) => (name.textContent = texts[index]));
  }
  remember(cellOf(place));
  drawn = null;
  if (shown) draw();
  return flipped;
}

export function focus() {
  focused.focus();
}

// Releases the chosen piece. Returns true if there was one.
export function letGo() {
  const had = path.length > 0;
  path = [];
  if (had) draw();
  return had;
}

// Returns the upper left corner of a square.
function place(square) {
  const index = cells.indexOf(cellOf(square));
  return [index % size, Math.floor(index / size)];
}

function cellOf(square) {
  return cells.find((cell) => cell.dataset.square === square);
}

// Returns the steps that begin with these squares.
function stepsAlong(squares) {
  return shown.steps.filter((step) => squares.every((square, place) => step.path[place] === square));
}

// Returns the squares where the chosen piece can go: its next ones, and last ones to which only one way leads. Each
// comes with its step.
function targets() {
  const steps = stepsAlong(path);
  const found = new Map();
  if (path.length === 0) return found;
  const ends = steps.map((step) => step.path.at(-1));
  for (const step of steps) {
    const end = step.path.at(-1);
    if (ends.indexOf(end) === ends.lastIndexOf(end) && end !== path.at(-1)) found.set(end, step);
  }
  for (const step of steps) found.set(step.path[path.length], step);
  return found;
}

// Returns the board as it lies, with the chosen piece on the last square entered: a letter for each piece, and "1" for
// each empty square.
function boardNow() {
  const letters = spread(shown.board).map((letter) => letter || "1");
  const squares = made ?? path;
  if (squares.length > 1) {
    const [from, to] = [order.indexOf(squares[0]), order.indexOf(squares.at(-1))];
    [letters[from], letters[to]] = ["1", letters[from]];
  }
  const rows = Array.from({ length: size }, (_, row) => letters.slice(row * size, (row + 1) * size).join(""));
  return flipped ? turned(rows.join("/")) : rows.join("/");
}

// Draws the marks, and the pieces if they have changed. A piece that was dropped on the square `dropped` is there.
function draw(dropped = null) {
  const now = boardNow();
  if (now !== drawn) {
    drawPieces(pieces, now);
    const index = (square) => cells.indexOf(cellOf(square));
    if (drawn) glide(pieces, drawn, now, index(dropped), (made ?? shown.last).map(index));
    drawn = now;
  }
  const contents = contentsOf(now);
  const chosen = path.at(-1) ?? null;
  const goals = targets();
  const under = [];
  const above = [];
  const box = (square, name) => frame(place(square), name);
  for (const square of shown.last) under.push(filled(square, "last"));
  if (chosen) under.push(filled(chosen, "chosen"));
  for (const group of shown.groups) {
    for (const square of group) above.push(box(square, "group"));
  }
  if (shown.hint) for (const square of [shown.hint.from, shown.hint.to]) above.push(box(square, "hinted"));
  const free = new Set(shown.steps.map((step) => step.path[0]));
  if (shown.mustCapture && !chosen) for (const square of free) above.push(box(square, "forced"));
  if (path.length > 1) under.push(line(path.map(place)));
  for (const step of goals.values()) {
    if (step.line.length > 0) under.push(line([step.line[0], step.line.at(-1)].map(place)));
  }
  for (const [square, step] of goals) above.push(...target(place(square), step.count));
  marks.replaceChildren(...under);
  over.replaceChildren(...above);
  cells.forEach((cell, index) => {
    const square = cell.dataset.square;
    const step = goals.get(square);
    cell.classList.toggle("own", free.has(square) || shown.setup);
    cell.classList.toggle("target", Boolean(step));
    const words = [square, contents[index]];
    if (square === chosen) words.push("chosen");
    if (step) words.push(described(step));
    else if (!chosen && free.has(square)) words.push(shown.mustCapture ? "must capture" : "can move");
    if (shown.last.includes(square)) words.push("last move");
    cell.setAttribute("aria-label", words.join(", "));
    cell.setAttribute("aria-selected", String(square === chosen));
  });
}

// Returns a mark that fills a square.
function filled(square, name) {
  const [x, y] = place(square);
  return svg("rect", { class: name, x, y, width: 1, height: 1 });
}

function described(step) {
  const pieces = step.count === 1 ? ", 1 piece on the line" : `, ${step.count} pieces on the line`;
  return `target${step.count > 0 ? pieces : ""}${step.captures ? ", captures" : ""}`;
}

function contentsOf(board) {
  const words = { b: "black", w: "white", B: "black king", W: "white king", "": "empty" };
  return spread(board).map((letter) => words[letter]);
}

// Handles a click or a key on a square.
function press(cell) {
  const square = cell.dataset.square;
  remember(cell);
  if (made) return;
  if (shown.setup) tell.place(square);
  else if (!go(square)) choose(square);
}

// Chooses the piece on a square, or releases the chosen one. Another square that is no target leaves it chosen.
function choose(square) {
  const can = stepsAlong([square]).length > 0;
  if (!can && path.length > 0 && !path.includes(square)) return refuse(square);
  path = can && square !== path[0] ? [square] : [];
  draw();
  if (!can && shown.mustCapture) refuse(square);
}

// Says why the chosen piece cannot move to a square.
function refuse(square) {
  if (shown.mustCapture) tell.refuse("A capture is possible, so a piece that is marked must capture.");
  else tell.refuse(tell.why(path.at(-1), square));
}

// Takes the chosen piece to a target. Returns false if the square is none.
function go(square, dropped = null) {
  const step = targets().get(square);
  if (!step) {
    const ways = path.length > 0 ? stepsAlong(path).filter((each) => each.path.at(-1) === square) : [];
    if (ways.length > 1) tell.refuse("Several ways lead there. Choose the squares one after another.");
    return ways.length > 1;
  }
  const is_next = step.path[path.length] === square;
  path = is_next ? [...path, square] : step.path;
  if (path.length === step.path.length) {
    make(path);
    path = [];
  }
  draw(dropped);
  return true;
}

// Makes a move. Its piece returns if the move is refused.
async function make(squares) {
  made = squares;
  if ((await tell.move(squares)) || made !== squares) return;
  made = null;
  draw();
}

function remember(cell) {
  focused.tabIndex = -1;
  focused = cell;
  focused.tabIndex = 0;
}

function keys(event) {
  const index = cells.indexOf(event.target);
  const [x, y] = [index % size, Math.floor(index / size)];
  const to = {
    ArrowLeft: x > 0 && index - 1,
    ArrowRight: x + 1 < size && index + 1,
    ArrowUp: y > 0 && index - size,
    ArrowDown: y + 1 < size && index + size,
    Home: index - x,
    End: index - x + size - 1,
  }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (to !== false) cells[to].focus();
}

// Returns true if a piece can be dragged from a square.
function can(square) {
  return !shown.setup && !made && (square === path.at(-1) || stepsAlong([square]).length > 0);
}

// Chooses a piece that is dragged.
function take(square) {
  if (square !== path.at(-1)) path = [square];
  draw();
}

function drop(from, to) {
  if (!go(to, to) && to !== from) refuse(to);
}
