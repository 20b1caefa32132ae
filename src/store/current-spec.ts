import { join, sep } from "node:path";
import type { Peer } from "../layouts/layout.ts";
import { dropNumber } from "../spec/name.ts";
import { isObject } from "../text/schema.ts";
import { findGit, readBranch } from "./git-files.ts";
import { readProjectFile, writeProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { MAX_BYTES } from "./read.ts";
import { findSpec, type SpecLookup, listSpecs, type Spec } from "./spec.ts";

/** By name or path; a spec that Spec Kit has numbered, also without its number. */
export function findNamedSpec(project: Project, word: string): SpecLookup {
  const found = findSpec(project, word);
  if (found.kind !== "none") return found;
  const specs = listSpecs(project).filter(({ name }) => dropNumber(name) === word);
  const [only, ...others] = specs;
  if (only === undefined) return found;
  return others.length === 0 ? { kind: "ok", spec: only } : { kind: "ambiguous", specs };
}

/** The spec that the layout's own tool works on, as its environment, its file or the branch says. */
export function findPeerSpec(
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
): SpecLookup | undefined {
  const { peer } = project.layout;
  if (peer === undefined) return undefined;
  return (
    inFolder(project, env[peer.folderVariable]) ??
    byPrefix(project, env[peer.nameVariable]) ??
    inFolder(project, readPeerFile(project, peer)?.[peer.field]) ??
    byPrefix(project, readBranch(findGit(project.root)))
  );
}

function inFolder(project: Project, folder: unknown): SpecLookup | undefined {
  if (typeof folder !== "string" || folder === "") return undefined;
  const path = folder.replaceAll(sep, "/");
  const found = findSpec(project, /^(?:\.{0,2}\/|[A-Za-z]:)/.test(path) ? path : `./${path}`);
  return found.kind === "ok" ? found : undefined;
}

/** `004-fix-it`, and `feat/004-fix-it`, mean the feature `004-…`: several branches may work on one. */
function byPrefix(project: Project, name: string | undefined): SpecLookup | undefined {
  const last = name?.split("/").at(-1) ?? "";
  const number = last.slice(0, last.length - dropNumber(last).length);
  const specs = listSpecs(project);
  const exact = specs.find((spec) => spec.name === last);
  const [only, ...others] =
    exact !== undefined || number === ""
      ? [exact]
      : specs.filter((spec) => spec.name.startsWith(number));
  return only === undefined || others.length > 0 ? undefined : { kind: "ok", spec: only };
}

/** If the layout's own tool keeps a pointer, its scripts follow ours. */
export function writePeerPointer({ project, basePath }: Spec): void {
  const { peer } = project.layout;
  const old = peer === undefined ? undefined : readPeerFile(project, peer);
  if (peer === undefined || old === undefined || !basePath.startsWith("./")) return;
  const folder = basePath.slice(2);
  if (old[peer.field] === folder) return;
  const text = JSON.stringify({ ...old, [peer.field]: folder }, null, 2);
  writeProjectFile(project, join(project.root, peer.file), `${text}\n`);
}

/** Undefined if this project has none; empty if it contains nothing useful. */
function readPeerFile(project: Project, { file: name }: Peer): Record<string, unknown> | undefined {
  const file = readProjectFile(project, join(project.root, name), MAX_BYTES.settings);
  if (file.kind !== "ok") return undefined;
  try {
    const value: unknown = JSON.parse(file.text);
    return isObject(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
