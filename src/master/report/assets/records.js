// Loads games and decodes them. compact_game.rs describes their form, columns.rs that of the list of all games.
"use strict";

const kingline = {
  data: new Map(),
  put(name, data) {
    this.data.set(name, data);
  },
};

const tournament = () => kingline.data.get("tournament");

// Loads a script with data; a page in a folder can load nothing else.
const loading = new Map();
function load(name) {
  if (!loading.has(name)) {
    const loaded = (resolve, reject) => {
      const script = document.createElement("script");
      const failed = () => {
        loading.delete(name);
        reject(new Error(`data/${name}.js cannot be loaded`));
      };
      script.src = `data/${name}.js`;
      script.addEventListener("load", () => (kingline.data.has(name) ? resolve(kingline.data.get(name)) : failed()));
      script.addEventListener("error", failed);
      document.head.append(script);
    };
    loading.set(name, new Promise(loaded));
  }
  return loading.get(name);
}

// Shows what the page waits for, or why it cannot go on.
function state(text) {
  document.getElementById("state").textContent = text;
}

// An element with attributes and children; strings become text.
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A link to an agent's page.
function agentLink(agent) {
  const [name, file] = tournament().agents[agent];
  return make("a", { href: file }, name);
}

const points = (half) => (half === 1 ? "\u00bd" : half % 2 ? `${(half - 1) / 2}\u00bd` : String(half / 2));

// A result as an object: winner 0, 1 for Black or 2 for White, and half points of both, none if unfinished.
function resultOf(code) {
  const black = code % 4;
  return { winner: code >> 2, half: black === 3 ? null : [black, 2 - black] };
}

// All games as columns of equal length.
async function allGames() {
  const lists = await Promise.all(tournament().lists.map((number) => load(`list-${number}`)));
  const length = lists.reduce((sum, list) => sum + list.id.length, 0);
  const columns = { length, endings: [] };
  for (const name of ["id", "black", "white", "result", "ending", "turns", "round", "faults"]) {
    columns[name] = new Int32Array(length);
  }
  let place = 0;
  for (const list of lists) {
    const endings = list.endings.map(([kind, words]) => {
      const known = columns.endings.findIndex((each) => each.words === words);
      return known >= 0 ? known : columns.endings.push({ kind, words }) - 1;
    });
    let id = 0;
    list.id.forEach((more, index) => {
      id += more;
      columns.id[place] = id;
      columns.ending[place] = endings[list.ending[index]];
      for (const name of ["black", "white", "result", "turns", "round", "faults"]) columns[name][place] = list[name][index];
      place++;
    });
  }
  return columns;
}

// The file with a game, and the game's place in it.
async function findGame(id) {
  const number = Math.floor(id / tournament().games_a_file);
  if (!tournament().files.includes(number)) return null;
  const file = await load(`games-${number}`);
  const index = file.games.findIndex((game) => game[0] === id);
  return index < 0 ? null : { number, file, index, game: decode(file.games[index], file.tiers) };
}

// The number of the game before or after another, if there is one.
async function beside({ number, file, index }, step) {
  if (file.games[index + step]) return file.games[index + step][0];
  const files = tournament().files;
  const other = files[files.indexOf(number) + step];
  if (other === undefined) return null;
  return (await load(`games-${other}`)).games.at(step < 0 ? -1 : 0)[0];
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Numbers in base 32, the lowest digit first.
function numbers(text) {
  const all = [];
  let [number, place] = [0, 1];
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    number += (digit % 32) * place;
    place *= 32;
    if (digit < 32) {
      all.push(number);
      [number, place] = [0, 1];
    }
  }
  return all;
}

function decode(line, tiers) {
  const [id, black, white, round, pairing, result, seed, random, moves, times, verdict, tier, more] = line;
  const game = { id, agents: [black, white], round, pairing, seed, random, verdict, tier: tiers[tier], more };
  Object.assign(game, resultOf(result));
  const paths = (moves.match(/..(?:\..)*/g) || []).map((path) => [...path.replaceAll(".", "")].map((each) => DIGITS.indexOf(each)));
  game.turns = turnsOf(game, paths, numbers(times));
  return game;
}

