// The state of the search, and the switch that hides it.

const bar = document.querySelector("#bar div");
const text = document.getElementById("thought");
const hinted = document.getElementById("hinted");
const toggle = document.getElementById("show-thought");
// The choice that was shown last, so that it does not replace a newer search.
let shown = "null";
let current = null;

export function start() {
  if (!toggle) return;
  toggle.checked = localStorage.getItem("silent") !== "yes";
  const apply = () => {
    document.body.classList.toggle("silent", !toggle.checked);
    localStorage.setItem("silent", toggle.checked ? "no" : "yes");
  };
  toggle.addEventListener("change", apply);
  apply();
}

export function is_shown() {
  return toggle?.checked ?? false;
}

// Shows the state of the search. When it has ended, what a stopped search has found must go: it might help the player.
export function show(thought) {
  if (!toggle) return;
  if (thought !== null) {
    tell(thought);
  } else if (current !== null) {
    clear();
    if (current.chosen !== null) tell(current.chosen);
    fillAtEnd(current);
  }
}

function tell(thought) {
  if (thought.share !== null) fill(thought.share);
  const search = () => `Black ${thought.score}, depth ${thought.depth}, ${thought.nodes.toLocaleString("en")} nodes`;
  text.textContent = `${thought.reason ?? search()}: ${thought.line.join(" ")}`;
  // A long line is cut off at the end of its place.
  text.title = text.textContent;
}

// Shows why the machine made its last move, and who has won.
export function settle(game) {
  if (!toggle) return;
  current = game;
  const settled = JSON.stringify(game.chosen);
  if (game.chosen !== null && settled !== shown) tell(game.chosen);
  shown = settled;
  fillAtEnd(game);
}

function fillAtEnd(game) {
  if (game.phase === "over") fill({ black: 1, white: -1 }[game.winner] ?? 0);
}

// Fills the bar. If neither side is ahead, half of it is Black's.
function fill(share) {
  bar.style.transform = `scaleX(${0.5 + 0.5 * share})`;
}

// Shows a hint, or none.
export function hint(given) {
  if (hinted) hinted.textContent = given ? `Hint: ${given.from}-${given.to}, ${given.why}` : "";
}

// Forgets the last game.
export function clear() {
  if (!toggle) return;
  bar.style.transform = "";
  text.textContent = "Not thinking";
  text.title = "";
}
