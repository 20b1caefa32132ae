import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { addCleanTree, type CleanTree } from "../git/clean-tree.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { findGit } from "../store/git-files.ts";
import type { Project } from "../store/project.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { oneLine } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** A command that makes a clean work tree usable, and the folder in it to run it in. */
export interface Setup {
  readonly command: string;
  readonly within: string;
}

/** At least this long, whatever a Verify may take: it may download the internet. */
const SETUP_SECONDS = 600;

/** Where a project is in its repository. */
export const withinRepository = ({ root }: Pick<Project, "root">): string =>
  relative(realPathOf(findGit(root)?.top ?? root), realPathOf(root));

/** The same project in a clean work tree, with the settings that count here. */
export function projectIn({ top }: CleanTree, project: Project): Project {
  const root = join(top, withinRepository(project));
  const there = (path: string): string => join(root, relative(project.root, path));
  const inside = project.specsDirs.filter((folder) => isSameOrBelow(folder, project.root));
  const [first = join(root, project.layout.specsDirs[0]), ...others] = inside.map(there);
  return {
    ...project,
    root,
    outside: [],
    specsDirs: [first, ...others],
    pointer: there(project.pointer),
  };
}

/** The same spec there; undefined if it is not committed. */
export function specIn(copy: Project, { folder, project }: Spec): Spec | undefined {
  if (!isSameOrBelow(folder, project.root)) return undefined;
  const there = join(copy.root, relative(project.root, folder));
  return existsSync(there) ? specAt(copy, there) : undefined;
}

/** Checks out a commit, and runs the setup in it. */
export async function openTree(
  { verifier, signal }: Request,
  root: string,
  commit: string,
  setups: readonly Setup[],
  timeoutSeconds: number,
): Promise<CleanTree> {
  const made = addCleanTree(root, commit, signal());
  if (made.kind === "failed")
    throw new Refusal("broken", `${commit.slice(0, 9)} cannot be checked out: ${made.why}`);
  const { tree } = made;
  for (const { command, within } of setups) {
    const timeoutMs = Math.max(SETUP_SECONDS, timeoutSeconds) * 1000;
    const options = { root: join(tree.top, within), commit, timeoutMs, signal: tree.signal };
    const { outcome, exitCode, tail, why } = await verifier.run(
      { command, expects: EXIT_0 },
      options,
    );
    if (outcome === "passed") continue;
    tree.remove();
    const how = exitCode === null ? (why ?? outcome) : `exit code ${exitCode}`;
    const said = oneLine(tail.split("\n").at(-1) ?? "");
    throw new Refusal("refused", `the setup \`${command}\` failed, ${how}: ${said}`);
  }
  return tree;
}
