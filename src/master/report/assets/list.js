// Lists games in pages, for the pages that search them.
"use strict";

// Games on one page of the list.
const GAMES = 100;

// Fills a field of the filters with options.
function options(field, values) {
  field.append(...values.map(([value, text]) => make("option", { value }, text)));
}

// All agents as options, with the numbers of their pages.
function agentOptions() {
  return tournament().agents.map(([name], index) => [index + 1, name]);
}

// Shows a list of games, given by their places in the columns.
function listGames(games, found) {
  const [list, pages] = ["list", "pages"].map((id) => document.getElementById(id));
  const last = Math.max(0, Math.ceil(found.length / GAMES) - 1);
  const show = (page) => {
    const rows = found.slice(page * GAMES, (page + 1) * GAMES).map((place) => gameRow(games, place));
    document.querySelector("#games tbody").replaceChildren(...rows);
    const button = (text, to) => {
      const made = make("button", { type: "button" }, text);
      made.disabled = to < 0 || to > last;
      made.addEventListener("click", () => show(to));
      return made;
    };
    pages.replaceChildren(button("\u2190 Back", page - 1), button("Next \u2192", page + 1), ` page ${page + 1} of ${last + 1}`);
  };
  document.getElementById("found").textContent = `${found.length} of ${games.length} games`;
  list.hidden = found.length === 0;
  pages.hidden = last === 0;
  show(0);
}

function gameRow(games, place) {
  const { winner, half } = resultOf(games.result[place]);
  const ending = games.endings[games.ending[place]];
  const side = (name, agent, number) =>
    make("td", {}, make("span", { class: `side ${name}` }, agentLink(agent)), ...(winner === number ? [" ", make("b", {}, "won")] : []));
  const id = games.id[place];
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: `game.html#${id}` }, String(id))),
    make("td", {}, String(games.round[place])),
    side("black", games.black[place], 1),
    side("white", games.white[place], 2),
    make("td", { class: "score" }, half ? half.map(points).join(" : ") : "unfinished"),
    make("td", {}, ending.words),
    make("td", { class: "n" }, String(games.turns[place])),
    make("td", { class: "n" }, String(games.faults[place])),
  );
}
