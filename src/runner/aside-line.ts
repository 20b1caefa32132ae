import { listAside } from "../git/aside.ts";
import { refPart } from "../git/repository.ts";
import type { Spec } from "../store/spec.ts";
import type { Job } from "./jobs.ts";

/**
 * Tells the next agent where the unfinished work of an earlier attempt is kept. It may be several commits, so not `git
 * show`: the last one may hold only notes.
 */
export function renderAside(spec: Spec, { id }: Job): string[] {
  const newest = listAside(spec).find(({ task }) => task === refPart(id));
  return newest === undefined
    ? []
    : [
        `Unfinished work of an earlier attempt at this task is not in your tree; it is kept: \`git diff HEAD...${newest.commit.slice(0, 10)}\`.`,
      ];
}
