import type { Agent, Work } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { commandLine, rightsOf } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { probe } from "./probe.ts";
import { beginHeard, type Heard, readLine } from "./read.ts";
import { planUsageFile, takeUsageFile } from "./usage-file.ts";

const driverFor = (
  { prompt, instructions }: Work,
  usageFile: string | undefined,
): HeadlessDriver<Heard> => ({
  commandLine: (work) => commandLine(work, usageFile),
  begin: () => beginHeard(prompt.length + instructions.length),
  read: readLine,
  conclude: (state, exit) => conclude(state, exit, new Date()),
  isOver: ({ result }) => result !== undefined,
});

export const copilot: Agent = {
  id: "copilot",
  name: "Copilot CLI",
  driver: "headless",
  rights: (isBoxed) => rightsOf(isBoxed).join(" "),
  probe,
  async run(work, on, stop) {
    const file = planUsageFile(work);
    const outcome = await runHeadless(driverFor(work, file), work, on, stop);
    const usage = file === undefined ? undefined : takeUsageFile(file);
    if (usage === undefined) return outcome;
    on({ kind: "usage", usage });
    return { ...outcome, usage };
  },
};
