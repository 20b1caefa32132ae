import { join } from "node:path";
import type * as bundle from "../../../run/main.ts";
import { RUN_OPTIONS } from "../../../run/run-options.ts";
import { viewCommands } from "../../../run/view-commands.ts";
import { type Command, EXIT } from "../../command.ts";
import { describeRunExits } from "../../help.ts";

declare const __dirname: string;

/** In a separate bundle, which only the program of the shell has. */
const load = (): typeof bundle.runner =>
  (require(join(__dirname, "..", "..", "..", "bin", "runner.cjs")) as typeof bundle).runner;

/** Only in a shell: a client's agents have no use for it. */
export const run: Command = {
  summary: "do a goal or a spec unattended, and prove each task",
  args: ["[spec]", "[goal…]"],
  shellOnly: true,
  options: RUN_OPTIONS,
  details: `With a goal instead of a spec, the documents are written first. Without either, it continues the active spec.
With the name of an epic, its specs are run, those that do not depend on each other at the same time; each comes to the
epic's branch when everything in it is proven there too.
It works in a git work tree and on a branch of its own; smart-ralph take merges the work into yours. Questions of
agents wait in smart-ralph inbox, while everything else continues. Stopped or killed, it continues where it was when you
type the same again. With --detach it runs in the background, even if the terminal is closed: smart-ralph watch shows it,
smart-ralph stop stops it. --json prints every event, one JSON object a line. To see a run now, with nothing installed:
smart-ralph run --agent demo`,
  exits: `${EXIT.ok} every task is proven, accepted, or checked with something to show, and every Verify passed (docs/proof.md);
${EXIT.refused} stuck; ${EXIT.usage} wrong arguments; ${EXIT.missing} nothing to act on; ${EXIT.broken} a file is corrupt or held;
${describeRunExits()}; ${EXIT.internal} an internal error`,
  run: (context, input) => load().run(context, input),
};

export const stop: Command = {
  summary: "stop a run from another shell; nothing is lost",
  args: ["[run]"],
  shellOnly: true,
  details:
    "A run is named as for watch; without a name, it is the one of this project that is running. Its agents are ended, what is half\ndone is set aside, and the report is printed. The same run command continues where it was.",
  run: (context, input) => load().stop(context, input),
};

export const { watch, replay } = viewCommands(load);

export const agents: Command = {
  summary: "the agents that run can start: installed, logged in",
  shellOnly: true,
  details:
    "Each is asked for its version and its login, all at the same time; no model is called. Exits with 1 if none is ready.",
  run: (context, input) => load().agents(context, input),
};
