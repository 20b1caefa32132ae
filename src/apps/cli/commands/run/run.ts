import { join } from "node:path";
import type * as runner from "../../../run/main.ts";
import { RUN_OPTIONS } from "../../../run/run-options.ts";
import type { Command } from "../../command.ts";

declare const __dirname: string;

/** In a separate bundle, which only the program of the shell has. */
const load = () => require(join(__dirname, "..", "..", "..", "bin", "runner.cjs")) as typeof runner;

export const run: Command = {
  name: "run",
  summary: "work through a spec unattended, with an agent that we start",
  args: ["[spec]", "[goal…]"],
  group: "run",
  options: RUN_OPTIONS,
  details: "Starts one agent for each task, checks its work and goes on, with no client open.",
  run: (context, input) => load().runRun(context, input),
};
