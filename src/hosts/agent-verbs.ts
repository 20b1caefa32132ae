/** Exactly the commands that an agent may run without asking: in a phase, and in a run. */
export const PHASE_VERBS = [
  "submit",
  "set intent",
  "resolve",
  "rename",
  "template",
  "check",
  "tasks list",
  "tasks show",
  "tasks lint",
  "tasks prioritize",
  "context",
  "trace",
  "status",
];

export const RUN_VERBS = [
  "next",
  "done",
  "fail",
  "split",
  "add",
  "amend",
  "await-approval",
  "ask",
  "inbox",
  "repair",
  "pause",
  "status",
  "tasks show",
  "evidence",
];

/** Whether the arguments begin with such a command. */
export const isAgentVerb = (args: readonly string[]): boolean =>
  [...PHASE_VERBS, ...RUN_VERBS].some((verb) =>
    verb.split(" ").every((word, index) => args[index] === word),
  );
