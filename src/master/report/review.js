
// Shows the turn on the graph of winning chances; a click on the graph goes to a turn.
const graph = document.querySelector(".stage .chances");
if (graph) follow(graph);

function follow(graph) {
  const here = graph.querySelector(".here");
  const rows = [...document.querySelectorAll("#turns tr[data-board]")];
  const mark = () => {
    const at = rows.findIndex((row) => row.classList.contains("now")) + 1;
    for (const end of ["x1", "x2"]) here.setAttribute(end, at * Number(graph.dataset.step));
  };
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const at = Math.round(((event.clientX - box.left) / box.width) * rows.length);
    rows[Math.max(0, at - 1)]?.click();
  });
  new MutationObserver(mark).observe(document.getElementById("turns"), { attributeFilter: ["class"], subtree: true });
  mark();
}
