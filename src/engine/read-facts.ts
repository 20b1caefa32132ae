import { selectRows } from "../facts/from-receipt.ts";
import { commitsIn } from "../facts/receipt-check.ts";
import { parseReceipt } from "../facts/receipt-table.ts";
import { parseReceiptFile, RECEIPT_FILE, type ReceiptRow } from "../facts/receipt.ts";
import { planFacts, type SpecFacts } from "../facts/spec-facts.ts";
import type { TaskSources } from "../facts/task-facts.ts";
import { readHistory } from "../git/history.ts";
import { pendingIn } from "../run/inbox.ts";
import { readDocument } from "../store/documents.ts";
import { readInbox } from "../store/inbox.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { vaultFolder } from "../store/vault-place.ts";
import { readAgreement, readRecord } from "../store/vault.ts";
import type { TaskList } from "../tasks/model.ts";
import { Refusal } from "./refusal.ts";

/**
 * What is known about a spec. `recorded` is where its journal is: that of a spec in a temporary work tree is elsewhere,
 * or there is none.
 */
export const readSpecFacts = (
  spec: Spec,
  list: TaskList,
  recorded: Spec | null = spec,
): SpecFacts => planFacts(spec.name, readSources(spec, list, recorded));

function readSources(spec: Spec, list: TaskList, recorded: Spec | null): TaskSources {
  const entries = recorded === null || !isOurs(recorded) ? [] : readAllEntries(recorded);
  const receipt = readReceipt(spec);
  const rows = [...selectRows(list, entries, receipt).values()];
  const commits = rows.flatMap(commitsIn);
  return {
    list,
    entries,
    agreed: recorded === null ? undefined : readAgreement(recorded),
    skipped: new Set(recorded === null ? [] : listSkipped(recorded, list)),
    receipt,
    // Git is started only if there is something to ask.
    history: rows.length > 0 ? readHistory(spec.project.root, commits) : NO_HISTORY,
    settings: spec.project.settings,
  };
}

/** Anyone may have written the copy in the project: it came with a clone, or the project was moved. */
const isOurs = (spec: Spec): boolean =>
  readRecord(spec) !== undefined || vaultFolder() === undefined;

const NO_HISTORY = { kind: "none", commits: new Set<string>() } as const;

const listSkipped = (spec: Spec, list: TaskList): string[] =>
  pendingIn(readInbox(spec), list).flatMap(({ kind, task }) => (kind === "skip" ? task : []));

/** Older versions left only a table. */
function readReceipt(spec: Spec): ReceiptRow[] {
  const file = readOwn(spec, RECEIPT_FILE);
  return file === undefined
    ? parseReceipt(readOwn(spec, ".progress.md") ?? "")
    : parseReceiptFile(file);
}

function readOwn(spec: Spec, name: string): string | undefined {
  const file = readDocument(spec, name);
  if (file.kind === "unreadable")
    throw new Refusal("broken", `${spec.basePath}/${name} cannot be read: ${file.why}`);
  return file.kind === "ok" ? file.text : undefined;
}
