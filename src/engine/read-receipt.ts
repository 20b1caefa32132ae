import { fillFromReceipt } from "../run/claim/receipt-check.ts";
import { parseReceipt } from "../run/claim/receipt-table.ts";
import { planReceipt, type ReceiptLine } from "../run/claim/receipt.ts";
import type { Entry } from "../run/journal.ts";
import { readDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";

/** What is known about each task: from the journal and, where it says nothing, from the receipt in `.progress.md`. */
export function readReceipt(
  spec: Spec,
  list: TaskList,
  entries: readonly Entry[],
): readonly ReceiptLine[] {
  const file = readDocument(spec, ".progress.md");
  const rows = file.kind === "ok" ? parseReceipt(file.text) : [];
  return fillFromReceipt(planReceipt(list, entries), rows, entries);
}
