// The cross table in blocks of twenty by twenty agents, in the order of the standings: cross.html#rows=20&columns=0.
"use strict";

const BLOCK = 20;
const form = document.getElementById("filters");
state("Loading the list of games");
allGames().then(start, (error) => state(error.message));

function start(games) {
  const { order, agents } = tournament();
  const blocks = Array.from({ length: Math.ceil(order.length / BLOCK) }, (_, block) => {
    const [first, last] = [block * BLOCK, Math.min(order.length, (block + 1) * BLOCK) - 1];
    return [first, `${first + 1} to ${last + 1}: ${agents[order[first]][0]} to ${agents[order[last]][0]}`];
  });
  state("");
  options(form.rows, blocks);
  options(form.columns, blocks);
  form.hidden = false;
  const duels = duelsOf(games, agents.length);
  const show = () => fill(duels, Number(form.rows.value), Number(form.columns.value));
  const read = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const field of [form.rows, form.columns]) {
      field.value = wanted.get(field.name) || "0";
      if (field.selectedIndex < 0) field.selectedIndex = 0;
    }
    show();
  };
  form.addEventListener("input", () => {
    history.replaceState(null, "", "#" + new URLSearchParams(new FormData(form)));
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", read);
  read();
}

// Games that count and half points of each agent against each other, and which of them have met.
function duelsOf(games, agents) {
  const [counts, halves, met] = [Int32Array, Int32Array, Uint8Array].map((type) => new type(agents * agents));
  for (const { agents: pair, half_points: half } of games) {
    pair.forEach((one, side) => {
      const at = one * agents + pair[1 - side];
      met[at] = 1;
      if (half) {
        counts[at]++;
        halves[at] += half[side];
      }
    });
  }
  return { agents, counts, halves, met };
}

function fill(duels, firstRow, firstColumn) {
  const { order, agents } = tournament();
  const columns = order.slice(firstColumn, firstColumn + BLOCK);
  const heading = (agent, place) => {
    const [name, file] = agents[agent];
    const link = make("a", { href: file, title: name }, make("span", { class: "hidden" }, name), ` ${firstColumn + place + 1}`);
    return make("th", { scope: "col" }, link);
  };
  const row = (agent, place) => {
    const head = make("th", { scope: "row" }, make("span", { class: "quiet" }, String(firstRow + place + 1)), " ", agentLink(agent));
    return make("tr", {}, head, ...columns.map((column) => cell(duels, agent, column)));
  };
  const table = document.getElementById("cross");
  table.replaceChildren(
    table.caption,
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Agent"), ...columns.map(heading))),
    make("tbody", {}, ...order.slice(firstRow, firstRow + BLOCK).map(row)),
  );
}

function cell({ agents, counts, halves, met }, row, column) {
  const at = row * agents + column;
  if (!met[at]) return make("td");
  const link = make("a", { href: `pair.html#${row + 1},${column + 1}` }, counts[at] ? points(halves[at]) : "\u2013");
  return make("td", counts[at] ? { class: `s${Math.floor((halves[at] * 5) / counts[at])}` } : {}, link);
}
