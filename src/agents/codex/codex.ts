import type { Agent } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { commandLine, rightsOf, writableFor } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { probe } from "./probe.ts";
import { beginHeard, type Heard, readLine } from "./read.ts";

const driver: HeadlessDriver<Heard> = {
  commandLine: (work) => commandLine(work, writableFor(work)),
  begin: ({ prompt, instructions }) => beginHeard(prompt.length + instructions.length),
  read: readLine,
  conclude,
  isOver: ({ end, noSandbox }) => end !== undefined || noSandbox !== undefined,
};

export const codex: Agent = {
  id: "codex",
  name: "Codex",
  driver: "headless",
  rights: rightsOf,
  probe,
  run: (work, on, stop) => runHeadless(driver, work, on, stop),
};
