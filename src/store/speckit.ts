import { join, sep } from "node:path";
import { withoutNumber } from "../spec/name.ts";
import { isObject } from "../text/schema.ts";
import { findGit, readBranch } from "./git-files.ts";
import type { Project } from "./project.ts";
import { readProjectFile, writeProjectFile } from "./project-file.ts";
import { MAX_BYTES } from "./read.ts";
import { findSpec, type Found, listSpecs, type Spec } from "./spec.ts";

/** By name or path; one that Spec Kit has numbered, also without its number. */
export function findNamedSpec(project: Project, word: string): Found {
  const found = findSpec(project, word);
  if (found.kind !== "none") return found;
  const specs = listSpecs(project).filter(({ name }) => withoutNumber(name) === word);
  const [only, ...others] = specs;
  if (only === undefined) return found;
  return others.length === 0 ? { kind: "ok", spec: only } : { kind: "ambiguous", specs };
}

/** What tells Spec Kit's own scripts which feature is worked on: the environment, a file of theirs, the branch. */
export function findSpecKitFeature(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): Found | undefined {
  if (project.layout.id !== "speckit") return undefined;
  const folders = [
    env["SPECIFY_FEATURE_DIRECTORY"],
    readFeatureFile(project)?.["feature_directory"],
  ];
  const names = [env["SPECIFY_FEATURE"], readBranch(findGit(project.root))];
  const [bySetting, byFile] = folders.map((folder) => inFolder(project, folder));
  const [byName, byBranch] = names.map((name) => byPrefix(project, name));
  return bySetting ?? byName ?? byFile ?? byBranch;
}

function inFolder(project: Project, folder: unknown): Found | undefined {
  if (typeof folder !== "string" || folder === "") return undefined;
  const path = folder.replaceAll(sep, "/");
  const found = findSpec(project, /^(?:\.{0,2}\/|[A-Za-z]:)/.test(path) ? path : `./${path}`);
  return found.kind === "ok" ? found : undefined;
}

/** `004-fix-it`, and `feat/004-fix-it`, mean the feature `004-…`: several branches may work on one. */
function byPrefix(project: Project, name: string | undefined): Found | undefined {
  const last = name?.split("/").at(-1) ?? "";
  const number = last.slice(0, last.length - withoutNumber(last).length);
  const specs = listSpecs(project);
  const exact = specs.find((spec) => spec.name === last);
  const [only, ...others] =
    exact !== undefined || number === ""
      ? [exact]
      : specs.filter((spec) => spec.name.startsWith(number));
  return only === undefined || others.length > 0 ? undefined : { kind: "ok", spec: only };
}

/** Newer versions of Spec Kit keep a pointer of their own: where there is one, its scripts go on with our feature. */
export function writeSpecKitPointer({ project, basePath }: Spec): void {
  const old = readFeatureFile(project);
  if (old === undefined || !basePath.startsWith("./")) return;
  const folder = basePath.slice(2);
  if (old["feature_directory"] === folder) return;
  const text = JSON.stringify({ ...old, feature_directory: folder }, null, 2);
  writeProjectFile(project, featureFile(project), `${text}\n`);
}

const featureFile = ({ root }: Project): string => join(root, ".specify", "feature.json");

/** Undefined where this project has none; empty where it holds nothing of use. */
function readFeatureFile(project: Project): Record<string, unknown> | undefined {
  if (project.layout.id !== "speckit") return undefined;
  const file = readProjectFile(project, featureFile(project), MAX_BYTES.settings);
  if (file.kind !== "ok") return undefined;
  try {
    const value: unknown = JSON.parse(file.text);
    return isObject(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
