import { RECEIPT, renderReceipt } from "../facts/receipt-table.ts";
import { formatReceipt, RECEIPT_FILE } from "../facts/receipt.ts";
import type { SpecFacts } from "../facts/spec-facts.ts";
import { writeProgressSection, writeReceiptFile } from "../store/progress.ts";
import type { Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";
import { readSpecFacts } from "./read-facts.ts";

/** Writes the receipt of a finished spec: as data, and as a table in `.progress.md`. If that fails, the work still counts. */
export function writeReceipt(
  spec: Spec,
  list: TaskList,
): { readonly facts: SpecFacts; readonly fault: string | undefined } {
  const facts = readSpecFacts(spec, list);
  const { tasks, amendments } = facts;
  const fault =
    writeReceiptFile(spec, RECEIPT_FILE, formatReceipt(spec.name, tasks, amendments)) ??
    writeProgressSection(spec, RECEIPT, renderReceipt(tasks, amendments));
  return { facts, fault };
}
