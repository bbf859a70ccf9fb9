// The board: its pieces and marks, and moves by dragging, clicks and keys.

const board = document.getElementById("board");
const squares = document.getElementById("squares");
const cells = [...squares.querySelectorAll("button")];
const size = Math.sqrt(cells.length);
const marks = board.insertBefore(svg("g", { class: "marks" }), board.querySelector(".pieces"));
const over = board.appendChild(svg("g", { class: "marks" }));
const names = [...board.querySelectorAll(".names text")];
const columns = names.filter((_, place) => place % 2 === 0);
const rows = names.filter((_, place) => place % 2 === 1);
// Names of the squares, row by row from the top of the unflipped board.
const order = cells.map((cell) => cell.dataset.square);
let flipped = false;
let shown = null;
let chosen = null;
let dragged = null;
let focused = cells[cells.length - size];
let tell = {};

board.setAttribute("aria-hidden", "true");

// Calls `on.move(from, to)` for a move, or `on.place(square)` for a square during setup.
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
  squares.addEventListener("pointerdown", take);
  squares.addEventListener("pointermove", drag);
  squares.addEventListener("pointerup", drop);
  squares.addEventListener("pointercancel", () => settle());
}

// Shows a position: its board, the person's legal moves, and the marks.
export function show(position) {
  const same = shown && shown.board === position.board && shown.steps.length === position.steps.length;
  shown = position;
  if (!same) {
    chosen = null;
    settle();
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
  draw();
  return flipped;
}

export function focus() {
  focused.focus();
}

// Releases the chosen piece. Returns true if there was one.
export function letGo() {
  const had = chosen !== null;
  chosen = null;
  if (had) draw();
  return had;
}

function svg(name, attributes) {
  const element = document.createElementNS(board.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Returns the upper left corner of a square.
function place(square) {
  const index = cells.indexOf(cellOf(square));
  return [index % size, Math.floor(index / size)];
}

function center(square) {
  return place(square).map((each) => each + 0.5);
}

function cellOf(square) {
  return cells.find((cell) => cell.dataset.square === square);
}

function stepsFrom(square) {
  return shown.steps.filter((step) => step.from === square);
}

function draw() {
  const lying = flipped ? [...shown.board].reverse().join("") : shown.board;
  drawPieces(board.querySelector(".pieces"), lying);
  const contents = contentsOf(lying);
  const steps = chosen ? stepsFrom(chosen) : [];
  const under = [];
  const above = [];
  const box = (square, name) => {
    const [x, y] = place(square);
    return svg("rect", { class: name, x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.08 });
  };
  for (const square of shown.last) under.push(box(square, "last"));
  for (const group of shown.groups) {
    for (const square of group) above.push(box(square, "group"));
  }
  if (shown.hint) for (const square of [shown.hint.from, shown.hint.to]) above.push(box(square, "hinted"));
  if (chosen) above.push(box(chosen, "chosen"));
  for (const step of steps) {
    const [from, to] = [center(step.line[0]), center(step.line.at(-1))];
    under.push(svg("path", { class: "line", d: `M${from.join(" ")}L${to.join(" ")}` }));
  }
  for (const step of steps) {
    const [x, y] = center(step.to);
    above.push(svg("circle", { class: "target", cx: x, cy: y, r: 0.22 }));
    const count = svg("text", { class: "count", x, y });
    count.textContent = step.count;
    above.push(count);
  }
  marks.replaceChildren(...under);
  over.replaceChildren(...above);
  const free = new Set(shown.steps.map((step) => step.from));
  cells.forEach((cell, index) => {
    const square = cell.dataset.square;
    const step = steps.find((each) => each.to === square);
    cell.classList.toggle("own", free.has(square) || shown.setup);
    cell.classList.toggle("target", Boolean(step));
    const words = [square, contents[index]];
    if (square === chosen) words.push("chosen");
    if (step) words.push(target(step));
    else if (!chosen && free.has(square)) words.push("can move");
    if (shown.last.includes(square)) words.push("last move");
    cell.setAttribute("aria-label", words.join(", "));
    cell.setAttribute("aria-selected", String(square === chosen));
  });
}

function target(step) {
  const pieces = step.count === 1 ? "1 piece" : `${step.count} pieces`;
  return `target, ${pieces} on the line${step.captures ? ", captures" : ""}`;
}

function contentsOf(compact) {
  const words = { b: "black", w: "white", B: "black king", W: "white king" };
  return [...compact.replaceAll("/", "")].flatMap((letter) =>
    letter in words ? [words[letter]] : Array(Number(letter)).fill("empty"),
  );
}

// Handles a click or a key on a square.
function press(cell) {
  const square = cell.dataset.square;
  remember(cell);
  if (shown.setup) {
    tell.place(square);
  } else if (chosen && stepsFrom(chosen).some((step) => step.to === square)) {
    go(chosen, square);
  } else {
    chosen = square !== chosen && stepsFrom(square).length > 0 ? square : null;
    draw();
  }
}

function go(from, to) {
  chosen = null;
  draw();
  tell.move(from, to);
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

function take(event) {
  const cell = event.target.closest("button");
  if (!cell || event.button !== 0) return;
  const square = cell.dataset.square;
  if (shown.setup || stepsFrom(square).length === 0) return;
  dragged = { square, x: event.clientX, y: event.clientY, piece: null };
  squares.setPointerCapture(event.pointerId);
}

function drag(event) {
  if (!dragged) return;
  if (!dragged.piece && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) > 6) {
    const [x, y] = place(dragged.square);
    const drawn = [...board.querySelectorAll(".pieces use")];
    const own = drawn.find((use) => Number(use.getAttribute("x")) === x && Number(use.getAttribute("y")) === y);
    chosen = dragged.square;
    draw();
    dragged.piece = board.appendChild(svg("use", { class: "dragged", href: own.getAttribute("href") }));
  }
  if (dragged.piece) {
    const [x, y] = under(event);
    dragged.piece.setAttribute("x", x - 0.5);
    dragged.piece.setAttribute("y", y - 0.5);
  }
}

function drop(event) {
  const [x, y] = under(event).map(Math.floor);
  const cell = x >= 0 && x < size && y >= 0 && y < size ? cells[y * size + x] : null;
  const was = dragged;
  settle();
  if (!cell) return;
  if (was && was.piece) {
    const is_target = stepsFrom(was.square).some((step) => step.to === cell.dataset.square);
    if (is_target) go(was.square, cell.dataset.square);
  } else if (event.button === 0) {
    cell.focus();
    press(cell);
  }
}

function settle() {
  if (dragged && dragged.piece) dragged.piece.remove();
  dragged = null;
}

// Returns the pointer position, in units of squares.
function under(event) {
  const around = squares.getBoundingClientRect();
  return [((event.clientX - around.left) / around.width) * size, ((event.clientY - around.top) / around.height) * size];
}
