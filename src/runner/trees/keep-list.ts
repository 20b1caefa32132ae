import { readProjectFile, writeProjectFile } from "../../store/project-file.ts";
import { MAX_BYTES } from "../../store/read.ts";
import { readAllEntries } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";

/**
 * Remembers the list of tasks while an agent works in the run's own tree. Agents may change the plan with our commands,
 * which the journal records. The returned function restores the list if the agent edited boxes or commands by hand, and
 * says whether it did.
 */
export function keepList(spec: Spec): () => boolean {
  const { project, tasks: path } = spec;
  const before = readProjectFile(project, path, MAX_BYTES.tasks);
  const known = readAllEntries(spec).length;
  return () => {
    if (before.kind !== "ok" || readAllEntries(spec).length !== known) return false;
    const now = readProjectFile(project, path, MAX_BYTES.tasks);
    if (now.kind === "ok" && now.text === before.text) return false;
    writeProjectFile(project, path, before.text, before.encoding);
    return true;
  };
}

export const tellPutBack = (id: string): string =>
  `the agent of ${id} changed the list of tasks by hand; the list was restored`;
