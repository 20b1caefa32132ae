import { planReceipt, RECEIPT, type ReceiptLine, renderReceipt } from "../core/receipt.ts";
import { readAllEntries } from "../store/disk.ts";
import { writeProgressSection } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/types.ts";

/** Puts the receipt of a finished spec into its `.progress.md`. */
export function leaveReceipt(spec: Spec, list: TaskList): readonly ReceiptLine[] {
  const receipt = planReceipt(list, readAllEntries(spec));
  writeProgressSection(spec, RECEIPT, renderReceipt(receipt));
  return receipt;
}
