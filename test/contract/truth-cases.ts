import { type Agreement, agreeToAll } from "../../src/run/agreement.ts";
import type { Evidence, Outcome } from "../../src/run/claim/evidence.ts";
import { ACCEPTED, FROM_TERMINAL, GIVEN } from "../../src/run/claim/settled.ts";
import type { TaskClass } from "../../src/run/claim/verdict.ts";
import type { Entry } from "../../src/run/journal.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { entryOf, LOOP, ranWith } from "../support/journal.ts";

/** A spec as a run left it, and what every view has to say about it. */
export interface TruthCase {
  readonly tasks: string;
  /** `head`: a commit that exists. */
  readonly entries: (head: string) => readonly Entry[];
  /** What the user agreed to when they started, if they did; what is ticked then is given. */
  readonly agreed?: Agreement;
  readonly skipped?: readonly string[];
  /** The journal stays on the machine of the run: what is left is receipt.json, or the table of an older version. */
  readonly clone?: "receipt" | "table";
  /** `.progress.md`, if an older version wrote it. */
  readonly progress?: (head: string) => string;
  readonly classes: Readonly<Record<string, TaskClass>>;
  /** How often somebody tried, where that is not once. */
  readonly attempts?: Readonly<Record<string, number>>;
  /** What keeps `run` from exit 0. */
  readonly unproven: readonly string[];
}

