import { keepGuard } from "../../agents/process/guard.ts";
import { restoreTerminal } from "./restore-terminal.ts";

const [, , mark = "", goOn] = process.argv;

/** `node guard.cjs <mark of the run> [how it is continued]`, started by the runner. */
void keepGuard(mark, process.stdin, () => {
  if (goOn !== undefined) restoreTerminal(goOn);
});
