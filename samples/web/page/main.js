// The page: a game between a person and the engine, and the engine's analysis.

import * as analysis from "./analysis.js";
import * as checkers from "./checkers.js";
import { engine, request } from "./engine.js";
import * as loa from "./loa.js";
import * as moves from "./moves.js";
import { calm, complain } from "./problems.js";
import * as squares from "./squares.js";

const element = (id) => document.getElementById(id);
const value = (id) => element(id).value;
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const titles = { checkers: "Checkers", loa: "Lines of Action" };

const rules = engine(null);
const thinkers = { checkers: engine("checkers"), loa: engine("loa") };
// The game as requests name it: its first position, if not the usual one, and its moves.
let record = { game: "checkers", start: null, moves: [] };
// The state of the game, from the engine.
let game = null;
// The current search: its thinker, and its best move so far. Results of earlier searches are ignored.
let search = null;
// Number of the games so far, and whether the board is turned.
let serial = 0;
let is_turned = false;

squares.start({ move, place: () => {}, refuse: complain, why });
moves.start(view, (count) => take({ ...record, moves: record.moves.slice(0, count) }));
listen();
renew();

// Begins a new game, from a position if one is given.
function renew(start = null) {
  return take({ game: value("game"), start, moves: [] });
}

// Shows a game, and goes on with it. If that fails, the game on the board goes on. Returns true if it was shown.
async function take(wanted) {
  halt();
  record = wanted;
  let state = null;
  try {
    state = await rules.ask(request("state", wanted));
  } catch (error) {
    lose(error);
  }
  if (record !== wanted) return false;
  if (state === null || state.error) {
    if (state) complain(state.error);
    goBack();
    return false;
  }
  calm();
  lose(null);
  show(state, wanted);
  go();
  return true;
}

// Goes on with the game on the board.
function goBack() {
  if (!game) return;
  record = game.record;
  element("game").value = record.game;
  go();
}

// Shows that an engine has failed, or with null that none has.
function lose(error) {
  const lost = element("lost");
  lost.hidden = error === null;
  const usual = game ? "Undo a move or begin a new game to go on." : "Reload the page to try again.";
  const remedy = error?.remedy ?? usual;
  lost.textContent = error === null ? "" : `The engine failed: ${error.message}. ${remedy}`;
  if (error && !game) element("status").textContent = "Not loaded";
}

function show(state, shown) {
  const before = game;
  const is_new = shown.moves.length === 0;
  if (is_new) serial += 1;
  game = { ...state, serial, kind: shown.game, record: shown };
  element("title").textContent = document.title = titles[game.kind];
  document.body.dataset.game = game.kind;
  if (is_new) turn();
  moves.hear(game);
  draw();
  say(before);
}

// Turns the board so that a person's pieces begin at the lower edge: White's in checkers, Black's in Lines of Action.
function turn() {
  const above = game.kind === "checkers" ? "black" : "white";
  if ((value("person") === above) !== is_turned) flip();
}

// Draws the board: an earlier position, or the current one.
function draw() {
  const viewed = moves.viewed();
  squares.show({
    board: viewed.board,
    last: viewed.last,
    steps: viewed.is_now && is_persons() ? game.steps : [],
    mustCapture: game.must_capture,
    groups: viewed.is_now ? game.groups : [],
    hint: null,
    setup: false,
  });
  element("undo").disabled = record.moves.length === 0;
  element("move-now").disabled = !search?.makes_move;
  element("status").textContent = viewed.is_now ? status() : `${capital(viewed.turn)} to move, ${viewed.when}`;
  if (viewed.is_now && document.activeElement !== element("position")) element("position").value = game.position;
}

function status() {
  if (game.ending) return game.ending;
  if (search?.makes_move) return `${capital(game.turn)} is thinking`;
  return `${capital(game.turn)} to move${game.must_capture ? ": a capture must be made" : ""}`;
}

function is_persons() {
  return value("person") === "both" || value("person") === game.turn;
}

// Lets the engine make its move, or analyze.
function go() {
  if (!game.ending && !is_persons()) think();
  else if (element("analyze").checked) analyze();
  else if (!search) draw();
}

// Searches the move of the side to move, and makes it.
async function think() {
  const found = await searched(record, [value("strength")], true);
  if (found?.best) await take({ ...record, moves: [...record.moves, found.best] });
}

