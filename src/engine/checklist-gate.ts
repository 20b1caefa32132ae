import { type Checklist, describeChecklist, hasOpen } from "../spec/checklists.ts";
import { OPEN_POINTS } from "../spec/noted-items.ts";
import { formatPoint } from "../spec/open-points.ts";
import { readChecklists } from "../store/checklists.ts";
import { hasDocument } from "../store/documents.ts";
import { addProgressItems } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";

/** The checklists that a run should not begin without. Our own asks nothing about a document that nobody wrote. */
export function readGate(spec: Spec): Checklist[] {
  const { checklists, requirements } = spec.project.layout;
  const isWritten = hasDocument(spec, requirements);
  return readChecklists(spec).filter(({ name }) => isWritten || name !== checklists?.own);
}

/** A run that begins although checklists have open items says so to the end. Needs the spec's lock. */
export function noteOpen(spec: Spec, lists: readonly Checklist[]): void {
  const items = lists.filter(hasOpen).map((list) => ({
    phase: "implement",
    text: formatPoint({ kind: "risk", text: `begun with ${describeChecklist(list)}` }),
  }));
  if (items.length > 0) addProgressItems(spec, OPEN_POINTS, items);
}
