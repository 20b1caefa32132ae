import { dirname, join } from "node:path";
import type { Project } from "./project.ts";
import { archivedName, namesIn, type Spec, specAt } from "./spec.ts";

/** A spec that is kept, but no longer a spec of its project. */
export interface ArchivedSpec {
  readonly name: string;
  /** The day, `2026-11-16`. */
  readonly at: string;
  readonly spec: Spec;
}

export const archiveOf = ({ folder, project }: Pick<Spec, "folder" | "project">): string =>
  join(dirname(folder), project.layout.archive);

const DAY = "2026-11-16".length;

/** Newest first. */
export const listArchived = (project: Project): ArchivedSpec[] =>
  project.specsDirs
    .flatMap((folder) => {
      const archive = join(folder, project.layout.archive);
      return namesIn(archive).flatMap((entry) => {
        const name = archivedName(entry);
        return name === undefined
          ? []
          : [{ name, at: entry.slice(0, DAY), spec: specAt(project, join(archive, entry)) }];
      });
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
