import { join } from "node:path";
import type * as bundle from "../../../run/main.ts";
import { RUN_OPTIONS } from "../../../run/run-options.ts";
import { viewCommands } from "../../../run/view-commands.ts";
import { type Command, EXIT } from "../../command.ts";
import { RUN_EXITS } from "../../help.ts";

declare const __dirname: string;

/** In a separate bundle, which only the program of the shell has. */
const load = (): typeof bundle.runner =>
  (require(join(__dirname, "..", "..", "..", "bin", "runner.cjs")) as typeof bundle).runner;

/** Only in a shell: a client's agents have no use for it. */
export const run: Command = {
  name: "run",
  summary:
    "work through a spec unattended: a fresh agent for each task, and a check of what it did",
  args: ["[spec]", "[goal…]"],
  group: "run",
  shellOnly: true,
  options: RUN_OPTIONS,
  details: `With a goal instead of a spec, the documents are written first. Without either, it goes on with the active spec.
With the name of an epic, its specs are run, those that do not depend on each other at the same time; each comes to the
epic's branch when everything in it is proven there too.
It works in a git work tree and on a branch of its own; smart-ralph take brings the work into yours. What agents ask
waits in smart-ralph inbox, while everything else goes on. Stopped or killed, it goes on where it was when you type the
same again. With --detach it goes on in the background, whatever becomes of the terminal: smart-ralph watch shows it,
smart-ralph stop stops it. --json prints every event, one JSON object a line. To see a run now, with nothing installed:
smart-ralph run --agent demo`,
  exits: `${EXIT.ok} every task is proven, accepted, or checked with something to show, and every Verify passed (docs/proof.md),
${EXIT.refused} stuck, ${EXIT.usage} wrong arguments, ${EXIT.missing} nothing to act on, ${EXIT.broken} a file is corrupt or held,
${RUN_EXITS}, ${EXIT.internal} an internal error`,
  run: (context, input) => load().run(context, input),
};

export const stop: Command = {
  name: "stop",
  summary: "stop a run from another shell, as Ctrl-C does in its own",
  args: ["[run]"],
  group: "run",
  shellOnly: true,
  details:
    "A run is named as for watch; without a name, it is the one of this project that is on. Its agents are ended, what is half\ndone is set aside, and the report is printed. The same run command goes on where it was.",
  run: (context, input) => load().stop(context, input),
};

/** What needs agents or the live view. */
export const runnerCommands: readonly Command[] = [
  ...viewCommands(load),
  {
    name: "agents",
    summary: "the agents that run can start: installed, version, login, what each reports",
    group: "look",
    shellOnly: true,
    details:
      "Each is asked for its version and its login, all at the same time; no model is called. Exits with 1 if none is ready.",
    run: (context, input) => load().agents(context, input),
  },
];
