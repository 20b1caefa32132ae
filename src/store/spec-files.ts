import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Disk, TasksFile, Write } from "../run/decision.ts";
import { type Entry, formatEntry, parseJournal, parseLastEntry } from "../run/journal.ts";
import { formatState, parseState, type Raw, type StateFile } from "../run/state.ts";
import { heldBy, holdState, type RunRecord } from "../run/trust.ts";
import { parseTasks } from "../tasks/parse.ts";
import { findGit, readHead } from "./git-files.ts";
import { removeLeftovers } from "./leftovers.ts";
import {
  appendProjectLine,
  readProjectFile,
  readProjectTail,
  removeProjectFile,
  writeProjectFile,
} from "./project-file.ts";
import { writeProgressSection } from "./progress.ts";
import { faultIn, FileFault, type FileText, MAX_BYTES, statOf } from "./read.ts";
import { sleep } from "./sleep.ts";
import type { Spec } from "./spec.ts";
import {
  appendToVault,
  knownRecord,
  markOff,
  readRecord,
  readVaultJournal,
  type VaultSpec,
} from "./vault.ts";

/** An editor or another process may be in the middle of writing: look again this often before giving up. */
const TORN_READS = { times: 4, pauseMs: 25 } as const;

/**
 * Tasks and commit are read when the decision first asks for them: most stops end before that. `check` looks at the
 * document of a phase; only a stop in quick mode wants to know.
 */
export function readDisk(spec: Spec, check: () => readonly string[] = () => []): Disk {
  const { project } = spec;
  let tasks: TasksFile | undefined;
  let head: string | undefined;
  return {
    layout: project.layout,
    settings: project.settings,
    spec,
    ...readRun(spec),
    get tasks() {
      return (tasks ??= readTasks(spec));
    },
    get findings() {
      return check();
    },
    get head() {
      return (head ??= readHead(findGit(project.root)));
    },
  };
}

/** A stop reads twice, before it takes the lock and with it. The text is the same, as a rule, and then so is its meaning. */
function remember<T>(understand: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly meaning: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, meaning: understand(text) };
    return last.meaning;
  };
}

const understandState = remember(parseState);
const understandLast = remember(parseLastEntry);

/** The state as it counts, and the journal's last word: of this machine's own record, where it has one. */
function readRun(spec: Spec): Pick<Disk, "state" | "last" | "record"> {
  const record = readRecord(spec);
  const last = readLast(spec, record);
  const file = readStateFile(spec);
  const held = record !== undefined && last?.loop.open === true ? last.held : undefined;
  return { state: holdState(file, held), last, record };
}

const readLast = (spec: Spec, record: RunRecord | undefined): Entry | undefined =>
  understandLast(journalTail(spec, record !== undefined));

export const readState = (spec: Spec): StateFile => readRun(spec).state;

export const readLastEntry = (spec: Spec): Entry | undefined => readLast(spec, readRecord(spec));

function readStateFile(spec: Spec): StateFile {
  let file = readStateOnce(spec);
  for (let i = 0; file.kind === "corrupt" && i < TORN_READS.times; i++) {
    sleep(TORN_READS.pauseMs);
    file = readStateOnce(spec);
  }
  return file;
}

function readStateOnce(spec: Spec): StateFile {
  const file = readProjectFile(spec.project, spec.state, MAX_BYTES.state);
  if (file.kind === "unreadable") return { kind: "corrupt", why: file.why };
  return file.kind === "absent" ? file : understandState(file.text);
}

export function readTasks(spec: Spec): TasksFile {
  const file = readProjectFile(spec.project, spec.tasks, MAX_BYTES.tasks);
  return file.kind === "ok" ? { kind: "ok", list: parseTasks(file.text) } : file;
}

/** Whether there are tasks, and every one is ticked. */
export function isFinished(spec: Spec): boolean {
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  return all.length > 0 && all.every((task) => task.checked);
}

export function readEntries(spec: Spec): Entry[] {
  return parseJournal(journalTail(spec, readRecord(spec) !== undefined));
}

/**
 * The whole journal, for commands that look back; a stop never needs it. Of one that is too long, the newest part: as if
 * there were none, proven work would count as ticked by hand, and an executor could be sent back without end.
 */
