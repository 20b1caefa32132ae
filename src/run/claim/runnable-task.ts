import { asksOnlyCommands } from "../../tasks/verify/only-commands.ts";
import type { Settings } from "../settings.ts";
import type { IsRunnable } from "./due-check.ts";
import { planVerification } from "./verification.ts";

/** Whether all that a task asks for is to run commands that we may run. */
export const runnableUnder =
  (settings: Settings): IsRunnable =>
  (list, task) =>
    asksOnlyCommands(list, task) && planVerification(list, task, settings).checks.length > 0;