const task = (id: string, verify?: string, tags = "", box = "x"): string =>
  `- [${box}] ${id} ${tags}Task ${id}\n${verify === undefined ? "" : `  - **Verify**: \`${verify}\`\n`}`;

interface Work {
  readonly verify?: string;
  readonly before?: Outcome;
  readonly commits?: readonly string[];
  readonly noChange?: string;
  readonly evidence?: Partial<Evidence>;
}

/** A task that goes out, is worked on, and passes its Verify. */
const done = (head: string, id: string, work: Work = {}): Entry[] => {
  const { verify: command = `test -f ${id}.txt`, before = "failed", commits = [head] } = work;
  const ran = { command, commit: head };
  return [
    entryOf("continue", id),
    entryOf("before", id, { evidence: [ranWith(before, ran)] }),
    entryOf("done", id, {
      evidence: [ranWith("passed", { ...ran, ...work.evidence })],
      commits,
      ...(work.noChange === undefined ? {} : { noChange: work.noChange }),
    }),
  ];
};

const ATTACK = ["test -f README.md", "echo done", "git log -1", "node -e 0"];
const TWO = task("1.1", "test -f 1.1.txt") + task("1.2", "test -f 1.2.txt");
const both = (head: string): Entry[] => [...done(head, "1.1"), ...done(head, "1.2")];
const DESIGNED =
  task("1.1", "npm test", "[VERIFY] ") +
  task("1.2", "test -f 1.2.txt", "[RED] ") +
  task("1.3", "npm test", "[GUARD] ") +
  task("1.4", "test -f 1.4.txt");
const GIVEN_TASKS = TWO + task("1.3");
const given = { ...agreeToAll(parseTasks(GIVEN_TASKS)), given: ["1.1", "1.2", "1.3"] };
const lastCheck = (head: string, id: string, outcome: Outcome): Entry =>
  entryOf("checked", id, {
    evidence: [ranWith(outcome, { command: `test -f ${id}.txt`, commit: head })],
    note: `${GIVEN}, and its Verify ${outcome}`,
  });

export const TRUTH: Readonly<Record<string, TruthCase>> = {
  "all proven": {
    tasks: TWO,
    entries: both,
    classes: { "1.1": "proven", "1.2": "proven" },
    unproven: [],
  },
  "four claims that changed nothing": {
    tasks: ATTACK.map((verify, i) => task(`1.${i + 1}`, verify)).join(""),
    entries: (head) =>
      ATTACK.flatMap((verify, i) =>
        done(head, `1.${i + 1}`, { verify, before: "passed", commits: [], noChange: "it was so" }),
      ),
    classes: { "1.1": "checked", "1.2": "checked", "1.3": "checked", "1.4": "checked" },
    unproven: ["1.1", "1.2", "1.3", "1.4"],
  },
  "green before, with and without a commit": {
    tasks: TWO,
    entries: (head) => [
      ...done(head, "1.1", { before: "passed" }),
      ...done(head, "1.2", { before: "passed", commits: [] }),
    ],
    classes: { "1.1": "checked", "1.2": "checked" },
    unproven: ["1.2"],
  },
  "a Verify that cannot fail": {
    tasks: task("1.1", "npm test || true") + task("1.2", "test -f 1.2.txt"),
    entries: (head) => [...done(head, "1.1", { verify: "npm test || true" }), ...done(head, "1.2")],
    classes: { "1.1": "checked", "1.2": "proven" },
    unproven: [],
  },
  "no Verify": {
    tasks: task("1.1") + task("1.2", "test -f 1.2.txt"),
    entries: (head) => [entryOf("done", "1.1", { note: "no Verify" }), ...done(head, "1.2")],
    classes: { "1.1": "reported", "1.2": "proven" },
    unproven: ["1.1"],
  },
  "accepted, in a client and from a terminal": {
    tasks: TWO,
    entries: () => [
      entryOf("accepted", "1.1", { note: ACCEPTED }),
      entryOf("accepted", "1.2", { note: `accepted ${FROM_TERMINAL}`, from: "terminal" }),
    ],
    classes: { "1.1": "accepted", "1.2": "accepted" },
    unproven: [],
  },
  "ticked before the run: holds, does not hold, nothing to run": {
    tasks: GIVEN_TASKS,
    agreed: given,
    entries: (head) => [
      entryOf("start", undefined),
      lastCheck(head, "1.1", "passed"),
      lastCheck(head, "1.2", "failed"),
    ],
    classes: { "1.1": "accepted", "1.2": "failed", "1.3": "accepted" },
    unproven: ["1.2"],
  },
  "refused once, interrupted once, and out of attempts": {
    tasks: TWO + task("1.3", "test -f 1.3.txt", "", " "),
    entries: (head) => [
      entryOf("continue", "1.1"),
      entryOf("refused", "1.1", { note: "its Verify failed" }),
      ...done(head, "1.1"),
      entryOf("continue", "1.2", { loop: { ...LOOP, run: "killed", task: "1.2" } }),
      ...done(head, "1.2"),
      entryOf("failed", "1.3", {
        note: "no",
        loop: { ...LOOP, maxAttempts: 1, attempts: { "1.3": 2 } },
      }),
    ],
    classes: { "1.1": "proven", "1.2": "proven", "1.3": "failed" },
    attempts: { "1.1": 2, "1.2": 2, "1.3": 1 },
    unproven: ["1.3"],
  },
  "skipped, open, and ticked by hand": {
    tasks:
      task("1.1", "test -f 1.1.txt", "", " ") +
      task("1.2", "test -f 1.2.txt", "", " ") +
      task("1.3", "test -f 1.3.txt"),
    skipped: ["1.1"],
    entries: () => [entryOf("continue", "1.2")],
    classes: { "1.1": "skipped", "1.2": "open", "1.3": "reported" },
    unproven: ["1.1", "1.2", "1.3"],
  },
  "[VERIFY], [RED] and [GUARD]": {
    tasks: DESIGNED,
    agreed: agreeToAll(parseTasks(DESIGNED.replaceAll("[x]", "[ ]"))),
    entries: (head) => [
      ...done(head, "1.1", { verify: "npm test", commits: [] }),
      ...done(head, "1.2"),
      ...done(head, "1.3", { verify: "npm test", before: "passed", commits: [] }),
      ...done(head, "1.4"),
    ],
    classes: { "1.1": "checked", "1.2": "checked", "1.3": "checked", "1.4": "proven" },
    unproven: [],
  },
  "a fresh clone with receipt.json": {
    tasks: TWO + task("1.3") + task("1.4", "test -f 1.4.txt", "", " "),
    clone: "receipt",
    entries: (head) => [
      entryOf("refused", "1.1", { note: "no" }),
      ...done(head, "1.1"),
      ...done(head, "1.2", { before: "passed" }),
      entryOf("accepted", "1.3", { note: ACCEPTED }),
    ],
    classes: { "1.1": "proven", "1.2": "checked", "1.3": "accepted", "1.4": "open" },
    attempts: { "1.1": 2, "1.2": 1, "1.3": 0, "1.4": 0 },
    unproven: ["1.4"],
  },
  "a fresh clone with the table of an older version": {
    tasks: TWO + task("1.3") + task("1.4", "test -f 1.4.txt"),
    clone: "table",
    entries: () => [],
    progress: (head) => `# Progress

## Receipt

| task | done | attempts | verify | before | result | commit | time |
|---|---|---:|---|---|---|---|---:|
| 1.1 | yes | 2 | \`test -f 1.1.txt\` | failed | passed | ${head.slice(0, 9)} | 8 s |
| 1.2 | yes | 1 | \`test -f 1.2.txt\` | passed | passed | ${head.slice(0, 9)} | 8 s |
| 1.3 | yes | 1 |  |  | no Verify |  | 0 s |
| 1.4 | yes | 1 | \`test -f other.txt\` | failed | passed | ${head.slice(0, 9)} | 8 s |
`,
    classes: { "1.1": "proven", "1.2": "checked", "1.3": "reported", "1.4": "reported" },
    unproven: ["1.3", "1.4"],
  },
};
