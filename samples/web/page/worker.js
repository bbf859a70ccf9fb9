// A worker with an engine: loads it, then answers one request after another.
"use strict";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let engine = null;
// Number of the request that is being answered.
let current = 0;

// Returns the text at an address of the engine's memory. Addresses may arrive as negative numbers.
function textAt(address, length) {
  return decoder.decode(new Uint8Array(engine.memory.buffer, address >>> 0, length >>> 0));
}

// Writes bytes into the engine's memory.
function give(bytes) {
  const address = engine.reserve(bytes.length) >>> 0;
  if (address === 0) throw new Error(`no room for ${bytes.length} bytes`);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
}

// Functions that the engine calls.
const page = {
  now: () => performance.now(),
  report: (address, length) => postMessage({ id: current, report: JSON.parse(textAt(address, length)) }),
};

// Starts the engine from its code, and gives it its parts: lists of a number and bytes.
async function load({ code, parts }) {
  engine = (await WebAssembly.instantiate(code, { page })).instance.exports;
  for (const [number, bytes] of parts) {
    give(bytes);
    const length = engine.load(number, bytes.length);
    if (length !== 0) throw new Error(textAt(engine.output(), length));
  }
}

function answer(request) {
  const bytes = encoder.encode(request);
  give(bytes);
  const length = engine.answer(bytes.length);
  return JSON.parse(textAt(engine.output(), length));
}

// Messages wait for those before them.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(async () => {
    current = data.id;
    try {
      postMessage({ id: data.id, answer: data.load ? await load(data.load) : answer(data.request) });
    } catch (error) {
      postMessage({ id: data.id, failed: String(error.message ?? error) });
    }
  });
};
