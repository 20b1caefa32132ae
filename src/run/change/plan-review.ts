import { nextSubIds } from "../../tasks/ids.ts";
import type { Task } from "../../tasks/model.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import type { Write } from "../decision.ts";
import type { Loop } from "../journal.ts";
import { type Finding, parseReview } from "../review.ts";
import { cacheFor, insertTasks, type RunStanding, textOf } from "./insert-tasks.ts";
import { stripMarkup } from "./recovery.ts";

/** What comes of the last review. */
export interface ReviewOutcome {
  /** The list with a task for each finding that has to be fixed; written before the rest. */
  readonly tasks?: string;
  readonly write: Write;
}

/** There is one round, so it must not become a second plan. */
const MAX_TASKS = 5;

/** Findings that matter become tasks at the end of the list; the others go into the summary. */
export function planReview(
  standing: RunStanding,
  said: { readonly report: string; readonly agent: string },
): ReviewOutcome {
  const findings = parseReview(said.report);
  const loop: Loop = { ...standing.loop, review: "heard" };
  const serious = findings.filter(({ severity }) => severity !== "minor").slice(0, MAX_TASKS);
  const last = standing.list.tasks.at(-1);
  const grown =
    last === undefined || serious.length === 0
      ? undefined
      : insertTasks({ ...standing, loop }, last, "after", tasksFor(standing, last, serious));
  const event = "reviewed" as const;
  if (grown === undefined) {
    return { write: { event, agent: said.agent, note: noteOf(findings, []), loop } };
  }
  const ids = grown.added.map(({ id }) => id);
  const rest = findings.filter((one) => !serious.includes(one));
  return {
    tasks: textOf(grown.list),
    write: {
      event,
      agent: said.agent,
      note: noteOf(rest, ids),
      loop: grown.loop,
      state: cacheFor(standing, grown),
    },
  };
}

function tasksFor({ list }: RunStanding, last: Task, findings: readonly Finding[]) {
  const ids = nextSubIds(list, last.id, findings.length);
  return findings.map(({ severity, text }, i) => {
    // The reviewer's cells: place, what is wrong, fix.
    const cells = text.split("|").map((cell) => cell.trim());
    const what = oneLine(stripMarkup(cells[1] ?? cells[0] ?? text), 100);
    return {
      id: ids[i],
      title: `Fix what the review found: ${what}`,
      fields: new Map([
        ["Do", `${severity}, found in the last review: ${text}`],
        ["Commit", `\`fix: ${oneLine(what.replaceAll("`", "'"), 60)}\``],
      ]),
    };
  });
}

/** First line: what came of it. Then each finding that nobody is sent for. */
function noteOf(findings: readonly Finding[], ids: readonly string[]): string {
  const head =
    ids.length > 0
      ? `${counted(ids.length, "finding")} became ${ids.join(", ")}`
      : findings.length === 0
        ? "no findings"
        : counted(findings.length, "finding");
  return [head, ...findings.map(({ severity, text }) => `${severity}: ${text}`)].join("\n");
}
