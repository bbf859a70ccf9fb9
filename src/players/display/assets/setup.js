// Setting up positions, and copying and loading games and positions.

import { ask, record, takeUp } from "./link.js";
import { complain } from "./problems.js";

const palette = document.getElementById("palette");
const button = document.getElementById("setup");
const next = document.getElementById("next");
const paste = document.getElementById("paste");
// Squares of the position being set up, row by row from the top; null if there is none.
let squares = null;
let changed = () => {};
let current = () => null;

// Calls `show` when the position changes. `game` returns the current game.
export function start(show, game) {
  changed = show;
  current = game;
  document.getElementById("copy-game").addEventListener("click", async () => copy(await record()));
  document.getElementById("copy-position").addEventListener("click", () => copy(current().position));
  // In a referee's games, games and positions only go out.
  if (!palette) return;
  button.addEventListener("click", () => (squares ? leave() : begin()));
  document.getElementById("give-up").addEventListener("click", leave);
  document.getElementById("take-up").addEventListener("click", async () => {
    if (await ask(`position ${rows()} ${next.value}`)) leave();
  });
  document.getElementById("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    take(paste.value);
  });
  document.getElementById("file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) takeFile(file);
    event.target.value = "";
  });
  const stage = document.getElementById("stage");
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    stage.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => stage.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    stage.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file);
    else take(event.dataTransfer.getData("text"));
  });
}

// Returns the board being set up; null if there is none.
export function board() {
  if (!squares) return null;
  const size = Math.sqrt(squares.length);
  const lines = [];
  for (let row = 0; row < size; row++) {
    const line = squares.slice(row * size, (row + 1) * size).map((piece) => piece || "1");
    lines.push(line.join(""));
  }
  return lines.join("/");
}

// Puts the piece selected in the palette on a square.
export function place(square) {
  const size = Math.sqrt(squares.length);
  const index = (size - Number(square.slice(1))) * size + (square.charCodeAt(0) - 97);
  const piece = palette.querySelector("input:checked").value;
  squares[index] = squares[index] === piece ? "" : piece;
  changed();
}

function begin() {
  const [text, side] = current().position.split(" ");
  squares = [...text.replaceAll("/", "")].map((piece) => (piece === "-" ? "" : piece));
  next.value = side;
  reveal();
}

function leave() {
  squares = null;
  reveal();
}

function reveal() {
  palette.hidden = squares === null;
  button.setAttribute("aria-pressed", String(squares !== null));
  changed();
}

// Returns the rows of the position, as a command's operand.
function rows() {
  return board().replaceAll("1", "-");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission to use the clipboard, the text is selected to be copied by hand.
    if (!paste) return complain("The browser does not permit copying. Download the game instead.");
    paste.value = text;
    paste.select();
  }
}

async function takeFile(file) {
  if (file.size > 60000) complain(`${file.name} is too long for a game.`);
  else take(await file.text());
}

// Loads a game or a position, distinguished by its first character.
async function take(text) {
  const trimmed = text.trim();
  if (trimmed === "") return;
  const done = trimmed.startsWith("(") ? takeUp(trimmed) : ask(`position ${trimmed}`);
  if (await done) paste.value = "";
}
