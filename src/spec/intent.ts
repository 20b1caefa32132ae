/** What kind of work a goal is: it decides how much is asked, and how tasks are split. */
export interface Intent {
  readonly id: "trivial" | "refactor" | "mid-sized" | "greenfield" | "bug-fix";
  /** How many questions the user may be asked in all. */
  readonly questions: { readonly min: number; readonly max: number };
  /** The phases of tasks.md, in order. */
  readonly plan: readonly string[];
}

const QUALITY = ["Quality Gates", "Pull Request"];

const TEST_FIRST = [
  "Red-Green-Yellow Cycles, for each behaviour [RED] a failing test, [GREEN] the least code that passes it, [YELLOW] tidy",
  "More Tests",
];

export const INTENTS: readonly Intent[] = [
  {
    id: "bug-fix",
    questions: { min: 1, max: 5 },
    plan: [
      "Reproduce, with a task that leaves one command which fails because of the bug, and one that writes down the cause",
      ...TEST_FIRST,
      "Quality Gates, with VF: the command of the first phase passes",
      "Pull Request",
    ],
  },
  { id: "refactor", questions: { min: 3, max: 5 }, plan: [...TEST_FIRST, ...QUALITY] },
  { id: "trivial", questions: { min: 1, max: 2 }, plan: [...TEST_FIRST, ...QUALITY] },
  {
    id: "greenfield",
    questions: { min: 5, max: 10 },
    plan: [
      "Make It Work (POC), the shortest way through every part, shortcuts allowed, closed by a task that runs it for real",
      "Refactoring, shortcuts out and errors handled",
      "Testing",
      ...QUALITY,
    ],
  },
  { id: "mid-sized", questions: { min: 3, max: 7 }, plan: [...TEST_FIRST, ...QUALITY] },
];

export type IntentId = Intent["id"];

export const intentOf = (id: string | undefined): Intent =>
  INTENTS.find((intent) => intent.id === id) ?? (INTENTS.at(-1) as Intent);

/** In the order of `INTENTS`: if two match equally well, the first one counts. */
const WORDS: Readonly<Record<Exclude<IntentId, "mid-sized">, string>> = {
  "bug-fix":
    "fix fixes bug bugs broken breaks crash crashes crashing error errors fail fails failing failure regression wrong leak leaks hang hangs flaky incorrect issue",
  refactor:
    "refactor refactoring restructure reorganize reorganise cleanup simplify extract decouple modularize modularise deduplicate consolidate untangle rewrite migrate split",
  trivial: "typo typos rename wording spelling comment comments bump tweak minor label",
  greenfield:
    "new build create scratch greenfield introduce prototype scaffold bootstrap fork generate design mvp",
};

export interface IntentGuess {
  readonly intent: Intent;
  readonly matched: readonly string[];
  readonly confidence: "high" | "medium" | "low";
}

/** By the words of the goal. The user, or an agent that has read more, may overrule it. */
export function classifyIntent(goal: string): IntentGuess {
  const said = new Set(goal.toLowerCase().match(/\p{L}+/gu));
  let best: IntentGuess = { intent: intentOf("mid-sized"), matched: [], confidence: "low" };
  for (const intent of INTENTS) {
    if (intent.id === "mid-sized") continue;
    const matched = WORDS[intent.id].split(" ").filter((word) => said.has(word));
    if (matched.length > best.matched.length) {
      const confidence = matched.length > 2 ? "high" : matched.length === 2 ? "medium" : "low";
      best = { intent, matched, confidence };
    }
  }
  return best;
}
