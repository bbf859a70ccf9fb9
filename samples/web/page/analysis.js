// What a search has found: its depth, and its best lines with their scores.

const depth = document.getElementById("depth");
const found = document.getElementById("found");

export function show(report) {
  const nodes = report.nodes.toLocaleString("en");
  depth.textContent = report.known ?? `Depth ${report.depth}, ${nodes} nodes. Scores are Black's.`;
  found.replaceChildren(...report.lines.map(item));
}

function item(line) {
  const item = document.createElement("li");
  const score = document.createElement("b");
  score.textContent = line.score;
  item.append(score, ` ${line.moves}`);
  return item;
}

export function clear(text) {
  depth.textContent = text;
  found.replaceChildren();
}
