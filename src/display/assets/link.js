// The connection to the program: receives changes, and sends commands.

// Calls `heard` with the game, `thinks` with the search state, and `lost` when the connection breaks or returns.
export function listen(heard, thinks, lost) {
  const events = new EventSource("events");
  events.addEventListener("game", (event) => {
    lost(false);
    heard(JSON.parse(event.data));
  });
  // The program ends with this state.
  events.addEventListener("last", (event) => {
    events.close();
    heard(JSON.parse(event.data));
    lost(true);
  });
  events.addEventListener("thought", (event) => thinks(JSON.parse(event.data)));
  // The browser reconnects by itself, and then gets the current state.
  events.addEventListener("error", () => lost(true));
}

// Sends a command of the dialect. Returns true if it was executed; otherwise shows why it was refused.
export function ask(line) {
  return post("command", line);
}

// Sends a game to continue, written as SGF.
export function takeUp(game) {
  return post("game", game);
}

async function post(where, text) {
  try {
    const answer = await fetch(where, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } });
    if (answer.ok) return true;
    complain((await answer.text()) || "The program refused the command.");
  } catch {
    complain("The program cannot be reached.");
  }
  return false;
}

// Shows a problem for a while, or until the next one.
export function complain(text) {
  const problem = document.createElement("p");
  problem.textContent = text;
  document.getElementById("problems").replaceChildren(problem);
  setTimeout(() => problem.remove(), 12000);
}

// Returns the game as SGF.
export async function record() {
  return (await fetch(document.getElementById("download").href)).text();
}
