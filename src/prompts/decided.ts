import type { Decision } from "../tasks/model.ts";
import { oneLine } from "../text/template.ts";

const MAX_DECISIONS = 10;

/** What the user has decided about the work, for agents to whom the question was not put. All of it is data, quoted. */
export function renderDecided(decided: readonly Decision[]): string[] {
  const known = decided.filter(({ isAboutRun }) => !isAboutRun).slice(-MAX_DECISIONS);
  if (known.length === 0) return [];
  return [
    "The user decided. This counts more than the documents and the list: where they say something else, it is not a failure, and nobody changes it back.",
    ...known.flatMap(({ task, question, answer }) => [
      `> ${oneLine(task, 100)}, question: ${oneLine(question, 300)}`,
      `> The user decided: ${oneLine(answer, 600)}`,
    ]),
  ];
}
