// Engines in workers, which answer requests.

import { bytes, worker } from "./files.js";

// Files of the parts that an engine needs to search, with the numbers that it knows them by.
const PARTS = {
  checkers: [[2, "checkers.tables"], [0, "checkers.weights"]],
  loa: [[1, "loa.weights"]],
};
// Promises of the bytes of files. A file is read once; after a failure it is read again.
const read = new Map();

function file(name) {
  if (!read.has(name)) {
    const reading = bytes(name);
    reading.catch(() => read.delete(name));
    read.set(name, reading);
  }
  return read.get(name);
}

// Creates an engine. For the name of a game it can search; with null it only knows the rules.
export function engine(game) {
  let started = null;
  // Number of the stops so far: a start that takes time is given up if a stop comes first.
  let stops = 0;
  let serial = 0;
  // Requests that wait for an answer: how to settle or refuse them, and where their iterations are reported.
  const waiting = new Map();

  function hear({ data }) {
    const request = waiting.get(data.id);
    if (!request) return;
    if (data.report) return request.report(data.report);
    // An engine that has failed may be in any state.
    if (data.failed) return fail(data.failed);
    waiting.delete(data.id);
    request.settle(data.answer);
  }

  function post(message, report) {
    const id = ++serial;
    return new Promise((settle, refuse) => {
      waiting.set(id, { settle, refuse, report });
      started.postMessage({ id, ...message });
    });
  }

  // Starts the worker. The promise ends when the engine has its parts, or when it was stopped.
  async function start() {
    const stopped = stops;
    const names = game === null ? [] : PARTS[game];
    const [code, ...parts] = await Promise.all(["engine.wasm", ...names.map(([, name]) => name)].map(file));
    if (stops !== stopped || started) return;
    started = worker();
    started.onmessage = hear;
    started.onerror = (event) => fail(event.message || "its script could not be loaded");
    await post({ load: { code, parts: names.map(([number], place) => [number, parts[place]]) } });
  }

  // Ends the worker. Every request in progress fails.
  function fail(problem) {
    for (const request of waiting.values()) request.refuse(new Error(problem));
    stop();
  }

  // Ends the worker, and with it the requests in progress, whose promises then give null.
  function stop() {
    stops += 1;
    for (const request of waiting.values()) request.settle(null);
    waiting.clear();
    started?.terminate();
    started = null;
  }

  // Returns the promise of an answer, which has an `error` if the request was wrong; null if the request was stopped. The
  // promise fails if the engine does. `report` is called for each iteration.
  async function ask(request, report = () => {}) {
    const stopped = stops;
    if (!started) await start();
    return stops === stopped ? post({ request }, report) : null;
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
