import { type KnownTree, listNewLinks, repairTree } from "../../git/repair-tree.ts";
import { watchOutside } from "../../git/watch-outside.ts";
import { isFolder } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";
import type { Aftermath } from "../ground.ts";
import type { Job } from "../jobs.ts";

/**
 * Call before an agent works in a tree of ours. When the agent is gone, call the returned function before anything else:
 * until then it is not safe to run our git there.
 */
export function watchTree(
  known: KnownTree | undefined,
  { id }: Pick<Job, "id">,
  base: string | undefined,
  /** The commit that is being merged while the agent works: the merge stays open. */
  merged?: string,
): () => Aftermath {
  if (known === undefined) return () => ({ notes: [] });
  const { top } = known.git;
  const readOutside = watchOutside(top);
  return () => {
    // The agent removed the tree: the next step that needs it will report that.
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
        ? "git cannot tell which repositories were added inside the project's"
        : links.length === 0
          ? undefined
          : tellLinks(id, links));
    return { notes, ...(failed === undefined ? {} : { failed }) };
  };
}

const nameFew = (names: readonly string[]): string =>
  oneLine(names.slice(0, 5).join(", ") + (names.length > 5 ? ", \u2026" : ""), 500);

const tellLinks = (id: string, links: readonly string[]): string =>
  `${id} added a repository inside the project's: ${nameFew(links)}. Remove it with its folder: only the user adds submodules.`;

const tellOutside = (id: string, names: readonly string[]): string =>
  `While ${id} was worked on, these changed outside the run's branch: ${nameFew(names)}. If that was not you, look at them; nothing was undone.`;
