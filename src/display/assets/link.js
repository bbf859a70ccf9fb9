// Talks with the program: hears what has changed, and asks for commands.

// Calls `heard` with the game, `thinks` with what the machine thinks, `lost` when nothing can be heard any more.
export function listen(heard, thinks, lost) {
  const events = new EventSource("events");
  let has_ended = false;
  events.addEventListener("game", (event) => {
    const game = JSON.parse(event.data);
    has_ended = game === null;
    if (has_ended) {
      events.close();
      lost(true);
    } else {
      lost(false);
      heard(game);
    }
  });
  events.addEventListener("thought", (event) => thinks(JSON.parse(event.data)));
  // The browser tries again by itself, and then catches up.
  events.addEventListener("error", () => lost(true));
}

// Asks for a command of the dialect; whether it was done. What was refused is shown.
export function ask(line) {
  return post("command", line);
}

// Asks for a game, written as SGF, to be taken up.
export function takeUp(game) {
  return post("game", game);
}

async function post(where, text) {
  try {
    const answer = await fetch(where, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } });
    if (answer.ok) return true;
    complain((await answer.text()) || "The program refused it.");
  } catch {
    complain("The program cannot be reached.");
  }
  return false;
}

// Shows what went wrong until the next problem, or for a while.
export function complain(text) {
  const problem = document.createElement("p");
  problem.textContent = text;
  document.getElementById("problems").replaceChildren(problem);
  setTimeout(() => problem.remove(), 12000);
}

// The game as SGF.
export async function record() {
  return (await fetch("game.sgf")).text();
}
