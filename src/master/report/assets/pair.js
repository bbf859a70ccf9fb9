// The head-to-head of two agents, whose numbers are in the address: pair.html#3,17.
"use strict";

const form = document.getElementById("filters");
state("Loading the list of games");
allGames().then(start, (error) => state(error.message));

function start(games) {
  state("");
  options(form.agent, agentOptions());
  options(form.against, agentOptions());
  form.hidden = false;
  const show = () => {
    const numbers = location.hash.slice(1).split(",").map((number) => (tournament().agents[number - 1] ? Number(number) : ""));
    [form.agent.value, form.against.value] = [numbers[0] ?? "", numbers[1] ?? ""];
    compare(games, numbers[0] - 1, numbers[1] - 1);
  };
  form.addEventListener("input", () => {
    history.replaceState(null, "", `#${form.agent.value},${form.against.value}`);
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", show);
  show();
}

function compare(games, one, other) {
  const totals = document.getElementById("totals");
  const [both, found] = [[one, other], []];
  for (let place = 0; place < games.length; place++) {
    if (both.includes(games.black[place]) && both.includes(games.white[place])) found.push(place);
  }
  listGames(games, found);
  if (one < 0 || other < 0) return totals.replaceChildren();
  document.getElementById("title").replaceChildren(agentLink(one), " against ", agentLink(other));
  const rows = [
    ["all games", () => true],
    [`${tournament().agents[one][0]} has Black`, (place) => games.black[place] === one],
    [`${tournament().agents[one][0]} has White`, (place) => games.white[place] === one],
    ...games.endings.map(({ words }, index) => [`end: ${words}`, (place) => games.ending[place] === index]),
  ];
  const lines = rows.map(([title, fits]) => ({ title, places: found.filter(fits) })).filter(({ places }) => places.length);
  const table = make(
    "table",
    { class: "counts" },
    make("caption", {}, `Results of ${tournament().agents[one][0]}`),
    make("thead", {}, make("tr", {}, ...["Part", "Games", "Points", "Won", "Drawn", "Lost", "Unfinished"].map((title, index) =>
      make("th", { scope: "col", class: index ? "n" : "" }, title)))),
    make("tbody", {}, ...lines.map(({ title, places }) => total(games, one, title, places))),
  );
  totals.replaceChildren(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" }, table));
}

// A row of the table of results.
function total(games, agent, title, places) {
  const counts = { half: 0, won: 0, drawn: 0, lost: 0, unfinished: 0 };
  for (const place of places) {
    const { winner, half } = resultOf(games.result[place]);
    const side = games.black[place] === agent ? 0 : 1;
    if (half === null) counts.unfinished++;
    else {
      counts.half += half[side];
      counts[winner === 0 ? "drawn" : winner === side + 1 ? "won" : "lost"]++;
    }
  }
  const numbers = [places.length, points(counts.half), counts.won, counts.drawn, counts.lost, counts.unfinished];
  return make("tr", {}, make("th", { scope: "row" }, title), ...numbers.map((number) => make("td", {}, String(number))));
}
