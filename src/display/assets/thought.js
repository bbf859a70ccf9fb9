// The state of the search, and the switch that hides it.

const bar = document.querySelector("#bar div");
const text = document.getElementById("thought");
const hinted = document.getElementById("hinted");
const toggle = document.getElementById("show-thought");

export function start() {
  toggle.checked = localStorage.getItem("silent") !== "yes";
  const apply = () => {
    document.body.classList.toggle("silent", !toggle.checked);
    localStorage.setItem("silent", toggle.checked ? "no" : "yes");
  };
  toggle.addEventListener("change", apply);
  apply();
}

export function is_shown() {
  return toggle.checked;
}

// Shows the state of the search. The last score stays when the search ends.
export function show(thought) {
  if (thought === null) return;
  // If neither side is ahead, half of the bar is Black's.
  bar.style.transform = `scaleX(${0.5 + 0.5 * thought.share})`;
  const nodes = thought.nodes.toLocaleString("en");
  text.textContent = `Black ${thought.score}, depth ${thought.depth}, ${nodes} nodes: ${thought.line.join(" ")}`;
}

// Shows a hint, or none.
export function hint(given) {
  hinted.textContent = given ? `Hint: ${given.from}-${given.to}, ${given.why}` : "";
}

// Forgets the last game.
export function clear() {
  bar.style.transform = "";
  text.textContent = "Not thinking";
}
