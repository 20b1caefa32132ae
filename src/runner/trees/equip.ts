import { join } from "node:path";
import { withinRepository } from "../../engine/clean-copies.ts";
import type { Request } from "../../engine/request.ts";
import type { CleanTree } from "../../git/clean-tree.ts";
import { headOf } from "../../git/own-tree.ts";
import { findGit } from "../../store/git-files.ts";
import type { Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { EXIT_0 } from "../../tasks/verify/expectation.ts";
import { oneLine } from "../../text/template.ts";
import type { RunOptions } from "../options.ts";
import { describeShared, shareFolders } from "./share-folders.ts";
import type { TaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

/** The result of making a new work tree usable. */
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

/** A setup may download a lot. */
const SETUP_MS = 1_800_000;

/** A tree that is not usable yet. */
interface Bare {
  readonly root: string;
  readonly top: string;
  readonly commit: string;
  /** The top of the tree whose installed folders it gets. */
  readonly source: string;
  /** A folder on the same disk, for unfinished copies. */
  readonly spare: string;
  /** Whether files may be hard links: only if the source is the run's own tree too. */
  readonly mayLink: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes a run's work tree usable: with the user's setup command, or with what is installed in the tree that it was made
 * from. Existing folders stay as they are.
 */
export async function equip(
  request: Pick<Request, "verifier" | "signal">,
  tree: Trunk | TaskTree,
  options: EquipOptions,
): Promise<Equipped> {
  const isTask = "trunk" in tree;
  const { top, project } = tree;
  const equipped = await equipBare(request, options, {
    root: project.root,
    top,
    commit: headOf(top) ?? "",
    source: isTask ? tree.trunk.top : topOf(tree.home),
    spare: (isTask ? tree.trunk : tree).place.all,
    mayLink: isTask,
    signal: request.signal(),
  });
  return isTask ? { ...equipped, notes: [] } : equipped;
}

/** Equips a clean checkout from the user's tree: agents may have changed the trunk's installed folders. */
export const equipClean = (
  request: Pick<Request, "verifier">,
  { project, home, place }: Trunk,
  { top, commit, signal }: CleanTree,
  options: EquipOptions,
): Promise<Equipped> =>
  equipBare(request, options, {
    root: join(top, withinRepository(project)),
    top,
    commit,
    source: topOf(home),
    spare: place.all,
    mayLink: false,
    signal,
  });

const topOf = ({ project }: Spec): string => findGit(project.root)?.top ?? "";

async function equipBare(
  { verifier }: Pick<Request, "verifier">,
  { setup, share }: EquipOptions,
  { root, top, commit, source, spare, mayLink, signal }: Bare,
): Promise<Equipped> {
  if (setup !== undefined) {
    const check = { command: setup, expects: EXIT_0 };
    const options = { root, commit, timeoutMs: SETUP_MS, signal };
    const { outcome, exitCode, tail, why } = await verifier.run(check, options);
    if (outcome === "passed") return { notes: [], output: tail };
    const how = exitCode === null ? (why ?? outcome) : `exit code ${exitCode}`;
    const failed = `the setup \`${oneLine(setup, 100)}\` failed, ${how}`;
    return { notes: [], output: tail, failed };
  }
  const options = { signal, more: share, mayLink };
  const shared = await shareFolders(realPathOf(source), top, spare, options);
  return { notes: describeShared(shared), output: "" };
}
