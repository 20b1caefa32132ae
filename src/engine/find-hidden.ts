import { type HiddenFile, listHidden } from "../git/overlooked.ts";
import type { Repository } from "../git/repository.ts";
import { planNames, type Unread, type WorkTree } from "../git/working-tree.ts";
import { KEPT_OUT } from "../hosts/first.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import type { Checkpoint } from "../run/undo.ts";
import type { Spec } from "../store/spec.ts";

interface HidingTask {
  /** Flags, and rules that are in no commit, are compared with this: at the end of a list, with its beginning. */
  readonly start: Checkpoint | undefined;
  /** The task's own first attempt. */
  readonly own: Checkpoint | undefined;
  readonly files: readonly string[];
  readonly isBookkeeping: (name: string) => boolean;
}

/**
 * The files that git was told to overlook since a task began. None if its checkpoint does not say what git overlooked
 * then: an older version made it.
 */
export function findHidden(
  spec: Spec,
  { git: { top } }: Repository,
  { ignored }: WorkTree,
  { start, own, files, isBookkeeping }: HidingTask,
): HiddenFile[] | Unread {
  const { at = "", overlooked } = (start?.overlooked === undefined ? own : start) ?? {};
  if (ignored === undefined || own === undefined || overlooked === undefined) return [];
  const shown = planNames(top, spec.project.root);
  // A bare name or pattern also fits files in `node_modules`: only the one at the top is surely meant.
  const listed = files.map((name) => name.replace(/^(?:\.?\/)+/, ""));
  const covers = planCover(listed.filter((name) => /^[^/*?{]+\//.test(name)));
  const isListed = (name: string): boolean =>
    covers(name) || listed.some((one) => name === one || name.startsWith(`${one}/`));
  const found = listHidden(top, ignored, {
    before: { ...overlooked, at },
    began: { at: own.at, commit: own.commit, dirty: own.dirty ?? [] },
    isListed: (name) => isListed(shown(name)),
    isOurs: (name) => isBookkeeping(name) || KEPT_OUT.some((one) => name.endsWith(one)),
  });
  return "unread" in found ? found : found.map((one) => ({ ...one, name: shown(one.name) }));
}
