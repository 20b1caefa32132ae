import { RECEIPT, renderReceipt } from "../run/claim/receipt-table.ts";
import { planReceipt, type ReceiptLine } from "../run/claim/receipt.ts";
import { type Spent, spentOn } from "../run/cost.ts";
import { writeProgressSection } from "../store/progress.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";

/** Puts the receipt of a finished spec into its `.progress.md`. If that fails, the work still counts. */
export function writeReceipt(
  spec: Spec,
  list: TaskList,
): {
  readonly receipt: readonly ReceiptLine[];
  readonly spent: Spent | null;
  readonly fault: string | undefined;
} {
  const entries = readAllEntries(spec);
  const receipt = planReceipt(list, entries);
  const amendments = entries.flatMap(({ amendment }) => amendment ?? []);
  const text = renderReceipt(receipt, amendments);
  return { receipt, spent: spentOn(entries), fault: writeProgressSection(spec, RECEIPT, text) };
}
