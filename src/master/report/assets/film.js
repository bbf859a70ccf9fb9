// Steps through a game: the board, the clocks beside it, and the marks in the table, the chart and the graph.
"use strict";

function film(game, rows, names) {
  const board = document.getElementById("board");
  const [steps, caption, times] = ["steps", "caption", "times"].map((id) => document.getElementById(id));
  const graph = document.querySelector(".chances");
  const players = [...document.querySelectorAll(".player")];
  players.forEach((player, index) => (player.querySelector(".side").textContent = names[index]));
  let place = rows.length;
  let timer = null;

  function clocks(turn) {
    players.forEach((player, index) => {
      const own = rows.slice(0, place).filter((each) => each.turn.side === player.dataset.side && !each.turn.isRandom);
      const left = place === rows.length ? game.left[index] : own.length ? own.at(-1).turn.left : game.budgets[index];
      player.querySelector("output").textContent = left === null ? "" : `${seconds(left)} s`;
      player.classList.toggle("on-move", turn?.side === player.dataset.side);
    });
  }

  function show(to, scroll) {
    place = Math.max(0, Math.min(rows.length, to));
    const turn = rows[place - 1]?.turn;
    drawPieces(board.querySelector(".pieces"), turn ? turn.board : game.start);
    board.querySelector(".way").setAttribute("d", turn ? wayOf(board, turn.move) : "");
    const text = turn ? `Turn ${turn.number} of ${game.turns.length}: ${sideName(turn)} ${turn.move}` : "The start";
    caption.textContent = text;
    board.setAttribute("aria-label", "The board. " + text);
    rows.forEach(({ row }, index) => row.classList.toggle("now", index === place - 1));
    clocks(turn);
    const now = times?.querySelector(".now");
    if (now) {
      const width = 600 / game.turns.length;
      now.setAttribute("x", turn ? (turn.number - 1) * width : 0);
      now.setAttribute("width", turn ? width : 0);
    }
    const here = graph?.querySelector(".here");
    if (here) for (const end of ["x1", "x2"]) here.setAttribute(end, (place * 600) / Math.max(1, rows.length));
    if (scroll && turn) keepInView(rows[place - 1].row);
  }

  function keepInView(row) {
    const box = row.closest(".scroll");
    const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
  }

  function run(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (place < rows.length ? show(place + 1, true) : run(false)), 700) : null;
    steps.querySelector("[data-go=run]").setAttribute("aria-pressed", String(on));
  }

  function step(where) {
    const playing = timer !== null;
    run(false);
    if (where === "first") show(0, true);
    if (where === "back") show(place - 1, true);
    if (where === "on") show(place + 1, true);
    if (where === "last") show(rows.length, true);
    if (where === "run" && !playing) {
      if (place === rows.length) show(0, true);
      run(true);
    }
  }

  rows.forEach(({ row }, index) => {
    row.classList.add("shown");
    row.addEventListener("click", () => show(index + 1, false));
  });
  graph?.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    show(Math.round(((event.clientX - box.left) / box.width) * rows.length), true);
  });
  return {
    step,
    stop: () => run(false),
    // Shows a turn, or the last one before it that has a move.
    go: (number, scroll) => show(rows.filter(({ turn }) => turn.number <= number).length, scroll),
  };
}

// Connects the buttons and keys to the game on the page.
function connect(current) {
  document.getElementById("steps").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) current()?.step(button.dataset.go);
  });
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", p: "run", P: "run" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
    event.preventDefault();
    current()?.step(keys[event.key]);
  });
}
