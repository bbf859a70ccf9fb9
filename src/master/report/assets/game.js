// Shows the game in the address: its board, clocks, turns, review and facts.
"use strict";

const at = (id) => document.getElementById(id);
let shown = null;

window.addEventListener("hashchange", show);
connect(() => shown?.film);
show();

// Shows the game and the turn in the address: #12 or #12.7.
async function show() {
  const [, id, turn] = location.hash.match(/^#(\d+)(?:\.(\d+))?$/) || [];
  if (id === undefined) return state("No game is chosen. The list of games leads to all of them.");
  try {
    if (shown?.game.id !== Number(id)) {
      const found = await findGame(Number(id));
      if (!found) return missing(id);
      state("");
      shown?.film?.stop();
      shown = { game: found.game };
      shown.film = page(found);
    }
    shown.film?.go(turn === undefined ? Infinity : Number(turn), turn !== undefined);
  } catch (error) {
    state(error.message);
  }
}

function missing(id) {
  shown = null;
  at("game").hidden = true;
  state(`This tournament has no game ${id}.`);
}

// Fills the page; returns the film, if the game can be replayed.
function page(found) {
  const { game } = found;
  const side = (index) => make("span", { class: `side ${index ? "white" : "black"}` }, agentLink(game.agents[index]));
  const names = game.agents.map((agent) => tournament().agents[agent][0]);
  document.title = `Game ${game.id}: ${names[0]} against ${names[1]}`;
  at("title").replaceChildren(make("span", { class: "quiet" }, `Game ${game.id}`), " ", side(0), " against ", side(1));
  at("result").textContent = game.half_points ? game.half_points.map(points).join(" : ") : "unfinished";
  const half = game.half_points;
  const given = game.winner === null && half && half[0] !== 1;
  const verdict = game.verdict + (given ? `; awarded to ${half[0] > 1 ? "Black" : "White"} on time` : "") + ".";
  at("verdict").textContent = verdict;
  at("end").textContent = verdict;
  for (const [id, step] of [["before", -1], ["after", 1]]) neighbor(found, id, step);
  at("game").hidden = false;
  at("broken").hidden = !game.error;
  at("broken").textContent = game.error ? `The board cannot be shown: ${game.error}.` : "";
  at("film").hidden = Boolean(game.error);
  const rows = turnRows(game);
  document.querySelector("#turns tbody").replaceChildren(...rows.flatMap(({ all }) => all));
  times(game);
  review(game);
  facts(game);
  take(game);
  return game.error ? null : film(game, rows.filter(({ turn }) => turn.board), names);
}

async function neighbor(found, id, step) {
  const link = at(id);
  link.hidden = true;
  const other = await beside(found, step);
  if (other !== null && shown?.game === found.game) {
    link.href = `#${other}`;
    link.hidden = false;
  }
}

const sideName = (turn) => (turn.side === "black" ? "Black" : "White");

// The rows of the table of turns, each with the remarks below it.
function turnRows(game) {
  const { reviewed, clock } = tournament();
  const isTimed = clock.budget !== null;
  const columns = 5 + (isTimed ? 1 : 0) + (reviewed ? 2 : 0);
  let made = 0;
  return game.turns.map((turn) => {
    const judged = game.review && turn.move ? reviewOf(game.review, made) : {};
    if (turn.move) made++;
    const cell = (text, name = "n") => make("td", { class: name }, text);
    const row = make(
      "tr",
      { id: `t${turn.number}` },
      make("th", { scope: "row" }, make("a", { href: `#${game.id}.${turn.number}` }, String(turn.number))),
      cell(sideName(turn), `side ${turn.side}`),
      cell(turn.move || "none", "move"),
    );
    if (reviewed) row.append(make("td", { class: `sign ${judged.name || "unmarked"}`, ...(judged.mark ? { title: judged.mark } : {}) }, judged.sign || ""));
    if (turn.isRandom) row.append(make("td", { class: "quiet", colspan: isTimed ? 3 : 2 }, "random opening"));
    else {
      row.append(cell(seconds(turn.cpu * clock.step)), cell(seconds(turn.wall * clock.step)));
      if (isTimed) row.append(cell(turn.left === null ? "" : seconds(turn.left)));
    }
    if (reviewed) row.append(cell(judged.after || ""));
    const remark = (kind, ...content) => make("tr", { class: kind }, make("td", { colspan: columns }, ...content));
    const below = [];
    if (judged.text) below.push(remark(`judged ${judged.name}`, make("p", { class: "judgment" }, judged.text, ...judged.lines.flatMap((line) => [" ", make("span", { class: "line" }, line)]))));
    if (turn.fault) {
      const { kind, read, expected, replaced } = turn.fault;
      below.push(remark("fault", `Fault: ${kind}: ${read}; expected ${expected}${replaced ? "; the referee played at random" : ""}`));
    }
    for (const text of turn.notes || []) below.push(remark("note", `Note: ${text}`));
    return { turn, row, all: [row, ...below] };
  });
}

function reviewOf(review, index) {
  const [, name, sign, mark, text, lines] = review.marks.find(([place]) => place === index) || [];
  return { name, sign, mark, text, lines, after: review.after[index] };
}

// The bars of the times of all turns.
function times(game) {
  const figure = at("chart");
  figure.querySelector("svg")?.remove();
  const spent = game.turns.filter((turn) => turn.charged > 0);
  figure.hidden = spent.length === 0;
  if (figure.hidden) return;
  const most = Math.max(...spent.map((turn) => turn.charged));
  const step = 600 / game.turns.length;
  const bars = (side, sign) => {
    const own = spent.filter((turn) => turn.side === side);
    return own.map((turn) => `M${((turn.number - 0.5) * step).toFixed(1)} 60v${((sign * 54 * turn.charged) / most).toFixed(1)}`).join("");
  };
  const width = Math.min(8, Math.max(0.5, step * 0.7)).toFixed(1);
  figure.prepend(
    draw(
      "svg",
      { id: "times", viewBox: "0 0 600 120", role: "img", "aria-label": `Time of each turn, ${seconds(most)} s at most` },
      draw("path", { class: "axis", d: "M0 60H600" }),
      draw("g", { "stroke-width": width }, draw("path", { class: "black", d: bars("black", -1) }), draw("path", { class: "white", d: bars("white", 1) })),
      draw("text", { x: 2, y: 11 }, `${seconds(most)} s`),
      draw("rect", { class: "now", width: 0, height: 120 }),
    ),
  );
}

// The graph of winning chances, and the section with the turning point and both sides.
function review(game) {
  const [figure, section, data] = [at("chances"), at("review"), game.review];
  if (!figure) return;
  figure.querySelector("svg")?.remove();
  section.replaceChildren(make("h2", {}, "Review"));
  figure.hidden = section.hidden = !data;
  if (!data) return;
  const step = 600 / (Math.max(2, data.chances.length) - 1);
  const y = (index) => ((1 - data.chances[index] / 1000) * 120).toFixed(1);
  const line = data.chances.map((_, index) => `L${(index * step).toFixed(1)} ${y(index)}`).join("");
  const isFault = ([, name]) => name !== "only-move";
  const dots = data.marks.filter(isFault).map(([index, name, , , text]) =>
    draw("circle", { class: `fault ${name}`, cx: ((index + 1) * step).toFixed(1), cy: y(index + 1), r: 4 }, draw("title", {}, text)));
  figure.prepend(
    draw(
      "svg",
      { class: "chances", viewBox: "0 0 600 120", role: "img", "aria-label": "Winning chances of Black over the game" },
      draw("path", { class: "black-share", d: `M0 120${line}L600 120z` }),
      draw("path", { class: "even", d: "M0 60H600" }),
      draw("line", { class: "here", x1: 0, x2: 0, y1: 0, y2: 120 }),
      ...dots,
    ),
  );
  if (data.turning) {
    const number = game.turns.filter((turn) => turn.move)[data.turning[0]].number;
    section.append(make("p", { class: "turning-point" }, make("a", { href: `#${game.id}.${number}` }, `Turn ${number}`), `: ${data.turning[1]}`));
  }
  const head = ["Side", "Accuracy", "Inaccuracies", "Mistakes", "Blunders"].map((title, index) => make("th", { scope: "col", class: index ? "n" : "" }, title));
  const rows = data.sides.map(([accuracy, counts], index) =>
    make("tr", {}, make("th", { scope: "row" }, `${index ? "White" : "Black"}: ${tournament().agents[game.agents[index]][0]}`), ...[accuracy, ...counts].map((value) => make("td", { class: "n" }, String(value)))));
  const table = make("table", { class: "sides" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  section.append(
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Accuracy of both sides" }, table),
    make("p", { class: "quiet" }, `The engine searched ${data.nodes} nodes for each position. Moves that no agent chose count for neither side.`),
  );
}

function facts(game) {
  const { clock, league } = tournament();
  const budget = (time) => (time === null ? "no limit" : `${time / 1e6} s`);
  const [black, white] = game.budgets.map(budget);
  const used = ["black", "white"].map((side) => game.turns.filter((turn) => turn.side === side).reduce((sum, turn) => sum + turn.charged, 0));
  const values = [
    ["League", league],
    ["Round", game.round],
    ["Pairing", game.pairing],
    ["Seed", game.seed],
    ["Opening", `${game.random} random turns`],
    ["Time limit", black === white ? black : `${black} for Black, ${white} for White`],
    ["Time used", `${seconds(used[0])} s by Black, ${seconds(used[1])} s by White`],
    ["Clock", clock.words],
    ["Measured by", game.tier],
  ];
  at("facts").replaceChildren(...values.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value)))));
}

// The link to the game as a file.
function take(game) {
  const link = at("take");
  link.hidden = !game.transcript;
  if (link.hidden) return;
  const format = tournament().game === "checkers" ? "pdn" : "sgf";
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([game.transcript], { type: "text/plain" }));
  link.download = `game-${game.id}.${format}`;
  link.textContent = `This game as ${format.toUpperCase()}`;
}
