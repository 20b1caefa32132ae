import { dirname, join } from "node:path";
import { ARCHIVE } from "../layouts/layout.ts";
import type { Project } from "./project.ts";
import { namesIn, type Spec, specAt } from "./spec.ts";

/** A spec that is kept, but no longer a spec of its project. */
export interface ArchivedSpec {
  readonly name: string;
  /** The day, `2026-11-16`. */
  readonly at: string;
  readonly spec: Spec;
}

export const archiveOf = ({ folder }: Pick<Spec, "folder">): string =>
  join(dirname(folder), ARCHIVE);

/** Newest first. */
export const listArchived = (project: Project): ArchivedSpec[] =>
  project.specsDirs
    .flatMap((folder) => {
      const archive = join(folder, ARCHIVE);
      return namesIn(archive).flatMap((entry) => {
        const [, at, name] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(entry) ?? [];
        return at === undefined || name === undefined
          ? []
          : [{ name, at, spec: specAt(project, join(archive, entry)) }];
      });
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
