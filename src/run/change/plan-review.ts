import { copyFields } from "../../tasks/edit/fix-task.ts";
import { fieldOf, findPaths } from "../../tasks/fields.ts";
import { nextSubIds } from "../../tasks/ids.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { isRed, isVerifyTask } from "../../tasks/tags.ts";
import { parseVerify } from "../../tasks/verify/verify.ts";
import { counted } from "../../text/wording.ts";
import { REVIEW } from "../agents-out.ts";
import type { Write } from "../decision.ts";
import type { Loop } from "../journal.ts";
import {
  type Finding,
  inconclusiveReviews,
  MAX_REVIEWS,
  parseReview,
  whyInconclusive,
} from "../review.ts";
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
  const unsaid = whyInconclusive(said.report);
  if (unsaid !== undefined) return planUnsaid(standing, said.agent, unsaid);
  const findings = parseReview(said.report);
  const { [REVIEW]: _, ...attempts } = standing.loop.attempts;
  const loop: Loop = { ...standing.loop, attempts, review: "heard" };
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

/** An answer without a verdict is not a review: it is asked for once more, and then the user is told. */
function planUnsaid({ loop }: RunStanding, agent: string, note: string): ReviewOutcome {
  const count = inconclusiveReviews(loop) + 1;
  const next: Loop = {
    ...loop,
    attempts: { ...loop.attempts, [REVIEW]: count },
    review: count < MAX_REVIEWS ? null : "heard",
  };
  return { write: { event: "reviewed", agent, note, loop: next } };
}

function tasksFor({ spec, list }: RunStanding, last: Task, findings: readonly Finding[]) {
  const ids = nextSubIds(list, last.id, findings.length);
  const proof = copyProof(list);
  return findings.map(({ severity, text }, i) => {
    // The reviewer's cells: place, what is wrong, fix.
    const [place = "", what = ""] = text.split("|").map((cell) => cell.trim());
    const files = findPaths(place).filter((path) => /\.[A-Za-z]\w*$/.test(path));
    const where = files[0] === undefined ? "" : ` in ${files[0]}`;
    return {
      id: ids[i],
      title: `Fix: ${stripMarkup(what || place, 65)}`,
      fields: [
        `**Do**: ${severity}, found in the last review: ${text}`,
        ...(files.length === 0 ? [] : [`**Files**: ${files.join(", ")}`]),
        ...proof,
        `**Commit**: \`fix(${spec.name}): review finding${where}\``,
      ],
    };
  });
}

/**
 * What proved the whole before has to pass after a fix too: the Verify of the last check, or else of the last task. The
 * user has agreed to its commands. A test that is meant to fail proves nothing now.
 */
function copyProof(list: TaskList): readonly string[] {
  const proven = list.tasks.filter((task) => {
    const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
    return checks.length > 0 && checks.every(({ doubt }) => doubt === undefined) && !isRed(task);
  });
  const best = proven.findLast(isVerifyTask) ?? proven.at(-1);
  return best === undefined ? [] : copyFields(list, best, ["verify"]);
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
