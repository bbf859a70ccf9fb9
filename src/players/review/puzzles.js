// Plays the solutions of puzzles.

document.querySelectorAll(".puzzle").forEach(solved);

function solved(puzzle) {
  const board = puzzle.querySelector(".board");
  const [pieces, way] = [board.querySelector(".pieces"), board.querySelector(".way")];
  const group = puzzle.querySelector(".puzzle-steps");
  const steps = [...group.querySelectorAll(".step")];
  const task = board.getAttribute("aria-label");
  // Number of moves made on the shown board.
  let at = 0;

  function show(place) {
    at = Math.max(0, Math.min(steps.length, place));
    const step = steps[at - 1];
    drawPieces(pieces, step ? step.dataset.board : group.dataset.start);
    way.setAttribute("d", step ? wayOf(board, step.dataset.path) : "");
    board.setAttribute("aria-label", step ? "The board after " + step.textContent : task);
    steps.forEach((each, index) => each.classList.toggle("now", index === at - 1));
  }

  group.hidden = false;
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(at + (button.dataset.go === "on" ? 1 : -1));
  });
  // A folded answer hides the solution on the board as well.
  puzzle.querySelector("details").addEventListener("toggle", (event) => {
    if (!event.target.open) show(0);
  });
}
