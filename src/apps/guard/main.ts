import { keepGuard } from "../../agents/process/guard.ts";

/** `node guard.cjs <mark of the run>`, started by the runner. */
void keepGuard(process.argv[2] ?? "", process.stdin);
