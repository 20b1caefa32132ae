import { isAccepted, isWord } from "../run/claim/receipt-check.ts";
import type { ReceiptRow } from "../run/claim/receipt-table.ts";
import type { Task } from "../tasks/model.ts";
import type { CoverageDiagnostic } from "./coverage.ts";

/**
 * `proven`: its Verify passed. `accepted`: the user said so. `reported`: accepted as done, but there was nothing to run.
 * `unproven`: only its box is ticked, or its receipt cannot be true, or its work was not committed. `failed`: ticked
 * although its Verify failed.
 */
export type TaskStanding = "open" | "proven" | "accepted" | "reported" | "unproven" | "failed";

type Record = Pick<ReceiptRow, "done" | "evidence" | "note" | "tree" | "before" | "commit">;

/** `doubt`: why its Verify proves nothing, however it ends. */
export function standingOf(
  { done, evidence, note, tree }: Record,
  doubt: string | undefined,
): TaskStanding {
  if (!done) return "open";
  if (evidence.some(({ outcome }) => outcome !== "passed")) return "failed";
  if (evidence.length > 0 && doubt !== undefined) return "reported";
  if (evidence.length > 0) return tree === "uncommitted" ? "unproven" : "proven";
  if (isAccepted(note)) return "accepted";
  return isWord(note) ? "unproven" : "reported";
}

/** What weakens the evidence of a task. */
export function caveatOn(
  { done, evidence, before, tree }: Record,
  doubt: string | undefined,
): string | null {
  if (!done || evidence.length === 0) return null;
  if (doubt !== undefined) return `proves nothing: ${doubt}`;
  if (tree === "uncommitted") return "its work was not committed when it ran";
  if (before.length > 0 && before.every((outcome) => outcome === "passed"))
    return "passed before the work: proves little";
  if (tree === "no-git") return "without git: no commit says what was checked";
  return tree === "dirty" ? "other files were uncommitted when it ran" : null;
}

/** Why a ticked task is not proven; `doubt` is what speaks against its receipt. */
export function checkEvidence(
  { id, line }: Task,
  standing: TaskStanding,
  { evidence, tree, commit }: Record,
  doubt: string | undefined,
): CoverageDiagnostic[] {
  if (standing !== "unproven" && standing !== "failed") return [];
  const found = { severity: "error", about: id, file: "tasks", line } as const;
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  if (doubt === undefined && failed === undefined && tree === "uncommitted") {
    const at = commit === null ? "" : ` (at ${commit.slice(0, 9)})`;
    return [
      {
        ...found,
        code: "uncommitted-evidence",
        message: `${id} is ticked, but when its Verify passed${at}, its work was not committed.`,
        fix: `Commit it, then clear its box and report it again. ${ADVICE}`,
      },
    ];
  }
  return [
    {
      ...found,
      code: "no-evidence",
      message:
        failed === undefined
          ? `${id} is ticked, but ${doubt ?? "nothing proves it"}.`
          : `${id} is ticked, but its Verify \`${failed.command}\` ${failed.outcome}.`,
      fix: ADVICE,
    },
  ];
}

/** Clearing the boxes of a spec that was finished long ago helps nobody. */
const ADVICE =
  "`smart-ralph trace --baseline` accepts what is there today; to prove it, clear its box and run it again.";
