import type { TaskFacts } from "../facts/task-facts.ts";
import { BY_HAND } from "../run/claim/settled.ts";
import type { CoverageDiagnostic } from "./coverage.ts";

/** What is wrong with a ticked task. `isStrict`: also that it is neither proven nor only checked by design. */
export function checkTask(facts: TaskFacts, isStrict: boolean): CoverageDiagnostic[] {
  const { id, line, evidence, tree, commit, class: is, note, weakness, design } = facts;
  const found = { severity: "error", about: id, file: "tasks", line } as const;
  const failed = evidence.find(({ outcome }) => outcome !== "passed");
  if (is === "failed" && failed !== undefined)
    return [
      {
        ...found,
        code: "no-evidence",
        message: `${id} is ticked, but its Verify \`${failed.command}\` ${failed.outcome}.`,
        fix: ADVICE,
      },
    ];
  if (is === "reported" && (weakness !== null || note === BY_HAND))
    return [
      {
        ...found,
        code: "no-evidence",
        message: `${id} is ticked, but ${weakness ?? "nothing proves it"}.`,
        fix: ADVICE,
      },
    ];
  if (is === "checked" && tree === "uncommitted") {
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
  const isWeak = is === "reported" || (is === "checked" && design === null);
  if (!isStrict || !isWeak) return [];
  return [
    {
      ...found,
      code: "not-proven",
      message: `${id} is only ${is}: ${weakness ?? note ?? "there was nothing to run"}.`,
      fix: "Clear its box, give it a Verify that fails before the work and passes after it (or tag it [GUARD] if it is meant to be green all the time), and run it again.",
    },
  ];
}

/** Clearing the boxes of a spec that was finished long ago helps nobody. */
const ADVICE =
  "`smart-ralph trace --baseline` accepts what is there today; to prove it, clear its box and run it again.";
