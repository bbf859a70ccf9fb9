// Engines in workers, which answer requests.

import { bytes, worker } from "./files.js";

// Files of the parts that an engine needs to search, with the numbers that it knows them by.
const PARTS = {
  checkers: [[2, "checkers.tables"], [0, "checkers.weights"]],
  loa: [[1, "loa.weights"]],
};
// Promises of the bytes of files, each read once.
const read = new Map();

function file(name) {
  if (!read.has(name)) read.set(name, bytes(name));
  return read.get(name);
}

// Creates an engine. For the name of a game it can search; with null it only knows the rules.
export function engine(game) {
  let started = null;
  let serial = 0;
  // Requests that wait for an answer: how to settle them, and who hears of iterations.
  const waiting = new Map();

  function hear({ data }) {
    const request = waiting.get(data.id);
    if (!request) return;
    if (data.report) return request.report(data.report);
    waiting.delete(data.id);
    const problem = data.failed ?? data.answer?.error;
    if (problem) request.refuse(new Error(problem));
    else request.settle(data.answer);
    // An engine that has failed may be in any state.
    if (data.failed) stop();
  }

  function post(message, report) {
    const id = ++serial;
    return new Promise((settle, refuse) => {
      waiting.set(id, { settle, refuse, report });
      started.postMessage({ id, ...message });
    });
  }

  // Starts the worker. The promise ends when the engine has its parts.
  async function start() {
    const names = game === null ? [] : PARTS[game];
    const code = await file("engine.wasm");
    const parts = await Promise.all(names.map(async ([number, name]) => [number, await file(name)]));
    if (started) return;
    started = worker();
    started.onmessage = hear;
    started.onerror = (event) => {
      for (const request of waiting.values()) request.refuse(new Error(event.message));
      stop();
    };
    await post({ load: { code, parts } });
  }

  // Ends the worker, and with it the request in progress, whose promise then gives null.
  function stop() {
    for (const request of waiting.values()) request.settle(null);
    waiting.clear();
    started?.terminate();
    started = null;
  }

  // Returns the promise of an answer; null if the request was stopped. `report` is called for each iteration.
  async function ask(request, report = () => {}) {
    if (!started) await start();
    return started ? post({ request }, report) : null;
  }

  return { ask, stop };
}

// Returns the text of a request about a game.
export function request(question, { game, start, moves }, limits = []) {
  const lines = [`${question} ${game}`, ...limits];
  if (start) lines.push(`start ${start}`);
  if (moves.length > 0) lines.push(`moves ${moves.join(" ")}`);
  return lines.join("\n");
}
