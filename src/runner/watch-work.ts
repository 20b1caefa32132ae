import { join } from "node:path";
import { headOf } from "../git/own-tree.ts";
import { readChanges, touched } from "../git/working-tree.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import type { Spec } from "../store/spec.ts";

/**
 * Call it before an attempt's agent starts. Once the agent has ended, tells whether it has changed what its task is
 * about. That is what its Files name, or without any, everything but the spec's own folder. If git cannot tell, it has.
 */
export function watchWork(
  cwd: string,
  { basePath }: Pick<Spec, "basePath">,
  files: readonly string[],
): () => boolean {
  const isIn = planCover(files.length === 0 ? [basePath] : files);
  const begun = new Date().toISOString();
  const base = headOf(cwd) ?? "";
  return () => {
    const changed = readChanges(cwd, base, { begun });
    const isWork = (name: string): boolean =>
      isIn(name) === files.length > 0 && touched(join(cwd, name), begun);
    return changed === undefined || changed.some(isWork);
  };
}
