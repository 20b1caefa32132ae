import type { RunStatus } from "../../runner/events.ts";
import { EXIT, type ExitCode } from "../cli/command.ts";

/** Only a finished run exits with 0: every task is done, every Verify has passed, and there is work to show for it. */
export const EXIT_OF: Readonly<Record<RunStatus, ExitCode>> = {
  finished: EXIT.ok,
  unproven: EXIT.unproven,
  stuck: EXIT.refused,
  waits: EXIT.waits,
  budget: EXIT.budget,
  unavailable: EXIT.unavailable,
  stopped: EXIT.stopped,
};
