// Sorts tables when a heading is clicked, and steps through games.

document.documentElement.classList.add("scripted");
document.querySelectorAll("table.sortable").forEach(sortable);
const board = document.getElementById("board");
if (board) stepper(board);

function sortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (heading.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      // Numbers are sorted in descending order first, names in ascending order; the next click reverses the order.
      const number = heading.classList.contains("n") && column > 0;
      const first = number ? "descending" : "ascending";
      const other = number ? "ascending" : "descending";
      const order = heading.getAttribute("aria-sort") === first ? other : first;
      headings.forEach((each) => each.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", order);
      sort(table.tBodies[0], column, order === "ascending" ? 1 : -1);
    });
  });
}

function sort(body, column, sign) {
  const value = (row) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim().replace("½", ".5");
    const number = Number(text);
    return text === "" || Number.isNaN(number) ? text : number;
  };
  const compare = (one, other) =>
    typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  const rows = [...body.rows].map((row) => [value(row), row]);
  rows.sort(([one], [other]) => sign * compare(one, other));
  body.append(...rows.map(([, row]) => row));
}

function stepper(board) {
  const steps = document.getElementById("steps");
  const rows = [...document.querySelectorAll("#turns tr[data-board]")];
  const caption = document.getElementById("caption");
  const pieces = board.querySelector(".pieces");
  const way = board.querySelector(".way");
  const times = document.getElementById("times");
  const now = times && times.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
  const outputs = [...document.querySelectorAll(".player")].map((player) => ({
    player,
    output: player.querySelector("output"),
    end: player.querySelector("output").textContent,
  }));
  let at = rows.length;
  let timer = null;

  const number = (row) => row.id.slice(1);
  const side = (row) => row.cells[1].textContent;
  const move = (row) => row.cells[2].textContent;

  function clocks(row) {
    for (const { player, output, end } of outputs) {
      const own = rows.slice(0, at).filter((each) => side(each) === player.dataset.side && each.querySelector(".left"));
      const last = own.at(-1);
      if (at === rows.length) output.textContent = end;
      else if (end !== "") output.textContent = last ? last.querySelector(".left").textContent + " s" : player.dataset.budget;
      player.classList.toggle("on-move", Boolean(row) && side(row) === player.dataset.side);
    }
  }

  function show(place, scroll) {
    at = Math.max(0, Math.min(rows.length, place));
    const row = rows[at - 1];
    drawPieces(pieces, row ? row.dataset.board : steps.dataset.start);
    way.setAttribute("d", row ? wayOf(board, move(row)) : "");
    const text = row ? `Turn ${number(row)} of ${rows.length}: ${side(row)} ${move(row)}` : "The start";
    caption.textContent = text;
    board.setAttribute("aria-label", "The board. " + text);
    rows.forEach((each, index) => each.classList.toggle("now", index === at - 1));
    clocks(row);
    if (now) {
      const width = 600 / Number(times.dataset.turns);
      now.setAttribute("class", "now");
      now.setAttribute("x", (at - 1) * width);
      now.setAttribute("width", row ? width : 0);
      now.setAttribute("height", 120);
    }
    const box = row && row.closest(".scroll");
    if (scroll && box) {
      const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
      if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) {
        box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
      }
    }
  }

  function run(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (at < rows.length ? show(at + 1, true) : run(false)), 700) : null;
    steps.querySelector("[data-go=run]").setAttribute("aria-pressed", String(on));
  }

  function go(where) {
    const playing = timer !== null;
    run(false);
    if (where === "first") show(0, true);
    if (where === "back") show(at - 1, true);
    if (where === "on") show(at + 1, true);
    if (where === "last") show(rows.length, true);
    if (where === "run" && !playing) {
      if (at === rows.length) show(0, true);
      run(true);
    }
  }

  steps.hidden = false;
  steps.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(button.dataset.go);
  });
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", p: "run", P: "run" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  rows.forEach((row, index) => row.addEventListener("click", () => show(index + 1, false)));
  const target = () => {
    const place = rows.findIndex((row) => "#" + row.id === location.hash);
    if (place >= 0) show(place + 1, true);
    return place >= 0;
  };
  window.addEventListener("hashchange", target);
  if (!target()) show(rows.length, false);
}
