import { basename, relative, sep } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import type { TrunkRecord } from "../../engine/trunk-record.ts";
import { commitPaths, listDirty } from "../../git/commit-paths.ts";
import { headOf, isAncestor } from "../../git/own-tree.ts";
import { isRunFile } from "../../store/bookkeeping.ts";
import { readState } from "../../store/spec-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { readSpecFile, readSpecFiles, type SpecFile, writeSpecFile } from "./spec-files.ts";
import type { Trunk } from "./trunk.ts";

interface Brought {
  readonly files: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/**
 * Brings documents that the user has changed since the last time. Refuses if the run has changed the same document: the
 * user has to decide.
 */
export function bringDocuments(trunk: Trunk, { files, base }: TrunkRecord): Brought {
  const { home, spec, top } = trunk;
  const { root } = home.project;
  if (!isFolder(home.folder)) return { files, notes: [] };
  // If the user has switched branches, their documents are not newer versions of ours.
  if (!isAncestor(root, base, headOf(root) ?? "")) return { files, notes: [] };
  const { brought, both, same } = compare(home, spec, files);
  if (both.length > 0)
    throw new Refusal(
      "refused",
      `${both.map((name) => oneLine(name, 100)).join(", ")} of "${home.name}" changed in your tree and in the run's`,
      `take what the run has (${SHELL_PROGRAM} take), or make them the same as in ${spec.folder}`,
    );
  for (const file of brought) writeSpecFile(spec, file);
  // What an earlier try has brought may not be committed yet.
  if (brought.length + same.length > 0) commitDocuments(spec, top);
  const names = brought.map(({ name }) => oneLine(name, 100));
  return {
    files: {
      ...files,
      ...Object.fromEntries([...brought, ...same].map(({ name, hash }) => [name, hash])),
    },
    notes: names.length === 0 ? [] : [`Brought from your tree: ${names.join(", ")}.`],
  };
}

/** What the user has changed since files were last brought: new to the run, changed on both sides, or equal on both. */
export function compare(
  home: Spec,
  spec: Spec,
  files: TrunkRecord["files"],
): { brought: SpecFile[]; both: string[]; same: SpecFile[] } {
  const brought: SpecFile[] = [];
  const both: string[] = [];
  const same: SpecFile[] = [];
  for (const file of readSpecFiles(home)) {
    const { name, hash } = file;
    if (hash === files[name] || (isRunFile(home, name) && name !== basename(home.progress)))
      continue;
    const runs = readSpecFile(spec, name)?.hash;
    if (runs === hash) same.push(file);
    else if (runs === files[name]) brought.push(file);
    else both.push(name);
  }
  return { brought, both, same };
}

/** Commits the spec's uncommitted documents, if the user wants them committed. Refuses if git does. */
export function commitDocuments(spec: Spec, top: string): void {
  const state = readState(spec);
  const wanted = state.kind === "ok" ? state.state.commitSpec : spec.project.settings.commitSpec;
  if (wanted !== true) return;
  const folder = relative(realPathOf(top), realPathOf(spec.folder)).split(sep).join("/");
  const names = listDirty(top, [folder]).filter((name) => {
    const own = name.slice(folder.length + 1);
    return own === basename(spec.progress) || !isRunFile(spec, own);
  });
  const documents = names
    .map((name) => basename(name))
    .filter((name) => name.endsWith(".md") && !name.startsWith("."));
  const what = documents
    .map((name) => name.slice(0, -".md".length))
    .slice(0, 6)
    .join(", ");
  const why = commitPaths(top, names, `docs(${spec.name}): ${what || "notes"}`);
  if (why !== undefined)
    throw new Refusal(
      "refused",
      `the documents of "${spec.name}" cannot be committed in the run's work tree: ${oneLine(why, 300)}`,
      "fix that, and run again",
    );
}
