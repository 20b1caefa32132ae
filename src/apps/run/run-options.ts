import { RUN_SETTINGS_HELP, describeSetting } from "../../run/settings-help.ts";
import { EXIT, type Option } from "../cli/command.ts";

/** Those that override a setting. */
const OVERRIDES: Readonly<Record<string, Option>> = Object.fromEntries(
  RUN_SETTINGS_HELP.flatMap((row): [string, Option][] => {
    const [, name, value] = /^(\S+) <(.*)>$/.exec(row.option ?? "") ?? [];
    if (name === undefined || value === undefined) return [];
    const { choices } = row.kind;
    return [[name, { value, summary: describeSetting(row), ...(choices && { choices }) }]];
  }),
);

export const VERBOSE: Option = { summary: "at the end, each attempt, commit and agent" };

/** The options of `run`; `parseRunOptions` gives them their meaning. `--json` is one of the global options. */
export const RUN_OPTIONS: Readonly<Record<string, Option>> = {
  ...OVERRIDES,
  model: { value: "name", summary: "the model of the first agent" },
  epic: { value: "name", summary: "run all specs of an epic, in the order of their dependencies" },
  fresh: { summary: "begin a new spec: the words are a goal, even a single one" },
  "no-network": { summary: "no network in the sandbox; needs bwrap, docker or podman" },
  here: { summary: "work in your own tree, on your own branch" },
  wait: { summary: "wait until a usage limit is over (the default)" },
  "no-wait": { summary: `end with ${EXIT.unavailable} instead` },
  "allow-amend": {
    summary: "let agents replace a Verify that turns out to be wrong, without asking",
  },
  strict: { summary: "start only if every open task can be proven or is a check by design" },
  "despite-checklists": { summary: "start even if checklists of the spec have open items" },
  "dry-run": {
    summary: "check everything, show what would be done in which order, and start nothing",
  },
  plain: { summary: "print lines, even in a terminal" },
  verbose: VERBOSE,
  detach: {
    summary:
      "run in the background, even after the terminal is closed; returns once the run is working",
  },
};
