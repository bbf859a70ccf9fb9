// The page: shows the game, and sends commands for its buttons and keys.

import * as checkers from "./checkers.js";
import * as clock from "./clock.js";
import * as examples from "./examples.js";
import * as graph from "./graph.js";
import { ask, listen } from "./link.js";
import * as loa from "./loa.js";
import * as moves from "./moves.js";
import * as players from "./players.js";
import { complain } from "./problems.js";
import * as settings from "./settings.js";
import * as setup from "./setup.js";
import * as sound from "./sound.js";
import * as squares from "./squares.js";
import * as thought from "./thought.js";

const element = (id) => document.getElementById(id);
// Sets a property of an element, if the page has it.
const set = (id, property, value) => {
  if (element(id)) element(id)[property] = value;
};
const sides = ["black", "white"];
const capital = (word) => word[0].toUpperCase() + word.slice(1);
let game = null;

squares.start({ move: (path) => ask(path.join("-")), place: setup.place, refuse: complain, why });
moves.start(draw, (count) => ask(`goto ${count}`));
graph.start(moves.view);
setup.start(draw, () => game);
players.start(canAbandon);
settings.start();
clock.start();
sound.start();
thought.start();
let is_turned = false;
listen(hear, thought.show, (is_lost) => (element("lost").hidden = !is_lost));
buttons();
document.addEventListener("keydown", keys);

function hear(heard) {
  const before = game;
  game = heard;
  if (before === null || before.serial !== game.serial || game.moves.length === 0) thought.clear();
  thought.settle(game);
  moves.hear(game);
  for (const notice of game.notices.slice(before ? before.notices.length : 0)) complain(notice);
  // A person's pieces begin at the lower edge.
  if (game.turned !== is_turned) flip();
  is_turned = game.turned;
  fill();
  draw();
  say(before);
  sound.hear(before, game);
}

// Draws the board: a position being set up, an earlier position, or the current one.
function draw() {
  const set = setup.board();
  const viewed = moves.viewed();
  const is_now = viewed.is_now && set === null;
  const groups = is_now && game.groups ? game.groups[sides.indexOf(game.winner)] || [] : [];
  squares.show({
    board: set ?? viewed.board,
    last: set === null ? viewed.last : [],
    steps: is_now ? game.steps : [],
    mustCapture: game.must_capture,
    groups: groups.length === 1 ? groups : [],
    hint: is_now && thought.is_shown() ? game.hint : null,
    setup: set !== null,
  });
  graph.show(game, viewed.moves);
  element("status").textContent = status(viewed);
}

// Returns the reason why a piece cannot move to a square.
function why(from, to) {
  const reason = { checkers, loa }[document.body.dataset.game]?.whyNot(moves.viewed().board, squares.order, from, to);
  return reason ?? `${from} cannot move to ${to}.`;
}

function fill() {
  players.show(game);
  clock.show(game);
  set("undo", "disabled", game.moves.length === 0);
  set("redo", "disabled", game.undone === 0);
  set("hint", "disabled", game.steps.length === 0);
  thought.hint(game.hint);
  settings.show(game);
  set("review", "hidden", game.phase !== "over" || game.moves.length === 0);
  set("start", "disabled", game.phase !== "stopped");
  set("stop", "disabled", game.phase !== "playing");
  // In a referee's games, a game can be left only in a person's turn.
  if (game.names) set("new", "disabled", game.phase !== "over" && game.steps.length === 0);
}

function status({ is_now, turn, when }) {
  if (!is_now) return `${capital(turn)} to move, ${when}`;
  return current();
}

function current() {
  if (game.phase === "over") return game.result + ending();
  if (game.phase === "stopped") return "Stopped: press Start";
  const who = game.players[sides.indexOf(game.turn)] === "manual" ? "to move" : "is thinking";
  return `${capital(game.turn)} ${who}${game.must_capture && game.steps.length > 0 ? ": a capture must be made" : ""}`;
}

// Returns the reason why the game ended.
function ending() {
  if (game.names || !game.groups || game.winner === null) return "";
  const own = game.groups[sides.indexOf(game.winner)];
  return own.length === 1 ? " All its pieces are connected." : "";
}

// Announces changes to screen readers.
function say(before) {
  if (before === null) return;
  const is_same = before.serial === game.serial;
  const made = game.moves.slice(is_same ? before.moves.length : 0).map((move) => move.words);
  if (!is_same) made.unshift(game.is_whole ? "A new game" : "A new position");
  else if (game.moves.length < before.moves.length) made.push("Moves were undone");
  if (game.phase === "over" && before.phase !== "over") made.push(current());
  if (game.hint && !before.hint && thought.is_shown()) made.push(`Hint: ${game.hint.from} to ${game.hint.to}`);
  if (made.length > 0) element("announced").textContent = made.join(". ");
}

function buttons() {
  const on = (id, done) => element(id)?.addEventListener("click", done);
  on("undo", () => ask("undo"));
  on("redo", () => ask("redo"));
  on("hint", () => ask("hint"));
  on("flip", flip);
  on("new", renew);
  on("start", () => ask("start"));
  // A command that sets a player stops the game.
  on("stop", () => ask(game.players[0] === "manual" ? "manual black" : "auto black"));
  on("squares", () => {
    if (game?.phase === "stopped" && setup.board() === null) complain("Press Start to play.");
  });
  on("open-help", () => {
    examples.show();
    element("help").showModal();
  });
  on("end", async () => {
    if (await agreed("End the program? The game is lost unless you download it first.")) ask("quit");
  });
  element("show-thought")?.addEventListener("change", draw);
}

function flip() {
  element("flip").setAttribute("aria-pressed", String(squares.flip()));
}

async function renew() {
  if (await canAbandon()) ask(document.body.dataset.new);
}

// Returns true if no game is in progress, or if it may be abandoned.
async function canAbandon() {
  const is_going = game.phase !== "over" && game.moves.length > 0;
  return !is_going || agreed("Abandon this game and start a new one?");
}

// Asks a question. Returns true if the answer is yes.
function agreed(question) {
  const dialog = element("question");
  element("question-text").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

function keys(event) {
  const is_typed = event.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog");
  if (is_typed || event.altKey || event.ctrlKey || event.metaKey) return;
  const presses = { u: "undo", r: "redo", h: "hint", f: "flip", n: "new", "?": "open-help" };
  const others = {
    ",": () => moves.step(-1),
    ".": () => moves.step(1),
    m: () => element("moves").focus(),
    b: squares.focus,
    Escape: () => squares.letGo() || moves.view(null),
  };
  if (event.key in presses) element(presses[event.key]).click();
  else if (event.key in others && game) others[event.key]();
  else return;
  event.preventDefault();
}
