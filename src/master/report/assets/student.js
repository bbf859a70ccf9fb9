// Steps through the games of a student's page.

document.querySelectorAll("figure.game").forEach((game) => {
  const list = (name, sign) => (game.dataset[name] ? game.dataset[name].split(sign) : []);
  const [boards, moves, clocks] = [list("boards", " "), list("moves", "|"), list("clocks", "|")];
  const random = Number(game.dataset.random);
  const sides = game.dataset.first === "Black" ? ["Black", "White"] : ["White", "Black"];
  const board = game.querySelector("svg.board");
  const caption = game.querySelector("figcaption");
  const steps = game.querySelector(".steps");
  const graph = game.querySelector(".chances");
  const faults = graph ? [...game.parentElement.querySelectorAll(".faults li")] : [];
  let at = moves.length;

  function show(turn) {
    at = Math.max(0, Math.min(moves.length, turn));
    drawPieces(board.querySelector(".pieces"), boards[at]);
    board.querySelector(".way").setAttribute("d", at ? wayOf(board, moves[at - 1]) : "");
    const clock = at > random ? ", " + clocks[at - 1 - random] : ", random opening";
    const text = at ? `Turn ${at} of ${moves.length}: ${sides[(at - 1) % 2]} ${moves[at - 1]}${clock}` : "The start";
    caption.textContent = text;
    board.setAttribute("aria-label", "The board. " + text);
    faults.forEach((fault) => fault.classList.toggle("now", Number(fault.dataset.turn) === at));
    const here = graph && graph.querySelector(".here");
    if (here) for (const end of ["x1", "x2"]) here.setAttribute(end, at * Number(graph.dataset.step));
  }

  steps.hidden = false;
  steps.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    show({ first: 0, back: at - 1, on: at + 1, last: moves.length }[button.dataset.go]);
  });
  faults.forEach((fault) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...fault.firstElementChild.childNodes);
    fault.firstElementChild.append(button);
    button.addEventListener("click", () => show(Number(fault.dataset.turn)));
  });
  show(at);
});
