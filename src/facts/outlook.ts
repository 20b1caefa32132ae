import { planVerification } from "../run/claim/verification.ts";
import type { Settings } from "../run/settings.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import type { Design } from "../tasks/tags.ts";
import * as s from "../text/schema.ts";
import { counted } from "../text/wording.ts";

/** `why` is a clause about the task. */
const doubtful = s.objectOf({ id: s.field(s.string, ""), why: s.forPeople });

export const outlookKind = s.objectOf({
  open: s.field(s.integer(0), "How many tasks are open; the rest is about them."),
  done: s.field(s.integer(0), ""),
  // As a clause; null if that depends on the tasks.
  obstacle: s.field(s.nullable(s.string), "Why nothing at all can be proven."),
  provable: s.field(s.listOf(s.string), "Tasks whose Verify can fail."),
  byDesign: s.field(
    s.listOf(s.string),
    "Tasks that are checks by design: [VERIFY], [RED], [GUARD].",
  ),
  vain: s.field(s.listOf(doubtful), "Tasks whose Verify is run and proves nothing."),
  // Only a word will say that they are done.
  unchecked: s.field(s.listOf(doubtful), "Tasks that have nothing to run."),
});

/** What can come of a list at best, before the work on it begins: what `classify` will say if everything goes well. */
export type Outlook = s.TypeOf<typeof outlookKind>;
export type Doubtful = s.TypeOf<typeof doubtful>;

/** What the outlook depends on besides the list. */
export interface Terms {
  readonly settings: Pick<Settings, "evidence" | "verifyAllow" | "verifyBefore" | "commit">;
  readonly hasGit: boolean;
  /** What a task is by design, as the user agreed to it. */
  readonly designOf: (task: Task) => Design | null;
}

const NO_VERIFY = "it has no Verify";
const CANNOT_FAIL = "its Verify cannot fail";

/** Looks at the open tasks: what is ticked is done. */
export function planOutlook(list: TaskList, { settings, hasGit, designOf }: Terms): Outlook {
  const obstacle = findObstacle(settings, hasGit);
  const open = list.tasks.filter(({ checked }) => !checked);
  const provable: string[] = [];
  const byDesign: string[] = [];
  const vain: Doubtful[] = [];
  const unchecked: Doubtful[] = [];
  for (const task of open) {
    const { id } = task;
    const { checks, note } = planVerification(list, task, { ...settings, evidence: "required" });
    const doubts = checks.flatMap(({ doubt }) => doubt ?? []);
    if (checks.length === 0) unchecked.push({ id, why: note ?? NO_VERIFY });
    else if (settings.evidence === "off") unchecked.push({ id, why: obstacle ?? "" });
    else if (designOf(task) !== null) byDesign.push(id);
    else if (doubts.length < checks.length && obstacle === null) provable.push(id);
    else if (doubts.length < checks.length) vain.push({ id, why: obstacle ?? "" });
    else {
      const isSure = doubts.every(({ kind }) => kind === "cannot-fail");
      vain.push({ id, why: isSure ? CANNOT_FAIL : "its Verify proves nothing" });
    }
  }
  const done = list.tasks.length - open.length;
  return { open: open.length, done, obstacle, provable, byDesign, vain, unchecked };
}

function findObstacle(
  { evidence, verifyBefore, commit }: Terms["settings"],
  hasGit: boolean,
): string | null {
  if (evidence === "off") return "evidence is off";
  if (!hasGit) return "there is no git repository";
  if (commit === "off") return "commit is off";
  return verifyBefore ? null : "verify_before is false";
}

/** The tasks that nothing will prove, although nobody said that nothing should. */
export const listDoubtful = ({ vain, unchecked }: Outlook): Doubtful[] => [...vain, ...unchecked];

/** `12 tasks: 9 can be proven, 2 have a Verify that cannot fail (1.3, 1.7), 1 has none (2.1)` */
export function describeOutlook(outlook: Outlook): string {
  const { open, done, obstacle, provable, byDesign, vain, unchecked } = outlook;
  const tasks = counted(open, done === 0 ? "task" : "open task");
  if (obstacle !== null)
    return `${tasks}: ${open === 1 ? "it cannot" : "none can"} be proven, because ${obstacle}`;
  if (provable.length === open) return `${tasks}: ${open === 1 ? "it" : "all"} can be proven`;
  const which = (all: readonly Doubtful[], why: string): boolean =>
    all.every((one) => one.why === why);
  const weak = which(vain, CANNOT_FAIL) ? "cannot fail" : "proves nothing";
  const none = vain.length === 0 ? "no Verify" : "none";
  const runnable = which(unchecked, NO_VERIFY) ? "" : " that can be run";
  const parts = [
    [`${provable.length || "none"} can be proven`],
    tell(byDesign, "is a check by design", "are checks by design"),
    tell(idsOf(vain), `has a Verify that ${weak}`, `have a Verify that ${weak}`),
    tell(idsOf(unchecked), `has ${none}${runnable}`, `have ${none}${runnable}`),
  ];
  return `${tasks}: ${parts.flat().join(", ")}`;
}

const idsOf = (tasks: readonly Doubtful[]): string[] => tasks.map(({ id }) => id);

const MAX_NAMED = 8;

function tell(ids: readonly string[], is: string, are: string): string[] {
  if (ids.length === 0) return [];
  return [`${ids.length} ${ids.length === 1 ? is : are} (${name(ids)})`];
}

/** `1.1, 1.2 and 3 more` */
function name(words: readonly string[]): string {
  const more = words.length - MAX_NAMED;
  return words.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `1.3 (its Verify cannot fail), 2.1 (it has no Verify)` */
export const describeDoubtful = (tasks: readonly Doubtful[]): string =>
  name(tasks.map(({ id, why }) => `${id} (${why})`));
