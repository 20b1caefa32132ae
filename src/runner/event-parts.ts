import { CLASSES } from "../run/claim/verdict.ts";
import {
  anyOf,
  field,
  integer,
  listOf,
  nullable,
  number,
  objectOf,
  objectWith,
  oneOf,
  string,
} from "../text/schema.ts";

export const time = field(string, "ISO 8601.");
export const text = field(string, "For people.");
export const kindOf = <const K extends string>(name: K) => field(oneOf(name), "What happened.");

export const at = { at: field(string, "When, ISO 8601.") };

export const about = {
  spec: field(string, "The name of the spec."),
  task: field(string, "The task's id, the name of a document, or `review`."),
  attempt: field(integer(0), "Which attempt at it this is; 0 if it needed no agent."),
};

const count = field(integer(0), "");

const tokens = objectOf({
  input: field(integer(0), "Including what came from a cache."),
  cached: count,
  output: count,
});

const usd = field(nullable(number(0)), "US dollars; null if unknown.");
const source = oneOf("agent", "prices", "unknown");
const sourceText = "Where the cost comes from: the agent, or the prices in the settings.";

export const spent = field(
  objectOf({ tokens: field(tokens, ""), usd, source: field(source, sourceText) }),
  "What this attempt has used so far: always the sum.",
);

const start = objectOf({
  ...about,
  agent: field(string, ""),
  spent: field(
    objectOf({
      tokens: field(nullable(integer(0)), "Input and output; null if unknown."),
      ms: field(nullable(number(0)), "How long it worked."),
      usd,
      sources: field(listOf(source), sourceText),
      by: field(listOf(oneOf("agents", "sub-agents")), "Who used it."),
    }),
    "",
  ),
});

export const before = objectOf({
  ms: field(number(0), "How long they ran."),
  starts: field(listOf(start), "Every start of an agent."),
});

export const ending = anyOf(
  objectOf({ kind: kindOf("turn") }),
  objectWith({ kind: kindOf("limit"), text }, { resetsAt: time }),
  objectOf({ kind: field(oneOf("busy", "auth", "refused", "too-long", "crashed"), ""), text }),
  objectOf({
    kind: kindOf("stopped"),
    by: field(oneOf("user", "wall", "silence", "budget"), "Who or what stopped it."),
  }),
);

export const classField = field(oneOf(...CLASSES), "What is behind the task.");

export const taskLine = objectWith(
  {
    id: field(string, ""),
    title: text,
    state: field(oneOf("open", "done", "waits", "skipped"), ""),
  },
  { class: classField },
);

export const budget = objectWith(
  {},
  { usd: field(number(0), ""), tokens: field(number(0), ""), ms: field(number(0), "") },
);

const ids = listOf(string);
const doubtful = listOf(objectOf({ id: field(string, ""), why: text }));

export const outlook = field(
  objectOf({
    open: field(integer(0), "How many tasks are open; the rest is about them."),
    done: count,
    obstacle: field(nullable(string), "Why nothing at all can be proven."),
    provable: field(ids, "Tasks whose Verify can fail."),
    byDesign: field(ids, "Tasks that are checks by design: [VERIFY], [RED], [GUARD]."),
    vain: field(doubtful, "Tasks whose Verify is run and proves nothing."),
    unchecked: field(doubtful, "Tasks that have nothing to run."),
  }),
  "What can be proven; before the first task of a spec.",
);

export const checks = field(
  listOf(
    objectWith(
      {
        severity: field(oneOf("ok", "info", "warning", "error"), ""),
        code: field(string, "What was looked at."),
        message: text,
      },
      { target: field(string, ""), fix: text },
    ),
  ),
  "What was looked at before the first agent; once, at the start.",
);
