import { Worker } from "node:worker_threads";

/** Longer than any input takes on a busy machine. */
const LIMIT_MS = 60_000;

const WATCH = `
  const { workerData } = require("node:worker_threads");
  const { writeSync } = require("node:fs");
  const beats = new Int32Array(workerData.beats);
  let last = -1;
  setInterval(() => {
    const beat = Atomics.load(beats, 0);
    if (beat === last) {
      const name = Buffer.from(new Uint8Array(workerData.name)).toString().replace(/\\0+$/, "");
      writeSync(2, "hangs: " + name + "\\n");
      process.kill(process.pid, "SIGKILL");
    }
    last = beat;
  }, workerData.limit);
`;

/**
 * A second pair of eyes: a call that waits for a file forever cannot be ended from within its own thread. If nothing
 * moves for a minute, the whole process is ended, with the name of what was last begun.
 */
export function watch(): { readonly begin: (name: string) => void; readonly end: () => void } {
  const beats = new SharedArrayBuffer(4);
  const name = new SharedArrayBuffer(200);
  const worker = new Worker(WATCH, { eval: true, workerData: { beats, name, limit: LIMIT_MS } });
  worker.unref();
  const count = new Int32Array(beats);
  const bytes = new Uint8Array(name);
  return {
    begin(what) {
      bytes.fill(0);
      bytes.set(Buffer.from(what).subarray(0, bytes.length));
      Atomics.add(count, 0, 1);
    },
    end: () => void worker.terminate(),
  };
}
