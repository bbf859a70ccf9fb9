// Calls of the engine's exports with wild arguments. Each one must return; a trap is an exception, which ends the test.
"use strict";

const REQUESTS = [
  "state checkers\nstart W:W21,22,K30:B1,2,11\nmoves 21-17",
  "search checkers\nmoves 11-15 22-18 15x22\nlines 3",
  "search checkers\nstart W:WK30,K31:BK11",
  "state loa\nmoves b1-b3 a3-c5",
  "search loa\nmoves b1-b3\nlines 2\nmilliseconds 20",
  "search loa\nstart -b------/--------/w-------/--------/---b----/--------/------w-/-------- white",
];
const NUMBERS = [0, 1, 2, 3, 7, 40, 1000, 2 ** 17 + 1, 2 ** 26, 2 ** 26 + 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, -1, 1.5, NaN,
  Infinity, undefined, "12", null];
const PIECES = [" ", "\n", ",", ":", "-", "x", "K", "99999999999999999999", "-1", "start ", "moves ", "lines ", "\u0000",
  "\u00e9", "nodes ", "milliseconds ", "B:W", "/w", "bbbbbbbbb", "1.5"];

// A generator of numbers from 0 to 2^32 - 1: xorshift32.
function generator(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function textAt({ memory }, address, length) {
  return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(memory.buffer, address >>> 0, length >>> 0));
}

// Starts an engine with all parts. `searches` and `errors` count its answers.
async function start() {
  const read = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
  const engine = { searches: 0, states: 0, errors: 0 };
  const page = {
    now: () => performance.now(),
    report: (address, length) => JSON.parse(textAt(engine.exports, address, length)),
  };
  engine.exports = (await WebAssembly.instantiate(await read("engine.wasm"), { page })).instance.exports;
  engine.parts = await Promise.all(["checkers.weights", "loa.weights", "checkers.tables"].map(read));
  engine.parts.forEach((bytes, part) => load(engine, part, bytes));
  if (engine.errors > 0) throw new Error("the parts were refused");
  return engine;
}

// Writes bytes to the engine's memory. Returns false if there is no room for them.
function give({ exports }, bytes) {
  const address = exports.reserve(bytes.length) >>> 0;
  if (address === 0) return false;
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  return true;
}

function load(engine, part, bytes) {
  if (give(engine, bytes) && engine.exports.load(part, bytes.length) !== 0) engine.errors += 1;
}

function ask(engine, bytes) {
  give(engine, bytes);
  hear(engine, engine.exports.answer(bytes.length));
}

// Counts an answer, which must be JSON.
function hear(engine, length) {
  const answer = JSON.parse(textAt(engine.exports, engine.exports.output(), length));
  if (answer.error !== undefined) engine.errors += 1;
  else if (answer.lines !== undefined) engine.searches += 1;
  else engine.states += 1;
}

// Changes some bytes. The last line bounds a search.
function mutated(bytes, random) {
  let list = [...bytes];
  for (let count = random(4); count > 0; count -= 1) {
    const [place, length] = [random(list.length + 1), random(12)];
    const piece = new TextEncoder().encode(PIECES[random(PIECES.length)]);
    const kinds = [
      () => list.splice(place, length),
      () => list.splice(place, 0, ...piece),
      () => list.splice(place, 0, ...list.slice(random(list.length + 1))),
      () => list.splice(place, 1, random(256)),
      () => list.splice(place, length, ...piece),
    ];
    kinds[random(kinds.length)]();
  }
  return new Uint8Array([...list, ...new TextEncoder().encode("\nnodes 50")]);
}

// Calls exports with arguments of any type, in any order. Requests are of zeros: others could be searches without end.
function call(engine, random) {
  const { exports } = engine;
  const any = () => NUMBERS[random(NUMBERS.length)];
  const calls = [
    () => exports.reserve(any()),
    () => exports.load(any(), any()),
    () => exports.output(),
    () => {
      exports.reserve(any());
      hear(engine, exports.answer(any()));
    },
  ];
  calls[random(calls.length)]();
}

// Gives the engine a part with a changed or missing byte, or a part of another kind.
function damage(engine, random) {
  const bytes = engine.parts[random(3)].slice();
  bytes[random(random(2) === 0 ? 64 : bytes.length)] ^= 1 + random(255);
  load(engine, random(3), random(2) === 0 ? bytes : bytes.slice(0, random(bytes.length)));
}

// Makes `count` wild calls.
function wild(engine, seed, count) {
  const random = generator(seed);
  for (let calls = 0; calls < count; calls += 1) {
    const kind = random(100);
    if (kind < 2) damage(engine, random);
    else if (kind < 50) call(engine, random);
    else ask(engine, mutated(new TextEncoder().encode(REQUESTS[random(REQUESTS.length)]), random));
  }
}
