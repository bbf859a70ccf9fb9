// The connection to the program: receives changes, and sends commands.

import { calm, complain } from "./problems.js";

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

// Sends a command of the dialect. Returns true if it was executed; otherwise calls `refused(reason)`.
export function ask(line, refused = complain) {
  return post("command", line, refused);
}

// Sends a game to continue, written as SGF.
export function takeUp(game) {
  return post("game", game, complain);
}

async function post(where, text, refused) {
  try {
    const answer = await fetch(where, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } });
    if (answer.ok) {
      calm();
      return true;
    }
    refused((await answer.text()) || "The program refused the command.");
  } catch {
    refused("The program cannot be reached.");
  }
  return false;
}

// Returns the game as SGF.
export async function record() {
  return (await fetch(document.getElementById("download").href)).text();
}
