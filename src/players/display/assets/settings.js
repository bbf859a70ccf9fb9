// The settings that a person types. A text counts when its field is left or at Enter; Escape undoes it.

import { ask } from "./link.js";

const fields = [
  { id: "time", line: (value) => `time ${value || "default"}`, of: (game) => game.time, can_be_empty: true },
  { id: "limit", line: (value) => `limit ${value}`, of: (game) => game.limit },
  { id: "seed", line: (value) => `seed ${value}`, of: (game) => game.seed },
]
  .map((field) => ({ ...field, input: document.getElementById(field.id), is_typed: false, is_sent: false }))
  .filter((field) => field.input !== null);
let game = null;

export function start() {
  for (const field of fields) {
    field.problem = document.getElementById(`${field.id}-problem`);
    field.input.addEventListener("input", () => (field.is_typed = true));
    field.input.addEventListener("change", () => set(field));
    field.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") set(field);
      else if (event.key === "Escape") undo(field);
    });
  }
}

// Shows the settings of a game, except in fields with typed text that does not count yet.
export function show(heard) {
  game = heard;
  for (const field of fields) if (!field.is_typed) field.input.value = field.of(game) ?? "";
}

async function set(field) {
  const value = field.input.value.trim();
  // Enter is followed by a change, which must not send the text again.
  if (!field.is_typed || field.is_sent) return;
  if (value === "" && !field.can_be_empty) return undo(field);
  field.is_sent = true;
  field.is_typed = !(await ask(field.line(value), (reason) => refuse(field, reason)));
  field.is_sent = false;
  if (field.is_typed) return;
  refuse(field, "");
  // The game with the new setting may have come before the answer.
  show(game);
}

function undo(field) {
  field.is_typed = false;
  refuse(field, "");
  show(game);
}

// Shows why a text was refused; an empty reason shows that it was not.
function refuse(field, reason) {
  field.problem.textContent = reason;
  field.input.setAttribute("aria-invalid", String(reason !== ""));
}