// The turns with side, move, times in steps of the clock, time left in microseconds, and the board after them.
function turnsOf(game, paths, times) {
  const { random, more } = game;
  const { clock, start, size } = tournament();
  const sides = more.first === "White" ? ["White", "Black"] : ["Black", "White"];
  const budgets = more.budgets || [clock.budget, clock.budget];
  const left = [...budgets];
  const turns = [];
  game.budgets = budgets;
  game.start = more.start || start;
  let board = squaresOf(game.start);
  for (let index = 0; index < random + times.length / 2; index++) {
    const turn = { number: index + 1, side: sides[index % 2], isRandom: index < random };
    const isMove = !(more.without || []).includes(turn.number);
    if (more.texts) {
      turn.text = more.texts[index];
      if (!turn.isRandom) turn.side = more.sides[index - random];
    } else if (isMove) {
      turn.path = paths.shift();
      turn.takes = isCapture(board, turn.path);
      turn.text = moveText(turn.path, turn.takes);
      board = after(board, turn.path);
      turn.board = compactOf(board, size);
    }
    if (!turn.isRandom) {
      const [cpu, more] = times.slice(2 * (index - random));
      const side = turn.side === "Black" ? 0 : 1;
      turn.cpu = cpu;
      turn.wall = cpu + (more % 2 ? -(more + 1) / 2 : more / 2);
      turn.charged = (clock.counts === "cpu" ? turn.cpu : turn.wall) * clock.step;
      left[side] = left[side] === null ? null : Math.max(0, left[side] - turn.charged);
      turn.left = game.more.left ? game.more.left[index - random] : left[side];
    }
    turns.push(turn);
  }
  game.left = more.end || left;
  return turns;
}

// The squares of a board, row by row from the top, with a letter or nothing in each.
function squaresOf(compact) {
  const squares = [];
  for (const letter of compact.replaceAll("/", "")) {
    if (letter >= "0" && letter <= "9") squares.push(...Array(Number(letter)).fill(""));
    else squares.push(letter);
  }
  return squares;
}

function compactOf(squares, size) {
  const rows = [];
  for (let row = 0; row < size; row++) {
    const letters = squares.slice(row * size, (row + 1) * size).map((each) => each || ".").join("");
    rows.push(letters.replace(/\.+/g, (empty) => empty.length));
  }
  return rows.join("/");
}

const isCheckers = () => tournament().game === "checkers";

function isCapture(board, path) {
  const { size } = tournament();
  if (!isCheckers()) return board[path.at(-1)] !== "";
  return Math.abs(Math.floor(path[0] / size) - Math.floor(path[1] / size)) > 1;
}

// The board after a move. In checkers, jumped pieces lie between the squares, and men become kings on the last row,
// which they reach only by moving forward. In Lines of Action, a piece is captured by landing on it.
function after(board, path) {
  const { size } = tournament();
  const squares = [...board];
  let piece = squares[path[0]];
  squares[path[0]] = "";
  if (isCheckers()) {
    for (let step = 1; step < path.length; step++) {
      const middle = (path[step - 1] + path[step]) / 2;
      if (Math.abs(path[step] - path[step - 1]) > size + 1) squares[middle] = "";
    }
    const row = Math.floor(path.at(-1) / size);
    if (row === 0 || row === size - 1) piece = piece.toUpperCase();
  }
  squares[path.at(-1)] = piece;
  return squares;
}

// A move as the agents write it.
function moveText(path, takes) {
  const { size, from_top: fromTop } = tournament();
  const name = (square) => {
    const [column, row] = [square % size, Math.floor(square / size)];
    return fromTop ? String.fromCharCode(65 + column) + (row + 1) : String.fromCharCode(97 + column) + (size - row);
  };
  return path.map(name).join(fromTop ? "" : isCheckers() && takes ? "x" : "-");
}

// Microseconds as seconds with the digits of the clock.
function seconds(micros) {
  const { step, decimals } = tournament().clock;
  const whole = micros - (micros % step);
  const digits = String(whole % 1e6).padStart(6, "0").slice(0, decimals);
  return Math.floor(whole / 1e6) + (digits ? "." + digits : "");
}
