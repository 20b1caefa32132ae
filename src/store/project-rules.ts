import { join } from "node:path";
import { CONSTITUTION, MEMORY_FOLDER } from "../layouts/layout.ts";
import type { Rules } from "../prompts/rules.ts";
import { parseConstitution } from "../spec/constitution.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { MAX_BYTES } from "./read.ts";

/** The project's constitution; undefined if there is none, or only its template. */
export function readRules(project: Project): Rules | undefined {
  const path = join(project.root, MEMORY_FOLDER, CONSTITUTION);
  const file = readProjectFile(project, path, MAX_BYTES.document);
  const found = file.kind === "ok" ? parseConstitution(file.text) : undefined;
  return found === undefined ? undefined : { path, principles: found.principles };
}
