import { few } from "../text/wording.ts";

/** Folders that a package manager or a compiler can make again, and the files that say what is in them. */
export const INSTALLED: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "node_modules",
    ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"],
  ],
  ["bower_components", ["bower.json"]],
  [".venv", ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"]],
  ["venv", ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"]],
  ["vendor", ["composer.lock", "Gemfile.lock", "go.sum"]],
  ["target", ["Cargo.lock"]],
  ["Pods", ["Podfile.lock"]],
  ["elm-stuff", ["elm.json"]],
]);

/** Whether a path leads into such a folder. */
export const isInstalled = (path: string): boolean =>
  path
    .split("/")
    .slice(0, -1)
    .some((name) => INSTALLED.has(name));

/** A folder of installed or built files that git ignores and tasks need. */
export interface SharedFolder {
  /** From the top of the repository. */
  readonly name: string;
  /** `links`: both trees have the same files on disk, so a change in place reaches the run's other tree too. */
  readonly how: "copies" | "links" | "nothing";
  /** Why it is not there. */
  readonly why?: string;
  /** The file that says what belongs in it, from the top of the repository. */
  readonly lock?: string;
  /** Both trees have the same lock. */
  readonly isSame?: boolean;
}

/** A tree of a commit, and what of the user's is in it. */
export interface EquippedTree {
  readonly commit: string;
  readonly shared: readonly SharedFolder[];
}

/** What the user should know about the folders that a tree got, in sentences: which are missing, and why. */
export const describeMissing = (
  shared: readonly SharedFolder[],
  setting: "run_setup" | "prove_setup",
): string[] =>
  shared
    .filter((one) => one.how === "nothing")
    .map(
      ({ name, why }) =>
        `${name} is not in the work tree: ${why ?? ""}. ${setting} in your settings can make it.`,
    );

/** Which folders of the user's are in trees of these commits, and whether these commits need others. */
export function describeShared(trees: readonly EquippedTree[]): string[] {
  const groups = new Map<string, { names: Set<string>; others: Set<string> }>();
  for (const { commit, shared } of trees)
    for (const { name, how, lock = "", isSame } of shared) {
      if (how === "nothing") continue;
      const group = groups.get(lock) ?? { names: new Set(), others: new Set() };
      groups.set(lock, group);
      group.names.add(name);
      if (isSame === false) group.others.add(commit.slice(0, 9));
    }
  return [...groups].map(([lock, { names, others }]) => {
    const [is, its] = names.size === 1 ? ["is", "its"] : ["are", "their"];
    const differs = `; ${its} ${lock} differs from that of ${few([...others])}`;
    return `${few([...names])} ${is} shared from your tree${others.size === 0 ? "" : differs}`;
  });
}
