import type { RunStatus } from "../../runner/events.ts";
import { EXIT, type ExitCode } from "../cli/command.ts";

/** Only a run that has done everything ends with 0, with every Verify passed that there is. */
export const EXIT_OF: Readonly<Record<RunStatus, ExitCode>> = {
  finished: EXIT.ok,
  stuck: EXIT.refused,
  waits: EXIT.waits,
  budget: EXIT.budget,
  unavailable: EXIT.unavailable,
  stopped: EXIT.stopped,
};
