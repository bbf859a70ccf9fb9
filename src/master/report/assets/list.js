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

// Shows those games of all that were found.
function listGames(games, found) {
  const [list, pages] = ["list", "pages"].map((id) => document.getElementById(id));
  const last = Math.max(0, Math.ceil(found.length / GAMES) - 1);
  const show = (page) => {
    const rows = found.slice(page * GAMES, (page + 1) * GAMES).map(gameRow);
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

function gameRow({ id, round, agents, winner, half_points: half, end, length, faults }) {
  const side = (name, index) =>
    make("td", {}, make("span", { class: `side ${name}` }, agentLink(agents[index])), ...(winner === name ? [" ", make("b", {}, "won")] : []));
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, make("a", { href: `game.html#${id}` }, String(id))),
    make("td", {}, String(round)),
    side("black", 0),
    side("white", 1),
    make("td", { class: "score" }, half ? half.map(points).join(" : ") : "unfinished"),
    make("td", {}, endingOf(end)[1]),
    make("td", { class: "n" }, String(length)),
    make("td", { class: "n" }, String(faults)),
  );
}
