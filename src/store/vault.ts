import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Agreement } from "../run/agreement.ts";
import { hash } from "../text/hash.ts";
import type { Layout } from "../layouts/layout.ts";
import {
  field,
  isObject,
  type Kind,
  listOf,
  objectOf,
  oneOf,
  recordOf,
  string,
} from "../text/schema.ts";
import type { RunRecord } from "../run/trust.ts";
import type { Project } from "./project.ts";
import { faultIn, type FileText, MAX_BYTES, readTail, readText, statOf } from "./read.ts";
import type { Spec } from "./spec.ts";
import { fileName, mirrored, placeOf, realOf, vaultFolder } from "./vault-place.ts";
import { appendLine, removeFile, writeWhole } from "./write.ts";

/** A spec as the vault knows it, which it does even when its folder is gone. */
export type VaultSpec = Pick<Spec, "folder" | "name" | "project">;

const texts = recordOf(string);
const policy = oneOf("required", "recorded", "off");
const agreement: Kind<Agreement> = objectOf({
  commands: field(listOf(string), ""),
  tasks: field(listOf(string), ""),
});

const FILES = { record: "run.json", journal: "journal.jsonl", agreement: "verify.json" } as const;

/** A stop opens several files of one spec, some of them twice: where they lie is looked up once. */
const places = new WeakMap<VaultSpec, string | undefined>();

function fileOf(spec: VaultSpec, file: keyof typeof FILES): string | undefined {
  if (!places.has(spec)) places.set(spec, placeOf(spec.folder));
  const place = places.get(spec);
  return place === undefined ? undefined : join(place, `.${spec.project.layout.id}-${FILES[file]}`);
}

const records = new WeakMap<VaultSpec, RunRecord | undefined>();

/** The record of the spec's last run; undefined where none was ever started on this machine. */
export function readRecord(spec: VaultSpec): RunRecord | undefined {
  const record = readRecordFile(spec);
  records.set(spec, record);
  return record;
}

/** As it was when it was last read or written. */
export const knownRecord = (spec: VaultSpec): RunRecord | undefined =>
  records.has(spec) ? records.get(spec) : readRecord(spec);

function readRecordFile(spec: VaultSpec): RunRecord | undefined {
  const value = readJson(fileOf(spec, "record"));
  if (!isObject(value) || typeof value["token"] !== "string") return undefined;
  const { token, env, evidence } = value;
  return {
    token,
    ...(texts.is(env) ? { env } : {}),
    ...(policy.is(evidence) ? { evidence } : {}),
  };
}

/** Begins the record of a run. Returns what is in the way, if something is. */
export function writeRecord(spec: VaultSpec, record: RunRecord): string | undefined {
  const path = fileOf(spec, "record");
  if (path === undefined) return "there is no private folder to keep its record in";
  return faultIn(() => {
    makeFolder(dirname(path));
    writeWhole(path, `${JSON.stringify(record)}\n`);
    records.set(spec, record);
    markOn(spec);
  });
}

/** The end of the journal that counts, for a stop; or the newest of it, for who looks back. */
export function readVaultJournal(spec: VaultSpec, maxBytes: number = MAX_BYTES.tail): FileText {
  const path = fileOf(spec, "journal");
  return path === undefined ? { kind: "absent" } : readTail(path, maxBytes);
}

export function appendToVault(spec: VaultSpec, line: string): void {
  const path = fileOf(spec, "journal");
  if (path !== undefined) appendLine(path, line);
}

/** Where an older version's journal is taken over as it is. */
export function writeVaultJournal(spec: VaultSpec, text: string): void {
  const path = fileOf(spec, "journal");
  if (path !== undefined) writeWhole(path, text);
}

/** What the user agreed to; undefined where they were never asked. */
export function readAgreement(spec: VaultSpec): Agreement | undefined {
  const value = readJson(fileOf(spec, "agreement"));
  return agreement.is(value) ? value : undefined;
}

