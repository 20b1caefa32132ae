import { CHOICE_EXAMPLE } from "../../run/agent-choice.ts";
import { MAX_PARALLEL, SANDBOXES } from "../../run/run-settings.ts";
import { EXIT, type Option } from "../cli/command.ts";

/** The options of `run`; `parseRunOptions` gives them their meaning. `--json` is one of the global options. */
export const RUN_OPTIONS: Readonly<Record<string, Option>> = {
  agent: {
    type: "string",
    value: "name,…",
    summary: `agents in order of preference: ${CHOICE_EXAMPLE}; the next takes over when one cannot work`,
  },
  epic: {
    type: "string",
    value: "name",
    summary: "run all specs of an epic, in the order of their dependencies",
  },
  model: { type: "string", value: "name", summary: "the model of the first agent" },
  parallel: {
    type: "string",
    value: "n",
    summary: `agents at the same time, for tasks of a [P] group or specs of an epic; up to ${MAX_PARALLEL} (1)`,
  },
  "max-cost": { type: "string", value: "usd", summary: "end when the run has cost this much: 5" },
  "max-tokens": {
    type: "string",
    value: "n",
    summary: "end when it has used this many tokens: 500k, 2m",
  },
  "max-time": { type: "string", value: "time", summary: "end after this time: 90s, 10m, 6h" },
  "max-task-cost": {
    type: "string",
    value: "usd",
    summary: "the same for one task, all its attempts together",
  },
  "max-task-tokens": { type: "string", value: "n", summary: "likewise" },
  "max-task-time": { type: "string", value: "time", summary: "likewise" },
  sandbox: {
    type: "string",
    value: SANDBOXES.join("|"),
    choices: SANDBOXES,
    summary: "what agents and Verify commands run in (own: the agent's own, where it has one)",
  },
  "no-network": {
    type: "boolean",
    summary: "no network in the sandbox; needs bwrap, docker or podman",
  },
  here: { type: "boolean", summary: "work in your own tree, on your own branch" },
  wait: { type: "boolean", summary: "wait until a usage limit is over (the default)" },
  "no-wait": { type: "boolean", summary: `end with ${EXIT.unavailable} instead` },
  "allow-amend": {
    type: "boolean",
    summary: "let agents replace a Verify that turns out to be wrong, without asking",
  },
  strict: {
    type: "boolean",
    summary: "start only if every open task can be proven or is a check by design",
  },
  "despite-checklists": {
    type: "boolean",
    summary: "start even if checklists of the spec have open items",
  },
  plain: { type: "boolean", summary: "print lines, even in a terminal" },
  detach: {
    type: "boolean",
    summary:
      "run in the background, even after the terminal is closed; returns once the run is working",
  },
};
