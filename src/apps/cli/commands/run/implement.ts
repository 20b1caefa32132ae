import { asStrict } from "../../../../engine/outlook.ts";
import { readyStep } from "../../../../engine/ready-step.ts";
import { resumeSpec } from "../../../../engine/resume-spec.ts";
import { startRun } from "../../../../engine/start-run.ts";
import { NO_OPTIONS } from "../../../../engine/step.ts";
import { LIMITS } from "../../../../run/state.ts";
import { refuseUntaken } from "../../../../runner/trees/untaken.ts";
import { wholeNumber } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { DESPITE_CHECKLISTS, renderStep } from "../../render-step.ts";

export const implement: Command = {
  summary: "start working through tasks.md, or start again",
  args: ["[spec]"],
  options: {
    "max-task-iterations": {
      value: "n",
      summary: `attempts at one task (${LIMITS.maxTaskIterations})`,
    },
    "max-global-iterations": {
      value: "n",
      summary: `turns of the whole run (${LIMITS.maxGlobalIterations})`,
    },
    "allow-amend": { summary: "the coordinator may replace a Verify that turns out to be wrong" },
    "recovery-mode": { summary: "a failed task gets a fix task before it is tried again" },
    strict: { summary: "start only if every open task can be proven or is a check by design" },
    [DESPITE_CHECKLISTS]: { summary: "start although checklists of the spec have open items" },
  },
  details:
    "Says first which tasks can be proven. Counts the tasks, starts at the first unticked one, keeps what an existing state knows, binds the run to\nthis session and prints the prompt for the coordinating agent. Where a spec has checklists (Spec Kit's), it starts\nonly if every item is ticked, or with --despite-checklists.",
  async run(context, input) {
    const found = specOf(context, input, input.args[0]);
    const spec = input.options["strict"] === true ? asStrict(found) : found;
    refuseUntaken(spec);
    const maxTaskIterations = wholeNumber(input, "max-task-iterations");
    const maxGlobalIterations = wholeNumber(input, "max-global-iterations");
    const mayAmend = input.options["allow-amend"] === true;
    const fields = {
      ...(maxTaskIterations === undefined ? {} : { maxTaskIterations }),
      ...(maxGlobalIterations === undefined ? {} : { maxGlobalIterations }),
      ...(input.options["recovery-mode"] === true ? { recoveryMode: true } : {}),
    };
    const despite = input.options[DESPITE_CHECKLISTS] === true;
    const step = startRun(context, spec, "start", fields, { mayAmend, despite });
    return renderStep(context, "implement", await readyStep(context, step));
  },
};

export const resume: Command = {
  summary: "continue a run that was paused, waited or stopped",
  args: ["[spec]"],
  details:
    "Gives the approval that the run waits for, ends a pause, binds the run to this session and resets the counts.\nBefore execution it resumes the phase; the document of a phase is approved by the command of the next one.",
  async run(context, input) {
    const spec = specOf(context, input, input.args[0]);
    refuseUntaken(spec);
    const step = resumeSpec(context, spec, NO_OPTIONS);
    return renderStep(context, "resume", await readyStep(context, step));
  },
};
