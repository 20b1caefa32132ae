import { commitFiles, readTracking } from "../git/commit.ts";
import type { Phase } from "../layouts/layout.ts";
import type { State } from "../run/state.ts";
import type { Spec } from "../store/spec.ts";

export interface CommittedDocument {
  /** Appended to a sentence. */
  readonly said: string;
  readonly json: object;
  readonly failed?: true;
}

/** Commits the document of a phase with its notes, if the spec's documents are committed. */
export function commitDocument(spec: Spec, state: State, phase: Phase): CommittedDocument {
  if (state.commitSpec !== true) return { said: "", json: {} };
  const message = `docs(${spec.name}): ${phase.document.replace(/\.md$|\/$/, "")}`;
  const made = commitFiles(spec, [phase.document, ".progress.md"], message);
  switch (made.kind) {
    case "committed":
      return { said: ` (commit ${made.sha})`, json: { commit: made.sha } };
    case "nothing":
      return { said: "", json: {} };
    case "failed":
      return {
        said: ` (not committed: ${made.why})`,
        json: { notCommitted: made.why },
        failed: true,
      };
  }
}

/**
 * Commits the ticked list and the receipt of a finished spec: without the journal, as in CI, `trace` relies on them. A
 * list that is not under git stays out of it.
 */
export function commitFinished(spec: Spec, state: State): void {
  if (state.commitSpec !== true || readTracking(spec, "tasks.md") !== "tracked") return;
  commitFiles(spec, ["tasks.md", ".progress.md"], `docs(${spec.name}): all tasks done`);
}
