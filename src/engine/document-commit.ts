import type { Phase } from "../layouts/layout.ts";
import type { State } from "../run/state.ts";
import { commitFiles, readTracking } from "../git/commit.ts";
import type { Spec } from "../store/spec.ts";

export interface CommittedDocument {
  /** To go on with in a sentence. */
  readonly said: string;
  readonly json: object;
  readonly failed?: true;
}

/** Commits the document of a phase with the notes that belong to it, where the spec's documents are committed. */
export function commitDocument(spec: Spec, state: State, phase: Phase): CommittedDocument {
  if (state.commitSpec !== true) return { said: "", json: {} };
  const message = `docs(${spec.name}): ${phase.document.replace(/\.md$/, "")}`;
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
 * Commits the ticked list and the receipt of a finished spec: where the journal is not, in CI, they are what `trace` goes
 * by. A list that nobody put under git stays out of it.
 */
export function commitFinished(spec: Spec, state: State): void {
  if (state.commitSpec !== true || readTracking(spec, "tasks.md") !== "tracked") return;
  commitFiles(spec, ["tasks.md", ".progress.md"], `docs(${spec.name}): all tasks done`);
}
