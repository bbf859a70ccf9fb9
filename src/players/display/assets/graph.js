// A graph of the score over the game, as the machine saw it at its moves. A click on it shows the nearest of them.

const graph = document.getElementById("graph");
const [curve, dots, now] = ["curve", "dots", "now"].map((name) => graph?.querySelector(`.${name}`));
// Numbers of the moves with a score, and the width of the graph in moves.
let scored = [];
let width = 1;

// Calls `view(moves)` to show the position after this number of moves.
export function start(view) {
  graph?.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const moves = ((event.clientX - box.left) / box.width) * (width + 1) - 0.5;
    const nearest = scored.toSorted((one, other) => Math.abs(one - moves) - Math.abs(other - moves))[0];
    if (nearest !== undefined) view(nearest);
  });
}

// Shows the scores of a game, and marks the position after `at` moves.
export function show(game, at) {
  if (!graph) return;
  const shares = game.moves.map((move) => move.share);
  scored = shares.flatMap((share, place) => (share === null ? [] : [place + 1]));
  width = Math.max(game.moves.length, 10);
  graph.setAttribute("viewBox", `-0.5 -1.15 ${width + 1} 2.3`);
  const points = scored.map((moves) => `${moves} ${-shares[moves - 1]}`);
  curve.setAttribute("d", points.length > 0 ? `M${points.join("L")}` : "");
  // A round cap makes a dot of a line without length, however the graph is stretched.
  dots.setAttribute("d", points.map((point) => `M${point}h0`).join(""));
  now.setAttribute("d", `M${at} -1.15V1.15`);
  graph.setAttribute("aria-label", inWords(shares));
}

function inWords(shares) {
  const last = scored.at(-1);
  if (last === undefined) return "Score over the game: none yet";
  const share = shares[last - 1];
  return `Score over the game, for Black from -1 to 1: ${share.toFixed(2)} after move ${last}`;
}
