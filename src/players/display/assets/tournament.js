// The page of a tournament: the games in progress as small boards, and the standings.

import { listen } from "./link.js";

const element = (id) => document.getElementById(id);
const sides = ["black", "white"];
// The boards on the page, by the number of their place.
const shown = new Map();

listen(hear, () => {}, (is_lost) => (element("lost").hidden = !is_lost));

function hear(scene) {
  const { done, planned, boards } = scene;
  element("progress").textContent = planned > 0 ? `${done} of ${planned} games` : "Preparing the agents";
  element("none").hidden = Object.keys(boards).length > 0;
  for (const [place, each] of shown) {
    if (place in boards) continue;
    each.item.remove();
    shown.delete(place);
  }
  for (const [place, game] of Object.entries(boards)) {
    if (!shown.has(place)) shown.set(place, begin(place));
    draw(shown.get(place), game);
  }
  rank(scene.standings);
}

// Adds an empty board, in the order of places.
function begin(place) {
  const item = document.createElement("li");
  item.dataset.place = place;
  const lines = sides.map(() => document.createElement("p"));
  const board = element("board-template").content.firstElementChild.cloneNode(true);
  board.removeAttribute("id");
  item.append(lines[1], board, lines[0]);
  const next = [...element("boards").children].find((each) => Number(each.dataset.place) > Number(place));
  element("boards").insertBefore(item, next ?? null);
  return { item, lines, board, drawn: "" };
}

function draw(each, game) {
  sides.forEach((side, number) => {
    const left = game.left[number] === null ? "" : `, ${game.left[number].toFixed(1)} s`;
    const text = `${side === "black" ? "Black" : "White"} ${game.names[number]}${left}`;
    if (each.lines[number].textContent !== text) each.lines[number].textContent = text;
    each.lines[number].classList.toggle("to-move", game.turn === side);
  });
  if (each.drawn === game.board) return;
  each.drawn = game.board;
  drawPieces(each.board.querySelector(".pieces"), game.board);
  each.board.querySelector(".way").setAttribute("d", wayOf(each.board, game.path.join("-")));
  each.board.setAttribute("aria-label", `${game.names[0]} against ${game.names[1]} after ${game.turns} turns`);
}

function rank(rows) {
  const made = rows.map((row) => {
    const line = document.createElement("tr");
    const cells = [row.rank, row.name, row.points, ...row.games, row.faults];
    cells.forEach((text, number) => {
      const cell = line.appendChild(document.createElement(number === 1 ? "th" : "td"));
      if (number === 1) cell.scope = "row";
      cell.textContent = text;
    });
    return line;
  });
  element("standings").replaceChildren(...made);
}
