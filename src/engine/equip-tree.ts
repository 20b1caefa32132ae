import { dirname, join } from "node:path";
import { addCleanTree, type CleanTree } from "../git/clean-tree.ts";
import { shareFolders } from "../git/share-folders.ts";
import { lastLine } from "../run/claim/useful-lines.ts";
import type { EquippedTree, SharedFolder } from "../run/installed.ts";
import { findGit } from "../store/git-files.ts";
import type { Project } from "../store/project.ts";
import { realPathOf } from "../store/vault-place.ts";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { showCommand } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** What a new work tree needs, as the user's settings have it. */
export interface Needs {
  /** Commands that install it. If there are none, what is installed in another tree is shared. */
  readonly setups: readonly Setup[];
  /** More folders to share, by name or by path. */
  readonly share: readonly string[];
}

export interface Setup {
  readonly command: string;
  /** The folder in the work tree to run it in. */
  readonly within: string;
}

/** A work tree that is not usable yet. */
interface BareTree extends Pick<CleanTree, "top" | "commit" | "signal"> {
  /** A folder of the tree whose installed folders it gets. */
  readonly source: string;
  /** A folder on the same disk, for unfinished copies. */
  readonly spare: string;
  /** Whether files may be hard links: only if the source is the run's own tree too. */
  readonly mayLink: boolean;
}

/** The result of making a work tree usable. */
export interface Equipped {
  readonly shared: readonly SharedFolder[];
  /** The end of what the setup printed. */
  readonly output: string;
  /** Why the setup failed, if it did. */
  readonly failed?: string;
}

/** It may download a lot. */
const SETUP_MS = 1_800_000;

/** Makes a work tree usable. Existing folders stay as they are. */
export async function equipTree(
  { verifier }: Pick<Request, "verifier">,
  { top, commit, source, spare, mayLink, signal }: BareTree,
  { setups, share }: Needs,
): Promise<Equipped> {
  let output = "";
  for (const { command, within } of setups) {
    const options = { root: join(top, within), commit, timeoutMs: SETUP_MS, signal };
    const ran = await verifier.run({ command, expects: EXIT_0 }, options);
    output = ran.tail;
    if (ran.outcome === "passed") continue;
    const how = ran.exitCode === null ? (ran.why ?? ran.outcome) : `exit code ${ran.exitCode}`;
    return {
      shared: [],
      output,
      failed: `the setup \`${showCommand(command, 100)}\` failed, ${how}`,
    };
  }
  if (setups.length > 0) return { shared: [], output };
  const from = realPathOf(findGit(source)?.top ?? source);
  return { shared: await shareFolders(from, top, spare, { signal, more: share, mayLink }), output };
}

/**
 * Checks out a commit of the project's repository, with what its Verify commands need from the user's own tree, as
 * copies. In a temporary folder, unless `parent` says where.
 */
export async function openClean(
  request: Pick<Request, "verifier" | "signal">,
  { root: source }: Pick<Project, "root">,
  commit: string,
  needs: Needs,
  parent?: string,
): Promise<CleanTree & EquippedTree> {
  const made = addCleanTree(source, commit, request.signal(), parent);
  if (made.kind === "failed")
    throw new Refusal("broken", `${commit.slice(0, 9)} cannot be checked out: ${made.why}`);
  const { tree } = made;
  try {
    const bare = { ...tree, source, spare: dirname(tree.top), mayLink: false };
    const { failed, output, shared } = await equipTree(request, bare, needs);
    if (failed === undefined) return { ...tree, shared };
    throw new Refusal("refused", `${failed}: ${lastLine(output) || "it printed nothing"}`);
  } catch (error) {
    tree.remove();
    throw error;
  }
}
