import { basename } from "node:path";
import { RECEIPT_FILE } from "../facts/receipt.ts";
import type { Spec } from "./spec.ts";

/** Whether the run itself writes this file of a spec's folder: during a run, only the copy in its own work tree counts. */
export function isRunFile({ project, progress }: Spec, name: string): boolean {
  const { stateFile, journalFile } = project.layout;
  return (
    [stateFile, journalFile, basename(progress), RECEIPT_FILE].includes(name) ||
    /^\.(?:inbox\b|progress-task-)/.test(name)
  );
}

/** Run files and the list of tasks are never a task's work. */
export const isBookkeeping = (spec: Spec, name: string): boolean =>
  isRunFile(spec, name) || name === basename(spec.tasks);
