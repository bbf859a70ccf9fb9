// The players: who plays each side, the level of the machine, and new games against it.

import { ask } from "./link.js";

const sides = ["black", "white"];
const level = document.getElementById("level");
const radios = (side) => document.querySelectorAll(`input[name=${side}]`);
let game = null;

// `agreed()` asks whether a game in progress may be abandoned.
export function start(agreed) {
  // In a referee's games, the players are given.
  if (!level) return;
  for (const side of sides) {
    for (const radio of radios(side)) {
      radio.addEventListener("change", async () => {
        if (!(await ask(`${radio.value} ${side}`))) show(game);
      });
    }
    document.getElementById(`play-${side}`).addEventListener("click", async () => {
      if (await agreed()) play(side);
    });
  }
  level.addEventListener("change", async () => {
    if (!(await ask(level.value ? `level ${level.value}` : "time default"))) show(game);
  });
}

// Shows the players of a game.
export function show(heard) {
  game = heard;
  if (game.names) sides.forEach((side, place) => (document.getElementById(`name-${side}`).textContent = game.names[place]));
  if (!level) return;
  sides.forEach((side, place) => {
    const value = game.players[place] === "manual" ? "manual" : "auto";
    for (const radio of radios(side)) radio.checked = radio.value === value;
  });
  level.value = game.level ?? "";
}

// Starts a new game of a person against the machine. The machine begins only once the board is set up.
async function play(side) {
  const other = sides.find((each) => each !== side);
  const { new: renew, stops } = document.body.dataset;
  const lines = [`manual ${side}`, renew, `auto ${other}`, ...(stops === undefined ? [] : ["start"])];
  for (const line of lines) if (!(await ask(line))) return;
}