// Analyzes the position on the board until something else happens.
function analyze() {
  const { moves: count, is_now } = moves.viewed();
  if (is_now && game.ending) return analysis.clear("The game is over");
  searched({ ...record, moves: record.moves.slice(0, count) }, [`lines ${value("lines")}`], false);
}

// Searches a game's last position, instead of any earlier search. Returns what was found; null if it was stopped.
async function searched(position, limits, makes_move) {
  halt();
  const own = { thinker: thinkers[position.game], makes_move, best: null };
  search = own;
  analysis.clear("Thinking");
  draw();
  const report = (found) => {
    if (search !== own) return;
    own.best = found.best;
    analysis.show(found);
  };
  try {
    const found = await own.thinker.ask(request("search", position, limits), report);
    if (search !== own || found === null) return null;
    if (found.error) throw new Error(found.error);
    report(found);
    search = null;
    return found;
  } catch (error) {
    if (search !== own) return null;
    search = null;
    lose(error);
    analysis.clear("Not thinking");
    draw();
    return null;
  }
}

// Stops the search. Its engine ends with it, since it hears nothing while it searches.
function halt() {
  if (!search) return;
  search.thinker.stop();
  search = null;
}

// Makes the best move that the search has found so far.
function moveNow() {
  const best = search?.makes_move ? search.best : null;
  if (best) take({ ...record, moves: [...record.moves, best] });
}

// Makes a person's move through these squares. Returns true if it was made.
async function move(path) {
  const step = game.steps.find((each) => each.path.join() === path.join());
  return step !== undefined && take({ ...record, moves: [...record.moves, step.move] });
}

// Takes back the last move, and moves of the engine before a person's turn.
function undo() {
  const turns = value("person") === "black" || value("person") === "white";
  const is_engines = (count) => turns && sideAfter(count) !== value("person");
  let count = record.moves.length - 1;
  while (count > 0 && is_engines(count)) count -= 1;
  if (count >= 0) take({ ...record, moves: record.moves.slice(0, count) });
}

function sideAfter(count) {
  const other = { black: "white", white: "black" };
  return count % 2 === 0 ? game.first : other[game.first];
}

// Returns the reason why a piece cannot move to a square.
function why(from, to) {
  const reason = { checkers, loa }[game.kind].whyNot(moves.viewed().board, squares.order, from, to);
  return reason ?? `${from} cannot move to ${to}.`;
}

// Announces changes to screen readers.
function say(before) {
  if (before === null) return;
  const is_same = before.serial === game.serial;
  const made = game.moves.slice(is_same ? before.moves.length : 0).map((each) => each.words);
  if (!is_same) made.unshift("A new game");
  else if (game.moves.length < before.moves.length) made.push("Moves were undone");
  if (game.ending) made.push(game.ending);
  element("announced").textContent = made.join(". ");
}

// Shows another position of the game, and analyzes it if that is wanted.
function view() {
  draw();
  if (element("analyze").checked && !search?.makes_move) analyze();
}

function flip() {
  is_turned = squares.flip();
  element("flip").setAttribute("aria-pressed", String(is_turned));
}

function listen() {
  const on = (id, type, done) => element(id).addEventListener(type, done);
  on("new", "click", () => renew());
  on("undo", "click", undo);
  on("flip", "click", flip);
  on("move-now", "click", moveNow);
  on("game", "change", () => renew());
  on("person", "change", changeSides);
  on("lines", "change", restart);
  on("analyze", "change", restart);
  on("position-form", "submit", (event) => {
    event.preventDefault();
    renew(value("position").trim() || null);
  });
  document.addEventListener("keydown", keys);
}

// Goes on with the game between other players.
async function changeSides() {
  if (game && (await take({ ...record }))) turn();
}

// Starts or ends an analysis. A search for a move goes on.
function restart() {
  if (search?.makes_move || !game) return;
  halt();
  analysis.clear("Not thinking");
  if (element("analyze").checked) analyze();
}

function keys(event) {
  const is_typed = event.target.closest("textarea, select");
  if (is_typed || event.altKey || event.ctrlKey || event.metaKey || !game) return;
  const presses = { u: "undo", f: "flip", n: "new", g: "move-now", a: "analyze" };
  const others = {
    ",": () => moves.step(-1),
    ".": () => moves.step(1),
    m: () => element("moves").focus(),
    b: squares.focus,
    Escape: () => squares.letGo() || moves.view(null),
  };
  if (event.key in presses) element(presses[event.key]).click();
  else if (event.key in others) others[event.key]();
  else return;
  event.preventDefault();
}
