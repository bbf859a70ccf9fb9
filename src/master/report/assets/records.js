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

// Adds to the turns their numbers and, for those of agents, the time that counts, in microseconds.
function completed(game) {
  const { counts, step } = tournament().clock;
  game.turns.forEach((turn, index) => {
    turn.number = index + 1;
    turn.isRandom = index < game.random;
    turn.charged = turn.isRandom ? 0 : (counts === "wall" ? turn.wall : turn.cpu) * step;
  });
  return game;
}

// Microseconds as seconds with the digits of the clock.
function seconds(micros) {
  const { step, decimals } = tournament().clock;
  const whole = micros - (micros % step);
  const digits = String(whole % 1e6).padStart(6, "0").slice(0, decimals);
  return Math.floor(whole / 1e6) + (digits ? "." + digits : "");
}
