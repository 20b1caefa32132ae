import type { TaskClass } from "../run/claim/verdict.ts";

/** What stands before a task in every view. */
export const MARKS: Readonly<Record<TaskClass, string>> = {
  proven: "✓",
  checked: "~",
  accepted: "✓",
  reported: "○",
  failed: "✗",
  open: "·",
  skipped: "⤼",
};

/** Before what waits for the user: a question about a task, or a line with something to do. */
export const WAITS = "?";
