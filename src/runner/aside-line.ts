import { type Aside, listAside } from "../git/aside.ts";
import { findRepository, refPart } from "../git/repository.ts";
import { namesOf, runGit } from "../git/run.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Job } from "./jobs.ts";

/**
 * Tells the next agent where the unfinished work of an earlier attempt is kept, unless its tree has all of it. It may be
 * several commits, so not `git show`: the last one may hold only notes.
 */
export function renderAside(spec: Spec, { id }: Pick<Job, "id">): string[] {
  const newest = listAside(spec).find(
    (one) => one.task === refPart(id) || (one.task === "take" && lastSent(spec, one) === id),
  );
  return newest === undefined || isInTree(spec, newest)
    ? []
    : [
        `Unfinished work of an earlier attempt at this task is not in your tree; it is kept: \`git diff HEAD...${newest.commit.slice(0, 10)}\`.`,
      ];
}

/** Whose work `take` kept: it only knows what was uncommitted. */
function lastSent(spec: Spec, { at }: Aside): string | undefined {
  // Git knows no parts of a second.
  const end = Date.parse(at) + 1000;
  return readAllEntries(spec).findLast(
    (one) => one.event === "delegated" && Date.parse(one.at) < end,
  )?.task;
}

/** Whether all that was changed there is the same in the tree. The spec's own files do not count. */
function isInTree(spec: Spec, { commit }: Aside): boolean {
  const repository = findRepository(spec);
  if (repository === undefined) return false;
  const { top } = repository.git;
  const diff = (...args: readonly string[]) => runGit(top, ["diff", "--no-renames", ...args, "--"]);
  const { ok, out } = diff("--name-only", "-z", `HEAD...${commit}`);
  const other = diff("--name-only", "-z", "HEAD", commit);
  const isOther = new Set(namesOf(other.out));
  return (
    ok && other.ok && !namesOf(out).some((name) => !repository.isOwn(name) && isOther.has(name))
  );
}
