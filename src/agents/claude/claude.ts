import type { Agent } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { commandLine, RIGHTS } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { probe } from "./probe.ts";
import { type Heard, NOTHING_HEARD, readLine } from "./read.ts";

const driver: HeadlessDriver<Heard> = {
  commandLine: (work) => commandLine(work, process.getuid?.() === 0),
  begin: () => NOTHING_HEARD,
  read: readLine,
  conclude,
  // The client does not exit while a command runs in the background.
  isOver: ({ result }) => result !== undefined,
};

export const claude: Agent = {
  id: "claude",
  name: "Claude Code",
  driver: "headless",
  rights: () => RIGHTS,
  probe,
  run: (work, on, stop) => runHeadless(driver, work, on, stop),
};
