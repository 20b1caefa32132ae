import type { Request } from "../../engine/request.ts";
import { headOf } from "../../git/own-tree.ts";
import { findGit } from "../../store/git-files.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { EXIT_0 } from "../../tasks/verify/expectation.ts";
import { oneLine } from "../../text/template.ts";
import type { RunOptions } from "../options.ts";
import { describeShared, shareFolders } from "./share-folders.ts";
import type { TaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

/** What made a new work tree usable. */
export interface Equipped {
  /** For the user, in sentences. */
  readonly notes: readonly string[];
  /** The end of what the setup command printed. */
  readonly output: string;
  /** Why the setup failed, if it did. */
  readonly failed?: string;
}

/** As the user's settings have them. */
export type EquipOptions = Pick<RunOptions, "setup" | "share">;

/** It may download the internet. */
const SETUP_MS = 1_800_000;

/**
 * Makes a run's work tree usable: by the user's own setup command, or with what is installed in the tree that it comes
 * from. Folders that are there already stay as they are.
 */
export async function equip(
  request: Pick<Request, "verifier" | "signal">,
  tree: Trunk | TaskTree,
  { setup, share }: EquipOptions,
): Promise<Equipped> {
  const signal = request.signal();
  if (setup !== undefined) {
    const options = {
      root: tree.project.root,
      commit: headOf(tree.top) ?? "",
      timeoutMs: SETUP_MS,
      signal,
    };
    const check = { command: setup, expects: EXIT_0 };
    const { outcome, exitCode, tail, why } = await request.verifier.run(check, options);
    if (outcome === "passed") return { notes: [], output: tail };
    const how = exitCode === null ? (why ?? outcome) : `exit code ${exitCode}`;
    const failed = `the setup \`${oneLine(setup, 100)}\` failed, ${how}`;
    return { notes: [], output: tail, failed };
  }
  const isTask = "trunk" in tree;
  const source = isTask ? tree.trunk.top : (findGit(tree.home.project.root)?.top ?? "");
  const { all } = isTask ? tree.trunk.place : tree.place;
  const shared = await shareFolders(realPathOf(source), tree.top, all, { signal, more: share });
  return { notes: isTask ? [] : describeShared(shared), output: "" };
}
