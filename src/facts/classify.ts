import type { Evidence, Tree } from "../run/claim/evidence.ts";
import { CLASSES, type TaskClass, type Verdict } from "../run/claim/verdict.ts";
import type { Design } from "../tasks/tags.ts";
import { counted } from "../text/wording.ts";

/** What is known about a task. */
export interface Known {
  readonly isTicked: boolean;
  /** The user skipped it. */
  readonly isSkipped: boolean;
  /** Every attempt at it has failed. */
  readonly isExhausted: boolean;
  /** The user declared it done, during the run or by ticking it before. */
  readonly isAccepted: boolean;
  readonly design: Design | null;
  readonly before: readonly Pick<Evidence, "outcome" | "doubt">[];
  readonly evidence: readonly Pick<Evidence, "outcome" | "doubt">[];
  /** Its own; null if nobody could tell. */
  readonly commits: readonly string[] | null;
  readonly tree: Tree | null;
  readonly noChange: string | null;
  /** An older version recorded it, which did not look whose commits are whose. */
  readonly isOlder: boolean;
  /** Why what is recorded about it cannot be true. */
  readonly doubt: string | null;
}

/** A ticked task that nothing is known about. */
export const NOTHING_KNOWN = {
  isTicked: true,
  isSkipped: false,
  isExhausted: false,
  isAccepted: false,
  before: [],
  evidence: [],
  commits: null,
  tree: null,
  noChange: null,
  isOlder: false,
  doubt: null,
} as const satisfies Partial<Known>;

/** The one place that decides what is proven. */
export function classify(known: Known): Verdict {
  const { isTicked, evidence, design } = known;
  const is = (name: TaskClass, weakness: string | null = null): Verdict => ({
    class: name,
    weakness,
    design,
  });
  if (!isTicked) return is(known.isSkipped ? "skipped" : known.isExhausted ? "failed" : "open");
  if (known.doubt !== null) return is("reported", known.doubt);
  if (evidence.some(({ outcome }) => outcome !== "passed")) return is("failed");
  if (known.isAccepted) return is("accepted");
  if (evidence.length === 0) return is("reported");
  const weakness = weaknessOf(known);
  return is(weakness === null ? "proven" : "checked", weakness);
}

const DESIGNED: Readonly<Record<Design, string>> = {
  verify: "a check by design",
  red: "a failing test by design",
  guard: "a regression guard by design",
};

/** Why a Verify that passes proves less than it could. */
function weaknessOf(known: Known): string | null {
  const { design, evidence, commits, tree, noChange, isOlder } = known;
  // What proves nothing however it ends does not count before the work either.
  const before = known.before.filter(({ doubt }) => doubt === undefined);
  if (design !== null) return DESIGNED[design];
  if (evidence.every(({ doubt }) => doubt !== undefined))
    return `its Verify proves nothing: ${evidence[0]?.doubt ?? ""}`;
  if (noChange !== null) return `nothing was changed: ${noChange}`;
  if (tree === "no-git") return "without git, no commit says what was checked";
  if (tree === "uncommitted") return "its work was not committed";
  if (commits?.length === 0) return "it has no commit of its own";
  if (before.length === 0) return "nobody saw its Verify fail before the work";
  if (before.every(({ outcome }) => outcome === "passed"))
    return "its Verify passed before the work";
  if (!before.some(({ outcome }) => outcome === "failed"))
    return "its Verify was not seen to fail before the work";
  return commits === null && !isOlder ? "nobody can tell which commits are its own" : null;
}

/** What a run needs to know about a task to call its own work proven. */
export type Standing = Pick<Known, "design" | "commits" | "tree" | "noChange" | "evidence"> & {
  readonly id: string;
  readonly class: TaskClass;
};

/**
 * The tasks that keep a finished run from being a success. A refactoring under green tests has a commit to show, and what
 * had been done before has a Verify that could have failed; but a run in which nothing at all was changed has done nothing.
 */
export function listUnproven(tasks: readonly Standing[]): string[] {
  const isIdle = tasks.every((task) => isNoChange(task) || task.design !== null);
  const bad = tasks.filter((task) => !holds(task) || (isIdle && isNoChange(task)));
  return bad.map(({ id }) => id);
}

const isNoChange = ({ class: is, noChange }: Standing): boolean =>
  is === "checked" && noChange !== null;

function holds(task: Standing): boolean {
  if (task.class === "proven" || task.class === "accepted") return true;
  if (task.class !== "checked") return false;
  const canFail = task.evidence.some(({ doubt }) => doubt === undefined);
  return task.design !== null || (isNoChange(task) ? canFail : hasOwnCommit(task));
}

/** Older versions did not record which commits are a task's own. */
const hasOwnCommit = ({ commits, tree }: Standing): boolean =>
  commits === null ? tree === "clean" || tree === "dirty" : commits.length > 0;

/** How many tasks are in each class, and in all. */
export type Counts = Readonly<Record<TaskClass | "total" | "done", number>>;

export function countClasses(tasks: readonly { readonly class: TaskClass }[]): Counts {
  const count = (name: TaskClass): number => tasks.filter((task) => task.class === name).length;
  const counts = Object.fromEntries(CLASSES.map((name) => [name, count(name)])) as Record<
    TaskClass,
    number
  >;
  const left = counts.open + counts.skipped + counts.failed;
  return { ...counts, total: tasks.length, done: tasks.length - left };
}

/** What is open needs no word. */
const PARTS = [
  ["proven", "checked", "accepted", "reported"],
  ["failed", "skipped"],
] as const satisfies TaskClass[][];

const partsOf = (counts: Counts): string[] =>
  PARTS.map((names) =>
    names.flatMap((is) => (counts[is] > 0 ? `${counts[is]} ${is}` : [])).join(", "),
  );

/** `2 proven, 1 accepted; 1 failed, 1 skipped`: what is done, and then what is not. */
export const describeClasses = (counts: Counts): string =>
  partsOf(counts)
    .filter((part) => part !== "")
    .join("; ");

/** `3 of 6 tasks done: 2 proven, 1 accepted; 1 failed` */
export function describeCounts(counts: Counts): string {
  const [done, left] = partsOf(counts);
  return `${counts.done} of ${counted(counts.total, "task")} done${done && `: ${done}`}${left && `; ${left}`}`;
}
