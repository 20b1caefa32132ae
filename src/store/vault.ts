import { readdirSync, rmdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Edition } from "../layouts/layout.ts";
import { formatAgreement, parseAgreement } from "../run/agreement-file.ts";
import type { Agreement } from "../run/agreement.ts";
import { parseRecord, type RunRecord } from "../run/trust.ts";
import { hash } from "../text/hash.ts";
import { parseJson } from "../text/schema.ts";
import { listTops, pinTops } from "./pinned-tops.ts";
import type { Project } from "./project.ts";
import { faultIn, type FileText, MAX_BYTES, readTail, remember, statOf, textAt } from "./read.ts";
import type { Spec } from "./spec.ts";
import {
  encodeFileName,
  mirrorPath,
  findVaultPlace,
  realPathOf,
  vaultFolder,
} from "./vault-place.ts";
import { appendLine, removeFile, writePrivate } from "./write.ts";

/** A spec as the vault knows it, even if its folder is gone. */
export type VaultSpec = Pick<Spec, "folder" | "name" | "project">;

const parseRecordOnce = remember(parseRecord);

export const FILES = {
  record: "run.json",
  journal: "journal.jsonl",
  agreement: "verify.json",
  inbox: "inbox.json",
} as const;

/** A stop opens several files of one spec, some of them twice: their folder is looked up once. */
const places = new WeakMap<VaultSpec, string | undefined>();

export function fileOf(spec: VaultSpec, file: keyof typeof FILES): string | undefined {
  if (!places.has(spec)) places.set(spec, findVaultPlace(spec.folder));
  const place = places.get(spec);
  return place === undefined ? undefined : join(place, `.${spec.project.layout.id}-${FILES[file]}`);
}

const records = new WeakMap<VaultSpec, RunRecord | undefined>();
let steering: RunRecord["env"];

/** PATH and the like as the user had them who started the run that was last looked at; undefined if none was. */
export const usersEnvironment = (): RunRecord["env"] => steering;

function keepRecord(spec: VaultSpec, record: RunRecord | undefined): RunRecord | undefined {
  records.set(spec, record);
  // Windows says `Path`.
  if (Object.keys(record?.env ?? {}).some((name) => /^path$/i.test(name))) steering = record?.env;
  pinTops(spec.project.root, record?.tops ?? []);
  return record;
}

/** The record of the spec's last run; undefined if none was ever started on this machine. */
export function readRecord(spec: VaultSpec): RunRecord | undefined {
  return keepRecord(spec, parseRecordOnce(readVaultText(fileOf(spec, "record"))));
}

/** As last read or written by this process. */
export const knownRecord = (spec: VaultSpec): RunRecord | undefined =>
  records.has(spec) ? records.get(spec) : readRecord(spec);

/** Begins the record of a run. Returns why that fails, if it does. */
export function writeRecord(spec: VaultSpec, begun: Omit<RunRecord, "tops">): string | undefined {
  const path = fileOf(spec, "record");
  if (path === undefined) return "there is no private folder to keep its record in";
  // What appeared during an earlier run does not count in this one either.
  readRecord(spec);
  const tops = listTops(spec.project.root, spec.folder);
  const record = { ...begun, ...(tops.length === 0 ? {} : { tops }) };
  return faultIn(() => {
    writePrivate(path, `${JSON.stringify(record)}\n`);
    keepRecord(spec, record);
    markRunning(spec);
  });
}

/** The end of the journal that counts. */
export function readVaultJournal(spec: VaultSpec, maxBytes: number = MAX_BYTES.tail): FileText {
  const path = fileOf(spec, "journal");
  return path === undefined ? { kind: "absent" } : readTail(path, maxBytes);
}

export function appendToVault(spec: VaultSpec, line: string): void {
  const path = fileOf(spec, "journal");
  if (path !== undefined) appendLine(path, line);
}

/** What the user agreed to; undefined if they were never asked. */
export function readAgreement(spec: VaultSpec): Agreement | undefined {
  return parseAgreement(parseJson(readVaultText(fileOf(spec, "agreement"))));
}

