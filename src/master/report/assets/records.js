// Loads games, whose form games_files.rs describes.
"use strict";

const kingline = {
  data: new Map(),
  put(name, data) {
    this.data.set(name, data);
  },
};

const tournament = () => kingline.data.get("tournament");

// Unpacks data of a script: JSON in gzip in base 64.
function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

// Loads a script with packed data; a page in a folder can load nothing else.
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
      script.addEventListener("load", () => (kingline.data.has(name) ? resolve(unpacked(kingline.data.get(name))) : failed()));
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

// All games of the tournament.
async function allGames() {
  return (await Promise.all(tournament().lists.map((number) => load(`list-${number}`)))).flat();
}

// The kind and the words of an ending.
const endingOf = (end) => tournament().endings[end];

// The words of the endings that occur among games, each once.
const endingsOf = (games) => [...new Set(games.map(({ end }) => endingOf(end)[1]))];

// The file with a game, and the game's place in it.
async function findGame(id) {
  const number = Math.floor(id / tournament().games_a_file);
  if (!tournament().files.includes(number)) return null;
  const games = await load(`games-${number}`);
  const index = games.findIndex((game) => game.id === id);
  return index < 0 ? null : { number, games, index, game: completed(games[index]) };
}

// The number of the game before or after another, if there is one.
async function beside({ number, games, index }, step) {
  if (games[index + step]) return games[index + step].id;
  const files = tournament().files;
  const other = files[files.indexOf(number) + step];
  return other === undefined ? null : (await load(`games-${other}`)).at(step < 0 ? -1 : 0).id;
}

// Adds to the turns their numbers, the boards after them and, for those of agents, the time that counts and the time left,
// in microseconds. A turn that has a time left differs from what the clock gives.
function completed(game) {
  const { counts, step } = tournament().clock;
  const left = { black: game.budgets[0], white: game.budgets[1] };
  let board = game.start && squaresOf(game.start);
  game.turns.forEach((turn, index) => {
    turn.number = index + 1;
    turn.isRandom = index < game.random;
    if (board && turn.move) {
      board = after(board, turn.move);
      turn.board = compactOf(board);
    }
    turn.charged = turn.isRandom ? 0 : (counts === "wall" ? turn.wall : turn.cpu) * step;
    if (turn.left === undefined) turn.left = left[turn.side] === null ? null : Math.max(0, left[turn.side] - turn.charged);
    left[turn.side] = turn.left;
  });
  return game;
}

// The squares of a board, row by row from the top, with a letter or a dot in each.
const squaresOf = (compact) => [...compact.replaceAll("/", "").replace(/\d/g, (empty) => ".".repeat(empty))];

function compactOf(squares) {
  const size = Math.sqrt(squares.length);
  const rows = Array.from({ length: size }, (_, row) => squares.slice(row * size, (row + 1) * size).join(""));
  return rows.map((row) => row.replace(/\.+/g, (empty) => empty.length)).join("/");
}

// The board after a move as agents write it; rows are numbered from the top where letters are large. In checkers, jumped
// pieces lie between the squares, and men become kings on the last row, which they reach only by moving forward. In Lines of
// Action, a piece is captured by landing on it.
function after(board, move) {
  const size = Math.sqrt(board.length);
  const path = move.match(/[a-h][1-8]/gi).map(([column, row]) =>
    (/[A-H]/.test(column) ? row - 1 : size - row) * size + parseInt(column, 18) - 10);
  const squares = [...board];
  let piece = squares[path[0]];
  squares[path[0]] = ".";
  if (tournament().game === "checkers") {
    path.slice(1).forEach((square, step) => {
      if (Math.abs(square - path[step]) > size + 1) squares[(square + path[step]) / 2] = ".";
    });
    const row = Math.floor(path.at(-1) / size);
    if (row === 0 || row === size - 1) piece = piece.toUpperCase();
  }
  squares[path.at(-1)] = piece;
  return squares;
}

// Microseconds as seconds with the digits of the clock.
function seconds(micros) {
  const { step, decimals } = tournament().clock;
  const whole = micros - (micros % step);
  const digits = String(whole % 1e6).padStart(6, "0").slice(0, decimals);
  return Math.floor(whole / 1e6) + (digits ? "." + digits : "");
}
