// Short clicks for moves, if a person wants them.

const toggle = document.getElementById("sound");
let audio = null;

export function start() {
  toggle.checked = localStorage.getItem("sound") === "yes";
  toggle.addEventListener("change", () => {
    localStorage.setItem("sound", toggle.checked ? "yes" : "no");
    click(500);
  });
}

// Plays a click if moves have been made since the earlier state of the game.
export function hear(before, game) {
  if (before === null || before.serial !== game.serial || game.moves.length <= before.moves.length) return;
  click(game.moves.at(-1).captures ? 250 : 500);
}

// Plays a click of this pitch in hertz.
function click(pitch) {
  if (!toggle.checked) return;
  audio ??= new AudioContext();
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.3, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.08);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.08);
}
