import { CHOICE_EXAMPLE } from "../../run/agent-choice.ts";
import { MAX_PARALLEL, SANDBOXES } from "../../run/run-settings.ts";
import type { Option } from "../cli/command.ts";

/** The options of `run`; `parseRunOptions` gives them their meaning. `--json` is one of the global options. */
export const RUN_OPTIONS: Readonly<Record<string, Option>> = {
  agent: {
    type: "string",
    value: "name,…",
    summary: `who works: ${CHOICE_EXAMPLE}; the next one goes on when one cannot`,
  },
  model: { type: "string", value: "name", summary: "the model of the first agent" },
  parallel: {
    type: "string",
    value: "n",
    summary: `tasks of a [P] group at the same time, up to ${MAX_PARALLEL} (1)`,
  },
  "max-cost": { type: "string", value: "usd", summary: "end when the run has cost so much: 5" },
  "max-tokens": {
    type: "string",
    value: "n",
    summary: "end when it has used so many tokens: 500k, 2m",
  },
  "max-time": { type: "string", value: "time", summary: "end after this time: 90s, 10m, 6h" },
  "max-task-cost": { type: "string", value: "usd", summary: "the same for one task" },
  "max-task-tokens": { type: "string", value: "n", summary: "the same for one task" },
  "max-task-time": { type: "string", value: "time", summary: "the same for one task" },
  sandbox: {
    type: "string",
    value: SANDBOXES.join("|"),
    choices: SANDBOXES,
    summary: "run agents and Verify commands in it: read-only outside the work tree",
  },
  "no-network": { type: "boolean", summary: "no network in the sandbox" },
  here: { type: "boolean", summary: "work in the current tree, not in a work tree of its own" },
  wait: { type: "boolean", summary: "wait for the end of a usage limit (the default)" },
  "no-wait": { type: "boolean", summary: "end with code 7 instead" },
  "allow-amend": {
    type: "boolean",
    summary: "agents may replace a Verify that turns out to be wrong",
  },
  plain: { type: "boolean", summary: "lines instead of the live view" },
};
