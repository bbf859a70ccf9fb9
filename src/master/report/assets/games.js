// The list of all games with its filters, which are in the address: games.html#agent=3&end=repetition.
"use strict";

const form = document.getElementById("filters");
state("Loading the list of games");
allGames().then(start, (error) => state(error.message));

function start(games) {
  state("");
  options(form.agent, agentOptions());
  options(form.against, agentOptions());
  options(form.result, [["black", "Black won"], ["white", "White won"], ["none", "no winner"], ["unfinished", "unfinished"]]);
  options(form.result, [["won", "won by the agent"], ["lost", "lost by the agent"]]);
  options(form.end, endingsOf(games).map((words) => [words, words]));
  options(form.round, [...new Set(games.map(({ round }) => round))].sort((one, other) => one - other).map((round) => [round, round]));
  form.hidden = false;
  const find = () => listGames(games, games.filter(filter()));
  const read = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const field of form.querySelectorAll("[name]")) field.value = wanted.get(field.name) || "";
    find();
  };
  form.addEventListener("input", () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value !== "");
    history.replaceState(null, "", "#" + new URLSearchParams(wanted));
    find();
  });
  form.addEventListener("reset", () => {
    history.replaceState(null, "", "#");
    setTimeout(find);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", read);
  read();
}

// Returns whether a game passes all filters.
function filter() {
  const [agent, against] = [form.agent, form.against].map(({ value }) => (value === "" ? -1 : value - 1));
  const [end, round, faulty] = [form.end.value, form.round.value, form.faults.value];
  const [least, most] = [form.least.value || 0, form.most.value || Infinity].map(Number);
  return (game) =>
    [agent, against].every((wanted) => wanted < 0 || game.agents.includes(wanted)) &&
    (agent < 0 || agent !== against) &&
    (end === "" || endingOf(game.end)[1] === end) &&
    (round === "" || game.round === Number(round)) &&
    game.length >= least &&
    game.length <= most &&
    (faulty === "" || game.faults > 0 === (faulty === "1")) &&
    hasResult(game, agent);
}

function hasResult({ agents, winner, half_points: half }, agent) {
  const side = ["black", "white"][agents.indexOf(agent)];
  switch (form.result.value) {
    case "black":
    case "white":
      return winner === form.result.value;
    case "none":
      return winner === null;
    case "unfinished":
      return half === null;
    case "won":
      return side !== undefined && winner === side;
    case "lost":
      return side !== undefined && winner !== null && winner !== side;
    default:
      return true;
  }
}
