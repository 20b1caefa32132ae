import { type KnownTree, listNewLinks, repairTree } from "../../git/repair-tree.ts";
import { watchOutside } from "../../git/watch-outside.ts";
import { isFolder } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";
import type { Job } from "../jobs.ts";

/** What an agent left of the repository that it worked in. */
export interface Left {
  readonly notes: readonly string[];
  /** Why its work cannot be taken, if so. */
  readonly failed?: string;
}

/**
 * Call before an agent works in a tree of ours, and what this returns before anything else once it is gone: until then
 * our own git is not safe there.
 */
export function watchTree(
  known: KnownTree | undefined,
  { id }: Pick<Job, "id">,
  base: string | undefined,
  /** What is being merged while the agent works: the merge stays open. */
  merged?: string,
): () => Left {
  if (known === undefined) return () => ({ notes: [] });
  const { top } = known.git;
  const readOutside = watchOutside(top);
  return () => {
    // It has removed the tree: whoever needs it next sees that.
    if (!isFolder(top)) return { notes: [] };
    const broken = repairTree(known, base, { endsOperation: merged === undefined });
    const outside = readOutside();
    const notes = outside.length === 0 ? [] : [tellOutside(id, outside)];
    const links =
      base === undefined
        ? []
        : listNewLinks(top, [base, ...(merged === undefined ? [] : [merged])]);
    const failed =
      broken ??
      (links === undefined
        ? "git cannot say which repositories were added inside of the project's"
        : links.length === 0
          ? undefined
          : tellLinks(id, links));
    return { notes, ...(failed === undefined ? {} : { failed }) };
  };
}

const few = (names: readonly string[]): string =>
  oneLine(names.slice(0, 5).join(", ") + (names.length > 5 ? ", \u2026" : ""), 500);

const tellLinks = (id: string, links: readonly string[]): string =>
  `${id} added a repository inside of the project's: ${few(links)}. Remove it with its folder: only the user adds submodules.`;

const tellOutside = (id: string, names: readonly string[]): string =>
  `While ${id} was worked on, these changed outside of the run's branch: ${few(names)}. If that was not you, look at them; nothing was undone.`;
