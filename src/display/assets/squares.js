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
// Squares of the chosen piece: its own, and those of the captures entered so far.
let path = [];
let dragged = null;
let focused = cells[cells.length - size];
let tell = {};

board.setAttribute("aria-hidden", "true");

// Calls `on.move(path)` for a move, `on.place(square)` for a square during setup, or `on.refuse(reason)`.
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
    path = [];
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

// Returns the board with the chosen piece on the last square entered, as rows of letters and "1" for empty squares.
function boardNow() {
  if (path.length < 2) return shown.board;
  const letters = [...shown.board.replaceAll("/", "")].flatMap((letter) =>
    letter >= "1" && letter <= "9" ? Array(Number(letter)).fill("1") : [letter],
  );
  const [from, to] = [order.indexOf(path[0]), order.indexOf(path.at(-1))];
  [letters[from], letters[to]] = ["1", letters[from]];
  const rows = Array.from({ length: size }, (_, row) => letters.slice(row * size, (row + 1) * size).join(""));
  return rows.join("/");
}

function draw() {
  const now = boardNow();
  const lying = flipped ? [...now].reverse().join("") : now;
  drawPieces(board.querySelector(".pieces"), lying);
  const contents = contentsOf(lying);
  const chosen = path.at(-1) ?? null;
  const goals = targets();
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
  const free = new Set(shown.steps.map((step) => step.path[0]));
  if (shown.mustCapture && !chosen) for (const square of free) above.push(box(square, "forced"));
  if (path.length > 1) under.push(svg("path", { class: "line", d: `M${path.map((each) => center(each).join(" ")).join("L")}` }));
  for (const step of goals.values()) {
    if (step.line.length === 0) continue;
    const [from, to] = [center(step.line[0]), center(step.line.at(-1))];
    under.push(svg("path", { class: "line", d: `M${from.join(" ")}L${to.join(" ")}` }));
  }
  for (const [square, step] of goals) {
    const [x, y] = center(square);
    above.push(svg("circle", { class: "target", cx: x, cy: y, r: 0.22 }));
    if (step.count === 0) continue;
    const count = svg("text", { class: "count", x, y });
    count.textContent = step.count;
    above.push(count);
  }
  marks.replaceChildren(...under);
  over.replaceChildren(...above);
  cells.forEach((cell, index) => {
    const square = cell.dataset.square;
    const step = goals.get(square);
    cell.classList.toggle("own", free.has(square) || shown.setup);
    cell.classList.toggle("target", Boolean(step));
    const words = [square, contents[index]];
    if (square === chosen) words.push("chosen");
    if (step) words.push(target(step));
    else if (!chosen && free.has(square)) words.push(shown.mustCapture ? "must capture" : "can move");
    if (shown.last.includes(square)) words.push("last move");
    cell.setAttribute("aria-label", words.join(", "));
    cell.setAttribute("aria-selected", String(square === chosen));
  });
}

function target(step) {
  const pieces = step.count === 1 ? ", 1 piece on the line" : `, ${step.count} pieces on the line`;
  return `target${step.count > 0 ? pieces : ""}${step.captures ? ", captures" : ""}`;
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
  if (shown.setup) tell.place(square);
  else if (!go(square)) choose(square);
}

// Chooses the piece on a square, or releases the chosen one.
function choose(square) {
  const can = stepsAlong([square]).length > 0;
  path = can && square !== path[0] ? [square] : [];
  draw();
  if (!can && shown.mustCapture) tell.refuse("A capture is possible, so a piece that is marked must capture.");
}

// Takes the chosen piece to a target. Returns false if the square is none.
function go(square) {
  const step = targets().get(square);
  if (!step) {
    const ways = path.length > 0 ? stepsAlong(path).filter((each) => each.path.at(-1) === square) : [];
    if (ways.length > 1) tell.refuse("Several ways lead there. Choose the squares one after another.");
    return ways.length > 1;
  }
  const is_next = step.path[path.length] === square;
  path = is_next ? [...path, square] : step.path;
  if (path.length < step.path.length) {
    draw();
  } else {
    const whole = path;
    path = [];
    draw();
    tell.move(whole);
  }
  return true;
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
  if (shown.setup || (square !== path.at(-1) && stepsAlong([square]).length === 0)) return;
  dragged = { square, x: event.clientX, y: event.clientY, piece: null };
  squares.setPointerCapture(event.pointerId);
}

function drag(event) {
  if (!dragged) return;
  if (!dragged.piece && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) > 6) {
    const [x, y] = place(dragged.square);
    const drawn = [...board.querySelectorAll(".pieces use")];
    const own = drawn.find((use) => Number(use.getAttribute("x")) === x && Number(use.getAttribute("y")) === y);
    if (dragged.square !== path.at(-1)) path = [dragged.square];
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
    go(cell.dataset.square);
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
