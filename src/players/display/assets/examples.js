// The boards of the help, with the marks that the page draws in a game.

import { frame, line, svg, target } from "./marks.js";

let are_marked = false;

// Draws the marks when the help is first opened.
export function show() {
  if (are_marked) return;
  are_marked = true;
  for (const figure of document.querySelectorAll("figure[data-marks]")) {
    mark(figure.querySelector(".board"), JSON.parse(figure.dataset.marks));
  }
}

function mark(board, marks) {
  const top = Number(board.dataset.top);
  const corner = (square) => [square.toLowerCase().charCodeAt(0) - 97, Math.abs(top - Number(square.slice(1)))];
  const under = svg("g", { class: "marks" });
  const over = svg("g", { class: "marks" });
  if (marks.line.length > 0) {
    under.append(line(marks.line.map(corner)));
    const [x, y] = corner(marks.from);
    under.prepend(svg("rect", { class: "chosen", x, y, width: 1, height: 1 }));
    over.append(...target(corner(marks.to), marks.count, marks.is_legal ? "target" : "target blocked"));
  }
  for (const square of marks.group) over.append(frame(corner(square), "group"));
  board.insertBefore(under, board.querySelector(".pieces"));
  board.append(over);
}
