import { basename, dirname, join, sep } from "node:path";
import type { Peer } from "../layouts/layout.ts";
import { dropNumber } from "../spec/name.ts";
import { isObject, parseJson } from "../text/schema.ts";
import { findGit, readBranch } from "./git-files.ts";
import { removeTemporary } from "./leftovers.ts";
import {
  makeProjectFolder,
  readProjectFile,
  removeProjectFile,
  writeProjectFile,
} from "./project-file.ts";
import type { Project } from "./project.ts";
import { MAX_BYTES } from "./read.ts";
import { findSpec, isFolder, type SpecLookup, listSpecs, type Spec } from "./spec.ts";

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

/** The scripts of the layout's own tool look nowhere else, and fail without it. */
export function writePeerPointer({ project, basePath }: Spec): void {
  const { peer } = project.layout;
  if (peer === undefined) return;
  const path = join(project.root, peer.file);
  // A folder in its place is somebody's: whatever is in it stays.
  if (isFolder(path)) return;
  const old = readPeerFile(project, peer) ?? {};
  const folder = peerPath(basePath);
  if (old[peer.field] === folder) return;
  makeProjectFolder(project, dirname(path));
  removeTemporary(dirname(path), [basename(path)]);
  const text = JSON.stringify({ ...old, [peer.field]: folder }, null, 2);
  writeProjectFile(project, path, `${text}\n`);
}

/** A spec has another folder now: the other tool's pointer follows, if it named that spec. */
export function movePeerPointer(from: Spec, to: Spec): void {
  const { peer } = to.project.layout;
  const old = peer && readPeerFile(to.project, peer);
  if (peer !== undefined && old?.[peer.field] === peerPath(from.basePath)) writePeerPointer(to);
}

/** Without its folder, a spec is nobody's current one: the other tool would create the folder again. */
export function removePeerPointer({ project, basePath }: Spec): void {
  const { peer } = project.layout;
  const old = peer && readPeerFile(project, peer);
  if (peer === undefined || old?.[peer.field] !== peerPath(basePath)) return;
  const path = join(project.root, peer.file);
  const { [peer.field]: _, ...rest } = old;
  if (Object.keys(rest).length === 0) removeProjectFile(project, path);
  else writeProjectFile(project, path, `${JSON.stringify(rest, null, 2)}\n`);
}

/** As the other tool writes it: relative to the project if the folder is in it. */
const peerPath = (basePath: string): string => basePath.replace(/^\.\//, "");

/**
 * The spec that the other tool has made its current one since: it keeps the same file that we do, so a difference means
 * that it was the last to choose.
 */
export function findPeerChoice(project: Project): SpecLookup | undefined {
  const { peer } = project.layout;
  return peer && inFolder(project, readPeerFile(project, peer)?.[peer.field]);
}

/** Undefined if this project has none; empty if it contains nothing useful. */
function readPeerFile(project: Project, { file: name }: Peer): Record<string, unknown> | undefined {
  const file = readProjectFile(project, join(project.root, name), MAX_BYTES.settings);
  if (file.kind !== "ok") return undefined;
  const value = parseJson(file.text);
  return isObject(value) ? value : {};
}
