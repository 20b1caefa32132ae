import type { Agent, Work } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { commandLine, rightsOf } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { probe } from "./probe.ts";
import { beginHeard, type Heard, readLine } from "./read.ts";
import { writableFor } from "./writable.ts";

const driverFor = ({ prompt, instructions }: Work): HeadlessDriver<Heard> => ({
  commandLine: (work) => commandLine(work, writableFor(work)),
  begin: () => beginHeard(prompt.length + instructions.length),
  read: readLine,
  conclude: (state, exit) => conclude(state, exit, new Date()),
  isOver: ({ end, noSandbox }) => end !== undefined || noSandbox !== undefined,
});

export const codex: Agent = {
  id: "codex",
  name: "Codex",
  driver: "headless",
  rights: rightsOf,
  probe,
  run: (work, on, stop) => runHeadless(driverFor(work), work, on, stop),
};
