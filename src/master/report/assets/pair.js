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
  const found = games.filter(({ agents }) => agents.every((agent) => agent === one || agent === other));
  listGames(games, found);
  if (one < 0 || other < 0) return totals.replaceChildren();
  document.getElementById("title").replaceChildren(agentLink(one), " against ", agentLink(other));
  const rows = [
    ["all games", () => true],
    [`${tournament().agents[one][0]} has Black`, ({ agents }) => agents[0] === one],
    [`${tournament().agents[one][0]} has White`, ({ agents }) => agents[1] === one],
    ...endingsOf(games).map((words) => [`end: ${words}`, ({ end }) => endingOf(end)[1] === words]),
  ];
  const lines = rows.map(([title, fits]) => ({ title, own: found.filter(fits) })).filter(({ own }) => own.length);
  const table = make(
    "table",
    { class: "counts" },
    make("caption", {}, `Results of ${tournament().agents[one][0]}`),
    make("thead", {}, make("tr", {}, ...["Part", "Games", "Points", "Won", "Drawn", "Lost", "Unfinished"].map((title, index) =>
      make("th", { scope: "col", class: index ? "n" : "" }, title)))),
    make("tbody", {}, ...lines.map(({ title, own }) => total(one, title, own))),
  );
  totals.replaceChildren(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results" }, table));
}

// A row of the table of results.
function total(agent, title, games) {
  const counts = { half: 0, won: 0, drawn: 0, lost: 0, unfinished: 0 };
  for (const { agents, winner, half_points: half } of games) {
    const side = agents.indexOf(agent);
    if (half === null) counts.unfinished++;
    else {
      counts.half += half[side];
      counts[winner === null ? "drawn" : winner === ["black", "white"][side] ? "won" : "lost"]++;
    }
  }
  const numbers = [games.length, points(counts.half), counts.won, counts.drawn, counts.lost, counts.unfinished];
  return make("tr", {}, make("th", { scope: "row" }, title), ...numbers.map((number) => make("td", {}, String(number))));
}
