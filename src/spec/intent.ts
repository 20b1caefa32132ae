/** What kind of work a goal is: it decides how much is asked, and how tasks are split. */
export interface Intent {
  readonly id: "trivial" | "refactor" | "mid-sized" | "greenfield" | "bug-fix";
  /** As a sentence says it: "looks like a bug fix". */
  readonly noun: string;
  /** How many questions the user may be asked in all. */
  readonly questions: { readonly min: number; readonly max: number };
  /** The phases of tasks.md, in order. */
  readonly plan: readonly string[];
}

const MORE_TESTS = "More Tests";
const PULL_REQUEST = "Pull Request";
const QUALITY = ["Quality Gates", PULL_REQUEST];

const TEST_FIRST = [
  "Red-Green-Yellow Cycles, for each behaviour [RED] a failing test, [GREEN] the least code that passes it, [YELLOW] tidy",
  MORE_TESTS,
];

export const INTENTS: readonly Intent[] = [
  {
    id: "bug-fix",
    noun: "a bug fix",
    questions: { min: 1, max: 5 },
    plan: [
      "Reproduce, [RED] one test that fails because of the bug, and a task that writes down the cause",
      "Fix, [GREEN] the least code that passes that test, [YELLOW] tidy",
      MORE_TESTS,
      "Quality Gates, with VF: that test, which passes once the bug is gone",
      PULL_REQUEST,
    ],
  },
  {
    id: "refactor",
    noun: "a refactoring",
    questions: { min: 3, max: 5 },
    plan: [...TEST_FIRST, ...QUALITY],
  },
  {
    id: "trivial",
    noun: "a trivial change",
    questions: { min: 1, max: 2 },
    plan: [...TEST_FIRST, ...QUALITY],
  },
  {
    id: "greenfield",
    noun: "something new",
    questions: { min: 5, max: 10 },
    plan: [
      "Make It Work (POC), the shortest way through every part, shortcuts allowed, closed by a task that runs it for real",
      "Refactoring, shortcuts out and errors handled",
      "Testing",
      ...QUALITY,
    ],
  },
  {
    id: "mid-sized",
    noun: "mid-sized work",
    questions: { min: 3, max: 7 },
    plan: [...TEST_FIRST, ...QUALITY],
  },
];

export type IntentId = Intent["id"];

export const INTENT_IDS = INTENTS.map(({ id }) => id);

export const intentOf = (id: string | undefined): Intent =>
  INTENTS.find((intent) => intent.id === id) ?? (INTENTS.at(-1) as Intent);

/** The phases of tasks.md on the short way: the task that adds something tests it. */
export const shortPlan = ({ plan }: Intent): readonly string[] =>
  plan.filter((phase) => phase !== MORE_TESTS && phase !== PULL_REQUEST);

/** How sure one can be of an intent that is read from the words of a goal. */
export type Confidence = "high" | "medium" | "low";

export interface IntentGuess {
  readonly intent: Intent;
  /** With low confidence the intent is mid-sized, which asks and plans a little of everything. */
  readonly confidence: Confidence;
}

/** The intent of a spec, and who says so: its goal's words are only a suggestion. */
export interface SpecIntent {
  readonly intent: Intent;
  readonly by: "goal" | "user" | "agent" | "unknown";
  readonly confidence: Confidence;
}

export function describeIntent({ intent, by, confidence }: SpecIntent): string {
  if (by === "goal") return `looks like ${intent.noun} (${confidence} confidence)`;
  const who = { user: ", as the user said", agent: ", as an agent judged", unknown: "" }[by];
  return `${intent.id}${who}`;
}
