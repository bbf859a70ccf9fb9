// The list of moves, and the view of earlier positions.

const list = document.getElementById("moves");
const past = document.getElementById("past");
const when = document.getElementById("when");
// Number of moves before the earlier position on the board; null while the board shows the current position.
let at = null;
let game = null;
let changed = () => {};

// Calls `show` when another position is chosen, and `goOn(moves)` to continue the game from there.
export function start(show, goOn) {
  changed = show;
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) look(Number(button.dataset.moves));
  });
  document.getElementById("back-to-now").addEventListener("click", () => look(null));
  document.getElementById("go-on-here")?.addEventListener("click", () => {
    const moves = at;
    look(null);
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
export function look(moves) {
  at = moves !== null && moves >= 0 && moves < game.moves.length ? moves : null;
  fill();
  changed();
}

// Shows the previous or the next position.
export function step(by) {
  look(Math.max(0, (at ?? game.moves.length) + by));
}

// Returns the shown board, the move that led to it, and whether it is the current position.
export function looked() {
  const moves = at ?? game.moves.length;
  const last = game.moves[moves - 1];
  return { board: last ? last.board : game.start, last: last ? last.path : [], is_now: at === null };
}

// Returns true if one list of moves continues the other.
function same(before, now) {
  const count = Math.min(before.length, now.length);
  return before.slice(0, count).every((move, place) => move.text === now[place].text);
}

function fill() {
  const items = [entry(0, "start"), ...game.moves.map((move, place) => entry(place + 1, numbered(move, place)))];
  list.replaceChildren(...items);
  const current = list.querySelector("[aria-current]");
  const box = current.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (box.top < around.top || box.bottom > around.bottom) list.scrollTop += box.top - around.top - list.clientHeight / 2;
  past.hidden = at === null;
  when.textContent = at === 0 ? "at the start" : `after move ${at} of ${game.moves.length}`;
}

function numbered(move, place) {
  return `${place + 1}. ${move.text}${move.captures ? " x" : ""}`;
}

function entry(moves, text) {
  const item = document.createElement("li");
  const button = item.appendChild(document.createElement("button"));
  button.type = "button";
  button.dataset.moves = moves;
  button.textContent = text;
  if (moves === (at ?? game.moves.length)) button.setAttribute("aria-current", "step");
  return item;
}
