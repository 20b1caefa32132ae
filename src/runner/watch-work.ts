import { join } from "node:path";
import { headOf } from "../git/own-tree.ts";
import { readChanges, touched } from "../git/working-tree.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles } from "../tasks/fields.ts";
import type { TaskList } from "../tasks/model.ts";

interface WorkWatch {
  readonly namesFiles: boolean;
  /**
   * Whether an agent that has ended has changed what its task is about. That is what its Files name, or without any,
   * everything but the spec's own folder. If git cannot tell, it has.
   */
  readonly hasWorked: () => boolean;
}

/** Call it before an attempt's agent starts. */
export function watchWork(
  cwd: string,
  { basePath }: Pick<Spec, "basePath">,
  list: TaskList | undefined,
  id: string,
): WorkWatch {
  const task = list?.tasks.find((one) => one.id === id);
  const files = list === undefined || task === undefined ? [] : parseFiles(list, task);
  const isIn = planCover(files.length === 0 ? [basePath] : files);
  const begun = new Date().toISOString();
  const base = headOf(cwd) ?? "";
  const hasWorked = (): boolean => {
    const changed = readChanges(cwd, base, { begun });
    const isWork = (name: string): boolean =>
      isIn(name) === files.length > 0 && touched(join(cwd, name), begun);
    return changed === undefined || changed.some(isWork);
  };
  return { namesFiles: files.length > 0, hasWorked };
}
