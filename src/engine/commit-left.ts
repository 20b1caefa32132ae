import { join } from "node:path";
import { commitPaths } from "../git/commit-paths.ts";
import { pickClear } from "../git/tracked.ts";
import { planCover } from "../run/claim/file-boundary.ts";
import { requiresCommit } from "../run/trust.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { parseFiles, readFields } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { oneLine } from "../text/template.ts";
import { readWork } from "./read-work.ts";
import type { Request } from "./request.ts";
import { requireTask, withRun } from "./with-run.ts";

/**
 * Commits what an agent left uncommitted, if it is clearly the agent's work: the check of its claim names anything else.
 * With `edited`, the user writes in the same tree, and only what is the agent's by that rule is committed. Returns why
 * the commit fails, if it does.
 */
export const commitLeft = (
  request: Request,
  spec: Spec,
  id: string,
  { edited, report }: { readonly edited?: ReadonlySet<string>; readonly report: string },
): string | undefined =>
  withRun(request, spec, ({ list, state, disk }) => {
    const task = requireTask(list, id);
    if (!requiresCommit(spec.project.settings, disk.record)) return undefined;
    const seen = { commitSpec: state.commitSpec === true, edited, report };
    const { uncommitted } = readWork(spec, list, task, readAllEntries(spec), seen);
    const { root } = spec.project;
    const names =
      edited === undefined
        ? pickClear(root, uncommitted, planCover(parseFiles(list, task)))
        : uncommitted;
    const isOwn = (path: string): boolean => isSameOrBelow(join(root, path), spec.folder);
    return commitPaths(root, names, commitMessage(spec, list, task, names.every(isOwn)));
  });

/** The commit message that the task asks for, or its title; if only the spec's own files changed, it is not the task's work. */
export function commitMessage(
  { name }: Pick<Spec, "name">,
  list: TaskList,
  task: Task,
  isOnlyNotes: boolean,
): string {
  if (isOnlyNotes) return `docs(${name}): notes of ${task.id}`;
  const wanted = readFields(list, task).findLast((field) => field.name === "commit")?.value ?? "";
  const line = oneLine(wanted.replace(/^`+|(?<!`)`+$/g, ""), 200);
  return line === "" ? `feat(${name}): ${oneLine(task.title, 150)}` : line;
}
