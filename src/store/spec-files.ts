import type { Disk, Glance, TasksFile, Write } from "../run/decision.ts";
import { type Inbox, withInbox } from "../run/inbox.ts";
import { formatEntry, parseJournal, parseLastEntry, parseRecent } from "../run/journal-lines.ts";
import type { Entry } from "../run/journal.ts";
import { findLost } from "../run/lost-tasks.ts";
import { isRunner } from "../run/runner-session.ts";
import { formatState, parseState, type Raw, type StateFile } from "../run/state.ts";
import { decisionsIn, applyDecisions, type RunRecord } from "../run/trust.ts";
import { RUNNER_GROUP_LIMIT } from "../tasks/groups.ts";
import { parseTasks } from "../tasks/parse.ts";
import { findGit, readHead } from "./git-files.ts";
import { readInbox } from "./inbox.ts";
import { removeLeftovers } from "./leftovers.ts";
import { mergeStaleProgress } from "./progress.ts";
import {
  appendProjectLine,
  readProjectFile,
  readProjectTail,
  removeProjectFile,
  writeProjectFile,
} from "./project-file.ts";
import { FileFault, type FileText, MAX_BYTES } from "./read.ts";
import { remember } from "./remember.ts";
import { sleep } from "./sleep.ts";
import type { Spec } from "./spec.ts";
import {
  appendToVault,
  knownRecord,
  unmarkRunning,
  readAgreement,
  readRecord,
  readVaultJournal,
  type VaultSpec,
} from "./vault.ts";

/** An editor or another process may be in the middle of writing: retry before giving up. */
const TORN_READS = { times: 4, pauseMs: 25 } as const;

/** What most stops end with: the state and the journal, but not the tasks. */
export function readGlance(spec: Spec): Glance {
  const { tail: _, ...glance } = readWithTail(spec);
  return glance;
}

export const readDisk = (spec: Spec): Disk => readDiskWith(spec, withInbox);

/** `hold` works out which tasks wait for the user: a stop loads it only if somebody was ever asked anything. */
export function readDiskWith(spec: Spec, hold: typeof withInbox): Disk {
  const { tail, ...glance } = readWithTail(spec);
  const inbox = readInbox(spec);
  return {
    ...glance,
    tasks: applyInbox(widen(readTasks(spec), glance.last), inbox, hold),
    inbox,
    lost: (list) => findLost(readAgreement(spec), list, readAllEntries(spec)),
    recent: () => parseRecent(tail),
    past: () => parseJournal(tail),
    head: readHead(findGit(spec.project.root)),
    findings: [],
  };
}

/** While a runner has the run, and not a client, whose model starts all that is handed out in one message. */
const widen = (tasks: TasksFile, last: Entry | undefined): TasksFile =>
  tasks.kind === "ok" && last?.loop.open === true && isRunner(last.loop.session ?? "")
    ? { kind: "ok", list: { ...tasks.list, widest: RUNNER_GROUP_LIMIT } }
    : tasks;

const applyInbox = (tasks: TasksFile, inbox: Inbox, hold: typeof withInbox): TasksFile =>
  tasks.kind !== "ok" || inbox.entries.length === 0
    ? tasks
    : { kind: "ok", list: hold(tasks.list, inbox) };

/** With the end of the journal, so that nobody has to read it again. */
const readWithTail = (spec: Spec): Glance & { readonly tail: string } => ({
  layout: spec.project.layout,
  settings: spec.project.settings,
  spec,
  ...readRun(spec),
});

const parseStateOnce = remember(parseState);
const parseLastOnce = remember(parseLastEntry);

/** The state as it counts, and the journal's last entry: this machine's own, if it has a record of the run. */
function readRun(spec: Spec): Pick<Disk, "state" | "last" | "record"> & { readonly tail: string } {
  const record = readRecord(spec);
  const tail = journalTail(spec, record !== undefined);
  const last = parseLastOnce(tail);
  const file = readStateFile(spec);
  const held = record !== undefined && last?.loop.open === true ? last.held : undefined;
  return { state: applyDecisions(file, held, last?.loop.session), last, record, tail };
}

const readLast = (spec: Spec, record: RunRecord | undefined): Entry | undefined =>
  parseLastOnce(journalTail(spec, record !== undefined));

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
  return file.kind === "absent" ? file : parseStateOnce(file.text);
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
 * The whole journal, for commands that look back; a stop never needs it. If it is too long, its newest part: without
 * it, proven work would count as ticked by hand, and an executor could be sent back without end.
 */
export function readAllEntries(spec: Spec): Entry[] {
  const file = readJournal(spec, readRecord(spec) !== undefined, MAX_BYTES.journal);
  if (file.kind === "unreadable") throw new FileFault(spec.journal, file.why);
  return file.kind === "ok" ? parseJournal(file.text) : [];
}

/** The last entry of a run that is on, as far as this machine knows, even if the spec's files are gone. */
export function readOpenEntry(spec: VaultSpec): Entry | undefined {
  if (readRecord(spec) === undefined) return undefined;
  const tail = readVaultJournal(spec);
  const last = tail.kind === "ok" ? parseLastOnce(tail.text) : undefined;
  return last?.loop.open === true ? last : undefined;
}

/** The copy in the project is for people and older versions: anyone may have written to it. */
const readJournal = (spec: Spec, isRecorded: boolean, bytes: number): FileText =>
  isRecorded ? readVaultJournal(spec, bytes) : readProjectTail(spec.project, spec.journal, bytes);

function journalTail(spec: Spec, isRecorded: boolean, bytes: number = MAX_BYTES.tail): string {
  const tail = readJournal(spec, isRecorded, bytes);
  return tail.kind === "ok" ? tail.text : "";
}

/**
 * Call with the spec's lock held. The journal goes first: a crash in between must not lose a count. Returns what it says
 * now.
 */
export function applyWrite(spec: Spec, file: StateFile, write: Write, at: string): Entry {
  const { state: change, loop, ...said } = write;
  // The caller has just read it, with the lock held.
  const record = knownRecord(spec);
  const raw = { ...(file.kind === "ok" ? file.raw : {}), ...(change === "remove" ? {} : change) };
  // Not with `readState`, which waits for a broken state to be repaired.
  const held = file.kind === "ok" ? decisionsIn(raw) : readLast(spec, record)?.held;
  const entry = { at, ...said, ...(held === undefined ? {} : { held }), loop };
  appendEntry(spec, record !== undefined, entry);
  if (change === "remove") {
    mergeStaleProgress(spec, at);
    removeLeftovers(spec);
    // Last: once it is gone, no stop comes here again.
    removeProjectFile(spec.project, spec.state);
  } else if (change !== undefined) {
    writeState(spec, raw, record);
  }
  if (!loop.open) unmarkRunning(spec);
  return entry;
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
