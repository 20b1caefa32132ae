import { join } from "node:path";
import type * as bundle from "../../../run/main.ts";
import { RUN_OPTIONS } from "../../../run/run-options.ts";
import { viewCommands } from "../../../run/view-commands.ts";
import type { Command } from "../../command.ts";

declare const __dirname: string;

/** In a separate bundle, which only the program of the shell has. */
const load = (): typeof bundle.runner =>
  (require(join(__dirname, "..", "..", "..", "bin", "runner.cjs")) as typeof bundle).runner;

/** What needs agents or the live view. Only in a shell: a client's agents have no use for it. */
export const runnerCommands: readonly Command[] = [
  {
    name: "run",
    summary: "work through a spec unattended: starts an agent for each task, checks it, goes on",
    args: ["[spec]", "[goal…]"],
    group: "run",
    shellOnly: true,
    options: RUN_OPTIONS,
    details:
      "With a goal, its documents are written first. Works in a git work tree and on a branch of its own; take\nbrings the work to yours. A run that was stopped or killed goes on where it was when it is typed again.\n--agent demo without a spec shows a run with a built-in agent, in a project of its own.\nExit codes: 0 all proven, 1 stuck, 5 waits for answers, 6 a budget is used up, 7 no agent can work,\n130 stopped.",
    run: (context, input) => load().run(context, input),
  },
  {
    name: "agents",
    summary: "list the agents that run can start: installed, version, login, what works",
    group: "look",
    shellOnly: true,
    details:
      "Asks each for its version and its login, all at the same time, which costs no call of a model. Exits with 1 if none is ready.",
    run: (context, input) => load().agents(context, input),
  },
  ...viewCommands(load),
];
