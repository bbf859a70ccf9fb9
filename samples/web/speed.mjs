// Nodes a second of the page's engine: `node speed.mjs FOLDER`, with the folder of the built page. See speed.rs.

import { readFileSync } from "node:fs";

const folder = process.argv[2];
const searches = 8;
const nodes = 1_000_000;
const page = { now: () => performance.now(), report: () => {} };
const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/engine.wasm`), { page });
const engine = instance.exports;

function give(bytes) {
  const address = engine.reserve(bytes.length) >>> 0;
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
}

["checkers.weights", "loa.weights", "checkers.tables"].forEach((name, part) => {
  const bytes = readFileSync(`${folder}/${name}`);
  give(bytes);
  if (engine.load(part, bytes.length) !== 0) throw new Error(name);
});
for (const game of ["checkers", "loa"]) {
  const start = process.cpuUsage();
  let moves = "";
  for (let count = 0; count < searches; count += 1) {
    const request = new TextEncoder().encode(`search ${game}\nmoves${moves}\nnodes ${nodes}`);
    give(request);
    const length = engine.answer(request.length);
    const text = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.output() >>> 0, length));
    const answer = JSON.parse(text);
    if (answer.nodes !== nodes) throw new Error(text);
    moves += ` ${answer.best}`;
  }
  const { user, system } = process.cpuUsage(start);
  const rate = ((nodes * searches) / (user + system)).toFixed(2);
  console.log(`${game}: ${rate} million nodes a second of CPU time;${moves}`);
}
