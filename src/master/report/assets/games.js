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
  options(form.end, games.endings.map(({ words }) => [words, words]));
  options(form.round, [...new Set(games.round)].sort((one, other) => one - other).map((round) => [round, round]));
  form.hidden = false;
  const find = () => listGames(games, matching(games));
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

// Places of the games that pass all filters.
function matching(games) {
  const agent = form.agent.value === "" ? -1 : form.agent.value - 1;
  const against = form.against.value === "" ? -1 : form.against.value - 1;
  const ending = games.endings.findIndex(({ words }) => words === form.end.value);
  const [least, most] = [form.least.value || 0, form.most.value || Infinity].map(Number);
  const plays = (place, wanted) => wanted < 0 || games.black[place] === wanted || games.white[place] === wanted;
  const found = [];
  for (let place = 0; place < games.length; place++) {
    if (!plays(place, agent) || !plays(place, against)) continue;
    if (agent >= 0 && agent === against) continue;
    if (form.end.value !== "" && games.ending[place] !== ending) continue;
    if (form.round.value !== "" && games.round[place] !== Number(form.round.value)) continue;
    if (games.turns[place] < least || games.turns[place] > most) continue;
    if (form.faults.value !== "" && (games.faults[place] > 0) !== (form.faults.value === "1")) continue;
    if (hasResult(games, place, agent)) found.push(place);
  }
  return found;
}

function hasResult(games, place, agent) {
  const { winner, half } = resultOf(games.result[place]);
  const side = games.black[place] === agent ? 1 : games.white[place] === agent ? 2 : 0;
  switch (form.result.value) {
    case "black":
      return winner === 1;
    case "white":
      return winner === 2;
    case "none":
      return winner === 0;
    case "unfinished":
      return half === null;
    case "won":
      return side > 0 && winner === side;
    case "lost":
      return side > 0 && winner === 3 - side;
    default:
      return true;
  }
}
