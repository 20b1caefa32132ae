import { join } from "node:path";
import type { GitDirs } from "../store/git-files.ts";
import { statOf } from "../store/read.ts";

/** Files that git keeps while it waits for the user to continue. */
const OPERATIONS: Readonly<Record<string, string>> = {
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  BISECT_LOG: "bisect",
};

/** The operation that is in progress: a commit would become part of it, and a reset would end it silently. */
export const readOperation = ({ own }: GitDirs): string | undefined =>
  Object.entries(OPERATIONS).find(([file]) => statOf(join(own, file)) !== undefined)?.[1];
