import { leaveRunTree } from "../engine/run-trees.ts";
import { quoteForShell } from "../text/quote.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import type { EventOf } from "./events.ts";
import type { GivenOptions } from "./options.ts";
import { readEvents } from "./read-events.ts";
import type { RunFolder } from "./run-files.ts";
import { listRuns, newestOf } from "./run-list.ts";

/** Options that name the target or control the display, but do not change the work. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  "epic",
  "spec",
  "fresh",
  "directory",
  "plain",
  "verbose",
  "json",
  "detach",
  "dry-run",
  "help",
]);

/** The options that the next run needs to work the same way, as words: `--max-cost`, `5`, `--here`. */
export const repeatOptions = (given: GivenOptions): string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    if (NOT_REPEATED.has(name)) return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name}`, value] : [];
  });

/** The command that continues a run with the same options. */
export const goOnCommand = (names: readonly string[], options: readonly string[]): string =>
  [SHELL_PROGRAM, "run", ...[...names, ...options].map(quoteForShell)].join(" ");

export const agentOptions = ({ info }: RunFolder): string[] =>
  info.agents.length === 0 ? [] : ["--agent", info.agents.join(",")];

/** The options of the newest run of a spec or an epic, for hints in other commands. */
export const lastOptions = (project: string, name: string): readonly string[] =>
  lastStart(project, name)?.options ?? [];

/** The command that continues the newest run of a spec, or the run of its epic. */
export function lastCommand(project: string, name: string): string {
  const { epic = name, options = [] } = lastStart(project, name) ?? {};
  return goOnCommand([epic], options);
}

/** A run that was killed before its first event has only named its agents. */
function lastStart(
  project: string,
  name: string,
): Pick<EventOf<"run-started">, "epic" | "options"> | undefined {
  // A spec of an epic may be in a tree of its own, which no run is of.
  const runs = listRuns(undefined, leaveRunTree(project)).filter(({ info }) =>
    info.specs.includes(name),
  );
  const run = newestOf(runs);
  if (run === undefined) return undefined;
  const started = readEvents(run).find((event) => event.kind === "run-started");
  return started ?? { options: agentOptions(run) };
}
