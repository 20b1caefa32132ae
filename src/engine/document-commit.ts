import { RECEIPT_FILE } from "../facts/receipt.ts";
import { commitFiles, type CommitResult, isTracked } from "../git/commit.ts";
import type { Phase } from "../layouts/layout.ts";
import { phaseBefore } from "../layouts/phases.ts";
import type { State } from "../run/state.ts";
import { readPhases } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";

export interface CommittedDocument {
  /** Appended to a sentence. */
  readonly said: string;
  readonly json: object;
  readonly failed?: true;
}

/** Commits the document of a phase with what belongs to it and its notes, if the spec's documents are committed. */
export function commitDocument(spec: Spec, state: State, phase: Phase): CommittedDocument {
  if (state.commitSpec !== true) return { said: "", json: {} };
  const message = `docs(${spec.name}): ${phase.document.replace(/\.md$|\/$/, "")}`;
  const before = phaseBefore(readPhases(spec, state), phase);
  // The user's answers to its questions came with this phase.
  const names = [phase, ...(before?.questions === undefined ? [] : [before])]
    .flatMap(({ document, beside = [] }) => [document, ...beside])
    .concat(".progress.md");
  return describeCommit(commitFiles(spec, names, message));
}

export function describeCommit(made: CommitResult): CommittedDocument {
  switch (made.kind) {
    case "committed":
      return { said: ` (commit ${made.sha})`, json: { commit: made.sha } };
    case "nothing":
      return { said: "", json: {} };
    case "failed":
      return {
        said: ` (${tellUncommitted(made.why)})`,
        json: { notCommitted: made.why },
        failed: true,
      };
  }
}

/** A commit of ours that failed, in git's own words. */
const tellUncommitted = (why: string): string =>
  `not committed: ${oneLine(why, 300)}; fix that, then commit it by hand`;

/**
 * Commits the ticked list and the receipt of a finished spec: without the journal, as in CI, `trace` relies on them. A
 * list that is not under git stays out of it. Returns what to tell if that fails.
 */
export function commitFinished(spec: Spec, state: State): string | undefined {
  if (state.commitSpec !== true || !isTracked(spec, "tasks.md")) return undefined;
  const names = ["tasks.md", ".progress.md", RECEIPT_FILE];
  const made = commitFiles(spec, names, `docs(${spec.name}): all tasks done`);
  return made.kind === "failed"
    ? `its list and receipt are ${tellUncommitted(made.why)}`
    : undefined;
}
