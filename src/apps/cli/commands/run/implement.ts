import { wholeNumber } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { openSpec } from "../../../../engine/resolve-spec.ts";
import { takeUpAgain } from "../../../../engine/resume-spec.ts";
import { begin } from "../../../../engine/start-run.ts";

export const implement: Command = {
  name: "implement",
  summary: "start working through tasks.md, or start again",
  args: ["[spec]"],
  group: "run",
  options: {
    "max-task-iterations": { type: "string", value: "n", summary: "attempts at one task (5)" },
    "max-global-iterations": {
      type: "string",
      value: "n",
      summary: "turns of the whole run (100)",
    },
    "recovery-mode": {
      type: "boolean",
      summary: "a failed task gets a fix task before it is tried again",
    },
  },
  details:
    "Counts the tasks, starts at the first unticked one, keeps what an existing state knows, binds the run to\nthis session and prints the prompt for the coordinating agent.",
  run(context, input) {
    const spec = openSpec(context, input, input.args[0]);
    const maxTaskIterations =
      wholeNumber(input, "max-task-iterations") ?? spec.project.settings.maxAttempts;
    const maxGlobalIterations = wholeNumber(input, "max-global-iterations");
    return begin(context, input, spec, "start", {
      ...(maxTaskIterations === undefined ? {} : { maxTaskIterations }),
      ...(maxGlobalIterations === undefined ? {} : { maxGlobalIterations }),
      ...(input.options["recovery-mode"] === true ? { recoveryMode: true } : {}),
    });
  },
};

export const resume: Command = {
  name: "resume",
  summary: "go on with a run that was paused, waited or stopped",
  args: ["[spec]"],
  group: "run",
  details:
    "Gives a wanted approval, takes back a pause, binds the run to this session and counts anew. Before execution it\ntakes up the phase; the document of a phase is approved by the command of the next one.",
  run: (context, input) => takeUpAgain(context, input, openSpec(context, input, input.args[0])),
};
