// The clocks. The program measures the time that each side has used, or has left by a referee's clock; the page only
// shows the current turn go on.

const sides = ["black", "white"];
const clocks = sides.map((side) => document.getElementById(`clock-${side}`));
let game = null;

export function start() {
  // In a referee's games, the referee measures the time.
  if (clocks[0]) setInterval(tick, 250);
}

// Shows the clocks of a game.
export function show(heard) {
  game = heard;
  if (clocks[0]) tick();
}

function tick() {
  if (game === null) return;
  const { used, left, falls, since } = game.clock;
  sides.forEach((side, place) => {
    const runs = since !== null && game.turn === side;
    const turn = runs ? Math.max(0, Date.now() - since) : 0;
    const time = left[place] === null ? used[place] + turn : Math.max(0, left[place] - (falls ? turn : 0));
    clocks[place].textContent = written(Math.floor(time / 1000)) + (left[place] === null ? "" : " left");
    clocks[place].classList.toggle("running", runs);
  });
}

// Writes a number of seconds as 1:05 or 1:00:05.
function written(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] > 0 ? parts : parts.slice(1);
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
