// Marks on boards, measured in squares from the upper left corner.

const namespace = "http://www.w3.org/2000/svg";

export function svg(name, attributes) {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Returns a frame around the square with this corner.
export function frame([x, y], name) {
  return svg("rect", { class: name, x: x + 0.04, y: y + 0.04, width: 0.92, height: 0.92, rx: 0.08 });
}

// Returns the line of a move through squares with these corners.
export function line(corners) {
  const middles = corners.map((corner) => corner.map((each) => each + 0.5).join(" "));
  return svg("path", { class: "line", d: `M${middles.join("L")}` });
}

// Returns a target on the square with this corner, with the number of pieces on the line, if that is not 0.
export function target([x, y], number, name = "target") {
  const circle = svg("circle", { class: name, cx: x + 0.5, cy: y + 0.5, r: 0.22 });
  if (number === 0) return [circle];
  const count = svg("text", { class: "count", x: x + 0.5, y: y + 0.5 });
  count.textContent = number;
  return [circle, count];
}
