// Writes a game as PDN or SGF, as the referee does.
"use strict";

function transcript(game) {
  return isCheckers() ? pdn(game) : sgf(game);
}

// Further facts: names that serve as PDN tags, each with one or more lines.
function remarks(game) {
  const seconds = (time) => (time === null ? [] : [`${time / 1e6} s`]);
  const side = (number) => game.turns[number - 1].side;
  const faults = (game.more.faults || []).map(([number, kind, read, expected]) => `${side(number)} in turn ${number}: ${kind}: ${read}, expected ${expected}`);
  const notes = (game.more.notes || []).map(([number, text]) => `${side(number)} in turn ${number}: ${text}`);
  return [
    ["Termination", [game.verdict]],
    ["BlackTime", seconds(game.budgets[0])],
    ["WhiteTime", seconds(game.budgets[1])],
    ["RandomTurns", [String(game.random)]],
    ["Seed", [game.seed]],
    ["Measured", [game.tier]],
    ["Faults", faults],
    ["Notes", notes],
  ].filter(([, lines]) => lines.length);
}

const playerNames = (game) => game.agents.map((agent) => tournament().agents[agent][0]);

function pdn(game) {
  const code = game.winner ? ["1-0", "0-1"][game.winner - 1] : "1/2-1/2";
  const [black, white] = playerNames(game);
  const about = [["Event", tournament().league], ["Black", black], ["White", white], ["Result", code]];
  const tags = [...about, ...remarks(game).map(([name, lines]) => [name, lines.join("; ")]), ["GameType", "21"]];
  if (game.more.start || game.more.first) tags.push(["SetUp", "1"], ["FEN", fen(game)]);
  const escaped = (text) => text.replace(/[\\"]/g, (sign) => "\\" + sign);
  const words = [];
  let number = 1;
  game.turns.filter((turn) => turn.path).forEach((turn, index) => {
    if (turn.side === "Black" || index === 0) words.push(turn.side === "Black" ? `${number}.` : `${number}...`);
    words.push(turn.path.map(squareNumber).join(turn.takes ? "x" : "-"));
    if (!turn.isRandom && turn.left !== null) words.push(...clock(turn.left).split(" "));
    if (turn.side === "White") number++;
  });
  let [text, column] = ["", 0];
  for (const word of [...words, code]) {
    const wraps = column === 0 || column + 1 + word.length > 80;
    text += (wraps ? "\n" : " ") + word;
    column = (wraps ? 0 : column + 1) + word.length;
  }
  return tags.map(([name, value]) => `[${name} "${escaped(value)}"]\n`).join("") + text + "\n";
}

// Squares are numbered from 1 to 32, from the upper left corner.
const squareNumber = (square) => Math.floor(square / 2) + 1;

function fen(game) {
  const squares = squaresOf(game.start);
  const side = (man) => man.toUpperCase() + squares.flatMap((piece, square) =>
    piece.toLowerCase() === man ? [(piece === man ? "" : "K") + squareNumber(square)] : []).join(",");
  return `${game.more.first === "White" ? "W" : "B"}:${side("w")}:${side("b")}`;
}

function clock(left) {
  const [minutes, hours] = [Math.floor(left / 6e7), Math.floor(left / 3.6e9)];
  const rest = left % 6e7;
  const micros = String(rest % 1e6).padStart(6, "0").replace(/0+$/, "");
  const two = (number) => String(number).padStart(2, "0");
  return `{[%clk ${hours}:${two(minutes % 60)}:${two(Math.floor(rest / 1e6))}${micros ? "." + micros : ""}]}`;
}

function sgf(game) {
  const { size, program, league } = tournament();
  const escaped = (text) => text.replace(/[\\\]]/g, (sign) => "\\" + sign);
  const property = (name, text) => (text ? `${name}[${escaped(text)}]` : "");
  const [black, white] = playerNames(game);
  const result = game.winner ? `RE[${"BW"[game.winner - 1]}+]` : tournament().game === "loa6" ? "" : "RE[Draw]";
  const comment = remarks(game).flatMap(([name, lines]) => lines.map((line) => `${name}: ${line}`)).join("\n");
  const name = (square) => String.fromCharCode(97 + (square % size)) + (size - Math.floor(square / size));
  let text = `(;FF[4]GM[9]CA[UTF-8]AP[${program}]SZ[${size}]${property("EV", league)}${property("PB", black)}${property("PW", white)}`;
  text += `${result}\n${property("GC", comment)}\n`;
  if (game.more.start) {
    const placed = ["b", "w"].map((piece) => squaresOf(game.start).map((each, square) => (each === piece ? `[${name(square)}]` : "")).join(""));
    text += `SU[Custom]AB${placed[0]}AW${placed[1]}PL[${game.more.first === "White" ? "W" : "B"}]`;
  } else if (game.more.first === "White") text += "PL[W]";
  game.turns.filter((turn) => turn.path).forEach((turn, index) => {
    const letter = turn.side[0];
    const micros = String(turn.left % 1e6).padStart(6, "0");
    text += (index % 8 ? "" : "\n") + `;${letter}[${turn.path.map(name).join(turn.takes ? ":" : "-")}]`;
    if (!turn.isRandom && turn.left !== null) text += `${letter}L[${Math.floor(turn.left / 1e6)}.${micros}]`;
  });
  return text + ")\n";
}