export function writeAgreement(spec: VaultSpec, agreed: Agreement): void {
  const path = fileOf(spec, "agreement");
  if (path !== undefined) faultIn(() => writePrivate(path, `${formatAgreement(agreed)}\n`));
}

/** The folders in which a killed process may leave temporary files of a spec, and the names of its files there. */
export function listVaultFiles(spec: VaultSpec): { folder: string; files: readonly string[] }[] {
  const marks = marksFolder(spec.project);
  const record = fileOf(spec, "record");
  if (marks === undefined || record === undefined) return [];
  const files = Object.values(FILES).map((file) => `.${spec.project.layout.id}-${file}`);
  return [
    { folder: dirname(record), files },
    { folder: marks, files: [markName(spec)] },
  ];
}

/** Removes everything about a spec, when the spec itself is removed. */
export function forgetSpec(spec: VaultSpec): void {
  unmarkRunning(spec);
  for (const file of Object.keys(FILES) as (keyof typeof FILES)[]) {
    const path = fileOf(spec, file);
    if (path !== undefined) faultIn(() => removeFile(path));
  }
}

/**
 * While a run is on, a mark in this folder says so. The shell looks for it before it starts node, so that a run whose
 * state or pointer was removed is noticed.
 */
const marksFolder = ({ root, layout }: Pick<Project, "root" | "layout">): string | undefined => {
  const place = findVaultPlace(root);
  return place === undefined ? undefined : join(place, `.${layout.id}-on`);
};

/** The root of the nearest project, from here upwards, that has a run on. */
export function findRunningProject({ id }: Edition, start: string): string | undefined {
  const base = vaultFolder();
  if (base === undefined) return undefined;
  for (let folder = realPathOf(start); ; folder = dirname(folder)) {
    if (statOf(join(mirrorPath(base, folder), `.${id}-on`)) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export function markRunning(spec: VaultSpec): void {
  const mark = markOf(spec);
  if (mark !== "") writePrivate(mark, `${realPathOf(spec.folder)}\n`);
}

export function markOf(spec: VaultSpec): string {
  const folder = marksFolder(spec.project);
  return folder === undefined ? "" : join(folder, markName(spec));
}

/** A mark younger than this stays: its run may be about to begin. */
export function unmarkRunning(spec: VaultSpec, olderThanMs = Number.NEGATIVE_INFINITY): void {
  const folder = marksFolder(spec.project);
  const mark = markOf(spec);
  if (folder === undefined || Date.now() - (statOf(mark)?.mtimeMs ?? 0) < olderThanMs) return;
  if (statOf(folder) === undefined) return;
  faultIn(() => {
    removeFile(mark);
    if (namesIn(folder).length === 0) rmdirSync(folder);
  });
}

/** Two specs of a project may have the same name, in two folders. */
const markName = ({ name, folder, project }: VaultSpec): string =>
  `${encodeFileName(name).slice(0, 100)}-${hash(relative(realPathOf(project.root), realPathOf(folder)))}`;

/** Whether no other spec of the project has a run on that could have gone missing. */
export function isOnlyRunningSpec(spec: VaultSpec): boolean {
  const folder = marksFolder(spec.project);
  return folder === undefined || namesIn(folder).every((name) => name === markName(spec));
}

export const namesIn = (folder: string): string[] =>
  statOf(folder)?.isDirectory() === true ? readdirSync(folder) : [];

/** The specs of a project that have a run on, as far as this machine knows. */
export function listRunningSpecs(project: Project): VaultSpec[] {
  const folder = marksFolder(project);
  if (folder === undefined) return [];
  return namesIn(folder).flatMap((name) => {
    const place = textAt(join(folder, name), MAX_BYTES.pointer)?.trimEnd() ?? "";
    return place === "" ? [] : [{ project, folder: place, name: basename(place) }];
  });
}

const readVaultText = (path: string | undefined): string =>
  (path === undefined ? undefined : textAt(path, MAX_BYTES.state)) ?? "";
