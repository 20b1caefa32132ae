import { dirname, join } from "node:path";
import type { Project } from "./project.ts";
import { namesIn, type Spec, specAt } from "./spec.ts";

/** A spec that is kept, but no longer a spec of its project. */
export interface ArchivedSpec {
  readonly name: string;
  /** The day, `2026-11-16`. */
  readonly at: string;
  readonly spec: Spec;
}

export const archiveOf = ({ folder, project }: Pick<Spec, "folder" | "project">): string =>
  join(dirname(folder), project.layout.archive);

/** Newest first. */
export const listArchived = (project: Project): ArchivedSpec[] =>
  project.specsDirs
    .flatMap((folder) => {
      const archive = join(folder, project.layout.archive);
      return namesIn(archive).flatMap((entry) => {
        const [, at, name] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(entry) ?? [];
        return at === undefined || name === undefined
          ? []
          : [{ name, at, spec: specAt(project, join(archive, entry)) }];
      });
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