export function writeAgreement(spec: VaultSpec, agreed: Agreement): void {
  const path = fileOf(spec, "agreement");
  if (path === undefined) return;
  faultIn(() => {
    makeFolder(dirname(path));
    writeWhole(path, `${JSON.stringify(agreed)}\n`);
  });
}

/** Where a process that is killed may leave something of a spec, and what the files there are called. */
export function vaultPlaces(spec: VaultSpec): { folder: string; files: readonly string[] }[] {
  const marks = onFolder(spec.project);
  const record = fileOf(spec, "record");
  if (marks === undefined || record === undefined) return [];
  const files = Object.values(FILES).map((file) => `.${spec.project.layout.id}-${file}`);
  return [
    { folder: dirname(record), files },
    { folder: marks, files: [markOf(spec)] },
  ];
}

/** Removes all that the vault knows of a spec, when the spec itself goes. */
export function forgetSpec(spec: VaultSpec): void {
  markOff(spec);
  for (const file of Object.keys(FILES) as (keyof typeof FILES)[]) {
    const path = fileOf(spec, file);
    if (path !== undefined) faultIn(() => removeFile(path));
  }
}

/**
 * While a run is on, a folder beside what is known of its project says so. The shell sees it before node is started, so
 * that a run whose state or pointer has been taken away is missed.
 */
const onFolder = ({ root, layout }: Pick<Project, "root" | "layout">): string | undefined => {
  const place = placeOf(root);
  return place === undefined ? undefined : join(place, `.${layout.id}-on`);
};

/** The nearest folder from here upwards whose project has a run on. */
export function findOn({ id }: Layout, start: string): string | undefined {
  const base = vaultFolder();
  if (base === undefined) return undefined;
  for (let folder = realOf(start); ; folder = dirname(folder)) {
    if (statOf(join(mirrored(base, folder), `.${id}-on`)) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function markOn(spec: VaultSpec): void {
  const folder = onFolder(spec.project);
  if (folder === undefined) return;
  makeFolder(folder);
  writeWhole(join(folder, markOf(spec)), `${realOf(spec.folder)}\n`);
}

/** A mark that is younger than this stays: its run may be about to begin. */
export function markOff(spec: VaultSpec, olderThanMs = Number.NEGATIVE_INFINITY): void {
  const folder = onFolder(spec.project);
  const mark = folder === undefined ? "" : join(folder, markOf(spec));
  if (folder === undefined || Date.now() - (statOf(mark)?.mtimeMs ?? 0) < olderThanMs) return;
  if (statOf(folder) === undefined) return;
  faultIn(() => {
    removeFile(mark);
    if (namesIn(folder).length === 0) rmdirSync(folder);
  });
}

/** Two specs of a project may have one name, in two folders. */
const markOf = ({ name, folder, project }: VaultSpec): string =>
  `${fileName(name).slice(0, 100)}-${hash(relative(realOf(project.root), realOf(folder)))}`;

/** Whether no other spec of its project has a run on: then there is none to miss. */
export function isAloneOn(spec: VaultSpec): boolean {
  const folder = onFolder(spec.project);
  return folder === undefined || namesIn(folder).every((name) => name === markOf(spec));
}

const namesIn = (folder: string): string[] =>
  statOf(folder)?.isDirectory() === true ? readdirSync(folder) : [];

/** The specs of a project whose runs are on, as far as this machine knows. */
export function listOn(project: Project): VaultSpec[] {
  const folder = onFolder(project);
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name) => {
    const file = readText(join(folder, name), MAX_BYTES.pointer);
    const place = file.kind === "ok" ? file.text.trimEnd() : "";
    return place === "" ? [] : [{ project, folder: place, name: basename(place) }];
  });
}

const makeFolder = (folder: string): void =>
  void mkdirSync(folder, { recursive: true, mode: 0o700 });

function readJson(path: string | undefined): unknown {
  const file = path === undefined ? undefined : readText(path, MAX_BYTES.state);
  if (file?.kind !== "ok") return undefined;
  try {
    return JSON.parse(file.text);
  } catch {
    return undefined;
  }
}
