// The list of moves, and the view of earlier positions.

const list = document.getElementById("moves");
const when = document.getElementById("when");
const back = document.getElementById("back-to-now");
const on = document.getElementById("go-on-here");
// Number of moves before the earlier position on the board; null while the board shows the current position.
let at = null;
let game = null;
let changed = () => {};

// Calls `show` when another position is chosen, and `goOn(moves)` to continue the game from there.
export function start(show, goOn) {
  changed = show;
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) view(Number(button.dataset.moves));
  });
  back.addEventListener("click", () => view(null));
  on?.addEventListener("click", () => {
    const moves = at;
    view(null);
    goOn(moves);
  });
}

// Receives the game. A new game is shown at its current position.
export function hear(heard) {
  const is_same = game !== null && game.serial === heard.serial && same(game.moves, heard.moves);
  if (!is_same || at >= heard.moves.length) at = null;
  game = heard;
  fill();
}

// Shows the position after `moves` moves; null and the last number show the current position.
export function view(moves) {
  at = moves !== null && moves >= 0 && moves < game.moves.length ? moves : null;
  fill();
  changed();
}

// Shows the previous or the next position.
export function step(by) {
  view(Math.max(0, (at ?? game.moves.length) + by));
}

// Returns the shown position: its board, its place in the game, the side to move, and the move that led to it.
export function viewed() {
  const moves = at ?? game.moves.length;
  const last = game.moves[moves - 1];
  return {
    board: last ? last.board : game.start,
    last: last ? last.path : [],
    moves,
    turn: sideAfter(moves),
    when: moves === 0 ? "at the start" : `after move ${moves} of ${game.moves.length}`,
    is_now: at === null,
  };
}

// Returns the side to move after this number of moves.
function sideAfter(moves) {
  const other = { black: "white", white: "black" };
  return moves % 2 === 0 ? game.first : other[game.first];
}

// Returns true if one list of moves continues the other.
function same(before, now) {
  const count = Math.min(before.length, now.length);
  return before.slice(0, count).every((move, place) => move.text === now[place].text);
}

function fill() {
  list.replaceChildren(...items());
  const current = list.querySelector("[aria-current]");
  const box = current.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom) list.scrollTop += box.top - around.top - list.clientHeight / 2;
  const is_now = at === null;
  when.textContent = is_now ? "now" : viewed().when;
  back.disabled = is_now;
  if (on) on.disabled = is_now;
}

// Returns the items of the list: the start, then pairs of moves, Black's first. A game may begin with White's move.
function items() {
  const start = document.createElement("li");
  start.append(entry(0, "start"));
  const list = [start];
  const skipped = game.first === "black" ? 0 : 1;
  game.moves.forEach((move, place) => {
    const turn = place + skipped;
    if (turn % 2 === 0 || place === 0) list.push(pair(Math.floor(turn / 2) + 1, turn % 2));
    const is_marked = move.captures && !move.text.includes("x");
    list.at(-1).append(entry(place + 1, is_marked ? `${move.text} x` : move.text));
  });
  return list;
}

// Returns an item for the two moves of this number, with a blank for a first move that is missing.
function pair(number, missing) {
  const item = document.createElement("li");
  item.className = "pair";
  for (const text of [`${number}.`, "…"].slice(0, 1 + missing)) {
    item.appendChild(document.createElement("span")).textContent = text;
  }
  return item;
}

function entry(moves, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.moves = moves;
  button.textContent = text;
  if (moves === (at ?? game.moves.length)) button.setAttribute("aria-current", "step");
  return button;
}
