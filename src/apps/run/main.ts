/** What `smart-ralph` loads when one of these is typed: a bundle of its own, which nothing else waits for. */
export { runRun } from "./run-command.ts";
