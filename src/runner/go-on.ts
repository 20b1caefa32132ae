import { quoteForShell } from "../text/quote.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import type { GivenOptions } from "./options.ts";
import { readEvents } from "./read-events.ts";
import { listRuns, newestOf } from "./run-list.ts";

/** These name what is run, or say where and how it is shown: not how the work is done. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  "epic",
  "spec",
  "directory",
  "plain",
  "json",
  "detach",
  "help",
]);

/** The words of a command line without which the next run would do something else: `--max-cost`, `5`, `--here`. */
export const repeatOptions = (given: GivenOptions): string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    if (NOT_REPEATED.has(name)) return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name}`, value] : [];
  });

/** What to type so that a run goes on as it was begun. */
export const goOnCommand = (names: readonly string[], options: readonly string[]): string =>
  [SHELL_PROGRAM, "run", ...[...names, ...options].map(quoteForShell)].join(" ");

/** What the newest run of a spec or an epic was given, for hints of other commands. */
export function lastOptions(project: string, name: string): readonly string[] {
  const runs = listRuns(undefined, project).filter(({ info }) => info.specs.includes(name));
  const run = newestOf(runs);
  const started = run && readEvents(run).find(({ kind }) => kind === "run-started");
  return started?.kind === "run-started" ? (started.options ?? []) : [];
}
