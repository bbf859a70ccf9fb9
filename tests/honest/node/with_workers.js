// Workers that count in shared memory, and a process that plays.
const { execFileSync } = require("child_process");
const { Worker, isMainThread, workerData } = require("worker_threads");

if (isMainThread) {
  const counters = new Int32Array(new SharedArrayBuffer(4));
  const workers = [1, 2, 3, 4].map(() => new Promise((resolve, reject) => {
    new Worker(__filename, { workerData: counters }).on("exit", resolve).on("error", reject);
  }));
  Promise.all(workers).then(() => {
    if (Atomics.load(counters, 0) !== 4000) throw new Error(`counted ${counters[0]}`);
    execFileSync(process.execPath, ["plain.js"]);
  });
} else {
  for (let i = 0; i < 1000; i++) Atomics.add(workerData, 0, 1);
}
