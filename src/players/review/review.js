// Steps through reviewed games.

document.documentElement.classList.add("scripted");
document.querySelectorAll(".review").forEach(reviewed);

function reviewed(review) {
  const board = review.querySelector(".board");
  const [pieces, way] = [board.querySelector(".pieces"), board.querySelector(".way")];
  const [list, comment] = [review.querySelector(".review-moves"), review.querySelector(".review-comment")];
  const [graph, steps] = [review.querySelector(".chances"), review.querySelector(".review-steps")];
  const here = graph.querySelector(".here");
  const moves = [...list.children];
  const isFault = (move) => ["inaccuracy", "mistake", "blunder"].some((mark) => move.classList.contains(mark));
  // Number of moves made on the shown board.
  let at = moves.length;

  function show(place, scrolls) {
    at = Math.max(0, Math.min(moves.length, place));
    const move = moves[at - 1];
    drawPieces(pieces, move ? move.dataset.board : list.dataset.start);
    way.setAttribute("d", move ? wayOf(board, move.dataset.path) : "");
    const words = move ? [...move.children].slice(0, 2).map((part) => part.textContent).join(" ") : "The start";
    const judgment = move?.querySelector(".judgment");
    comment.textContent = judgment ? words + " " + judgment.textContent : words;
    board.setAttribute("aria-label", "The board. " + words);
    moves.forEach((each, index) => {
      each.classList.toggle("now", index === at - 1);
      if (index === at - 1) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    });
    for (const end of ["x1", "x2"]) here.setAttribute(end, at * Number(graph.dataset.step));
    if (scrolls && move) {
      const [inner, outer] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom) {
        list.scrollTop += inner.top - outer.top - list.clientHeight / 2;
      }
    }
  }

  function go(where) {
    if (where === "first") show(0, true);
    if (where === "back") show(at - 1, true);
    if (where === "on") show(at + 1, true);
    if (where === "last") show(moves.length, true);
    if (where === "fault") {
      const next = moves.findIndex((move, index) => index >= at && isFault(move));
      show(next < 0 ? moves.length : next + 1, true);
    }
  }

  steps.hidden = false;
  steps.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(button.dataset.go);
  });
  moves.forEach((move, index) => move.addEventListener("click", () => show(index + 1, false)));
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    show(Math.round(((event.clientX - box.left) / box.width) * moves.length), true);
  });
  // Keys step through the game on which the reader is.
  review.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  const linked = () => {
    const place = moves.findIndex((move) => "#" + move.id === location.hash);
    if (place >= 0) show(place + 1, true);
    return place >= 0;
  };
  window.addEventListener("hashchange", linked);
  const first = moves.findIndex(isFault);
  if (!linked()) show(first < 0 ? moves.length : first + 1, true);
}