export function readAllEntries(spec: Spec): Entry[] {
  const file = readJournal(spec, readRecord(spec) !== undefined, MAX_BYTES.journal);
  if (file.kind === "unreadable") throw new FileFault(spec.journal, file.why);
  return file.kind === "ok" ? parseJournal(file.text) : [];
}

/** The last entry of a run that is on, as far as this machine knows; also of one whose files are gone. */
export function readOpenEntry(spec: VaultSpec): Entry | undefined {
  if (readRecord(spec) === undefined) return undefined;
  const tail = readVaultJournal(spec);
  const last = tail.kind === "ok" ? understandLast(tail.text) : undefined;
  return last?.loop.open === true ? last : undefined;
}

/** The copy in the project is for people and older versions: anybody may have written to it. */
const readJournal = (spec: Spec, isRecorded: boolean, bytes: number): FileText =>
  isRecorded ? readVaultJournal(spec, bytes) : readProjectTail(spec.project, spec.journal, bytes);

function journalTail(spec: Spec, isRecorded: boolean, bytes: number = MAX_BYTES.tail): string {
  const tail = readJournal(spec, isRecorded, bytes);
  return tail.kind === "ok" ? tail.text : "";
}

/** Call with the spec's lock held. The journal goes first: a crash in between must not lose a count. */
export function applyWrite(spec: Spec, file: StateFile, write: Write, at: string): void {
  const { state: change, loop, ...said } = write;
  // Whoever writes has just read, with the lock held.
  const record = knownRecord(spec);
  const raw = { ...(file.kind === "ok" ? file.raw : {}), ...(change === "remove" ? {} : change) };
  // Not by way of the state, which a reader waits for as long as it is broken.
  const held = file.kind === "ok" ? heldBy(raw) : readLast(spec, record)?.held;
  appendEntry(spec, record !== undefined, {
    at,
    ...said,
    ...(held === undefined ? {} : { held }),
    loop,
  });
  if (change === "remove") {
    removeStaleProgress(spec, at);
    removeLeftovers(spec);
    // Last: without it nobody comes here again.
    removeProjectFile(spec.project, spec.state);
  } else if (change !== undefined) {
    writeState(spec, raw, record);
  }
  if (!loop.open) markOff(spec);
}

/** The copy that counts goes first. */
function appendEntry(spec: Spec, isRecorded: boolean, entry: Entry): void {
  const line = formatEntry(entry);
  if (isRecorded) appendToVault(spec, line);
  appendProjectLine(spec.project, spec.journal, line);
}

export function writeState(spec: Spec, raw: Raw, record: RunRecord | undefined): void {
  const { runToken: _, ...rest } = raw;
  const text = formatState(record === undefined ? rest : { ...raw, runToken: record.token });
  writeProjectFile(spec.project, spec.state, text);
}

export function writeTasks(spec: Spec, text: string): void {
  const old = readProjectFile(spec.project, spec.tasks, MAX_BYTES.tasks);
  writeProjectFile(spec.project, spec.tasks, text, old.kind === "ok" ? old.encoding : "utf8");
}

const PARALLEL_PROGRESS = /^\.progress-task-(.*)\.md$/;
const HOUR_MS = 3_600_000;

/** Removes the notes of parallel agents that nobody has merged; what stands in them goes into `.progress.md` first. */
export function removeStaleProgress(
  spec: Spec,
  at: string,
  olderThanMs: number = HOUR_MS,
): string[] {
  const stale = readdirSync(spec.folder).filter((name) => {
    if (!PARALLEL_PROGRESS.test(name)) return false;
    const stat = statOf(join(spec.folder, name));
    return stat !== undefined && stat.isFile() && Date.parse(at) - stat.mtimeMs >= olderThanMs;
  });
  // One that cannot be kept stays where it is.
  return stale.filter((name) => faultIn(() => keepNotes(spec, name)) === undefined);
}

function keepNotes(spec: Spec, name: string): void {
  const path = join(spec.folder, name);
  const notes = readProjectFile(spec.project, path, MAX_BYTES.settings);
  const id = PARALLEL_PROGRESS.exec(name)?.[1] ?? name;
  if (notes.kind === "ok" && notes.text.trim() !== "")
    writeProgressSection(spec, `Notes left over from ${id}`, notes.text.replace("\uFEFF", ""));
  removeProjectFile(spec.project, path);
}
