import { join, relative } from "node:path";
import { findGit } from "../../store/git-files.ts";
import type { Project } from "../../store/project.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import { isSameFolder, realPathOf } from "../../store/vault-place.ts";
import { listTrunks } from "./record.ts";

/** The project's specs that have a run's work tree, at their place in the user's tree, where some do not exist yet. */
export const listHomes = (project: Project): Spec[] =>
  findGit(project.root) === undefined
    ? []
    : listTrunks(project.root)
        .filter(
          ({ record }) =>
            record.stage !== "opening" &&
            record.layout === project.layout.id &&
            isSameFolder(record.root, project.root),
        )
        .map(({ record }) =>
          specAt(project, join(project.root, relative(realPathOf(project.root), record.folder))),
        );
