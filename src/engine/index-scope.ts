import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { findTop, openProject, type Project } from "../store/project.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { findProjectFor } from "./resolve-spec.ts";

/** A project without specs gets a folder for them; a home folder is not a project. */
export function resolveIndexProject(request: Request): Project {
  const found = findProjectFor(request);
  if (found !== undefined) return found;
  const [start = request.cwd] = request.starts;
  const root = findTop(start) ?? resolve(start);
  const { HOME, USERPROFILE } = request.env;
  if (root === HOME || root === USERPROFILE || dirname(root) === root) {
    throw new Refusal("missing", `${root} is not a project`, "run this in one");
  }
  return openProject(request.layout ?? request.editions[0], root);
}

/** A folder as written in the index: relative to the project, with forward slashes. */
export function folderInProject({ cwd }: Request, project: Project, path: string): string {
  const folder = resolve(cwd, path);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Refusal("usage", `--path: there is no folder "${path}"`);
  const name = relative(realpathSync(project.root), realpathSync(folder)).split(sep).join("/");
  if (name === ".." || name.startsWith("../") || resolve(name) === name)
    throw new Refusal("usage", `--path: "${path}" is not in the project`);
  return name;
}
