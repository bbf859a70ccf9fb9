// Problems, such as the reason why a command was refused.

const list = document.getElementById("problems");
let timer = 0;

// Shows a problem for a while, until the next one, or until something succeeds.
export function complain(text) {
  const problem = document.createElement("p");
  problem.textContent = text;
  list.replaceChildren(problem);
  clearTimeout(timer);
  timer = setTimeout(calm, 12000);
}

// Shows no problem.
export function calm() {
  list.replaceChildren();
}
