import { join } from "node:path";
import { branchTemplate } from "../spec/branch-name.ts";
import { orElse } from "../text/or-else.ts";
import { isObject } from "../text/schema.ts";
import { parseYaml } from "../text/yaml.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { MAX_BYTES } from "./read.ts";

/** How the layout's own tool was set up to number specs: by counting, or by date and time. */
export function readNumbering(project: Project): "sequential" | "timestamp" {
  const said = readObject(project, project.layout.peer?.options, JSON.parse);
  // The second is what older versions of Spec Kit called it.
  const numbering = said["feature_numbering"] ?? said["branch_numbering"];
  return numbering === "timestamp" ? "timestamp" : "sequential";
}

/** How the layout's own tool was set up to call branches, if it was. */
export function readBranchTemplate(project: Project): string | undefined {
  const said = readObject(project, project.layout.peer?.branches, parseYaml);
  const textOf = (key: string): string => (typeof said[key] === "string" ? said[key] : "");
  return branchTemplate(textOf("branch_template"), textOf("branch_prefix"));
}

/** Empty if there is no such file, or if it says nothing that can be read. */
export function readObject(
  project: Project,
  path: string | undefined,
  parse: (text: string) => unknown,
): Readonly<Record<string, unknown>> {
  if (path === undefined) return {};
  const file = readProjectFile(project, join(project.root, path), MAX_BYTES.settings);
  if (file.kind !== "ok") return {};
  const value = orElse(() => parse(file.text), undefined);
  return isObject(value) ? value : {};
}
