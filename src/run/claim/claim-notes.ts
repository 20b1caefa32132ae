import type { Task } from "../../tasks/model.ts";
import { isVerifyTask } from "../../tasks/tags.ts";
import type { Tree } from "./evidence.ts";
import { tellLeftAlone } from "./own-work.ts";

interface Noted {
  readonly checks: readonly unknown[];
  /** About its Verify. */
  readonly note: string | undefined;
  readonly outside: readonly string[];
  readonly noChange: string | undefined;
  /** It was claimed before, and the user has approved its Verify since. */
  readonly isApproved: boolean;
  readonly tree: Tree;
  readonly leftAlone: readonly string[];
}

/** What the receipt should say about an accepted claim besides the evidence. */
export const notesOn = (
  task: Task,
  { report, isByProgram }: { readonly report: string | null; readonly isByProgram?: boolean },
  { checks, note, outside, noChange, isApproved, tree, leftAlone }: Noted,
): string[] => [
  ...(report === null ? ["ticked by hand"] : []),
  ...(isByProgram === true ? [whyNoAgent(task, checks.length > 0, isApproved)] : []),
  ...(note === undefined ? [] : [note]),
  ...(outside.length === 0 ? [] : [`it also changed ${outside.slice(0, 5).join(", ")}`]),
  ...(noChange === undefined ? [] : [`nothing was changed: ${noChange}`]),
  ...(leftAlone.length === 0 ? [] : [tellLeftAlone(leftAlone)]),
  ...(tree === "uncommitted" ? ["its work was not committed"] : []),
];

function whyNoAgent(task: Task, hasChecks: boolean, isApproved: boolean): string {
  if (isVerifyTask(task)) return "no agent was needed";
  if (!hasChecks) return "the user approved it without a Verify";
  return `run after its Verify was ${isApproved ? "approved" : "replaced"}`;
}
