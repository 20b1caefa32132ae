import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Disk, TasksFile, Write } from "../core/decision.ts";
import { type Entry, formatEntry, parseJournal, parseLastEntry } from "../core/journal.ts";
import { formatState, parseState, type Raw, type StateFile } from "../core/state.ts";
import { parseTasks } from "../tasks/parse.ts";
import { findGit, readHead } from "./git.ts";
import { removeLeftovers } from "./leftovers.ts";
import { FileFault, MAX_BYTES, readTail, readText, statOf } from "./read.ts";
import { sleep } from "./sleep.ts";
import { isContained, type Spec } from "./spec.ts";
import { appendLine, removeFile, writeWhole } from "./write.ts";

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
    state: readState(spec),
    last: readLastEntry(spec),
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

export function readState(spec: Spec): StateFile {
  let file = readStateOnce(spec);
  for (let i = 0; file.kind === "corrupt" && i < TORN_READS.times; i++) {
    sleep(TORN_READS.pauseMs);
    file = readStateOnce(spec);
  }
  return file;
}

function readStateOnce(spec: Spec): StateFile {
  if (isLinkOut(spec, spec.state))
    return { kind: "corrupt", why: "it is a link out of the project" };
  const file = readText(spec.state, MAX_BYTES.state);
  if (file.kind === "unreadable") return { kind: "corrupt", why: file.why };
  return file.kind === "absent" ? file : understandState(file.text);
}

export function readTasks(spec: Spec): TasksFile {
  if (isLinkOut(spec, spec.tasks)) {
    return { kind: "unreadable", why: "it is a link out of the project" };
  }
  const file = readText(spec.tasks, MAX_BYTES.tasks);
  return file.kind === "ok" ? { kind: "ok", list: parseTasks(file.text) } : file;
}

/** Whether there are tasks, and every one is ticked. */
export function isFinished(spec: Spec): boolean {
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  return all.length > 0 && all.every((task) => task.checked);
}

export function readLastEntry(spec: Spec): Entry | undefined {
  return understandLast(journalTail(spec));
}

export function readEntries(spec: Spec): Entry[] {
  return parseJournal(journalTail(spec));
}

/**
 * The whole journal, for commands that look back; a stop never needs it. Of one that is too long, the newest part: as if
 * there were none, proven work would count as ticked by hand, and an executor could be sent back without end.
 */
export function readAllEntries(spec: Spec): Entry[] {
  const file = readTail(spec.journal, MAX_BYTES.journal);
  if (file.kind === "unreadable") throw new FileFault(spec.journal, file.why);
  return file.kind === "ok" ? parseJournal(file.text) : [];
}

function journalTail(spec: Spec): string {
  const tail = readTail(spec.journal, MAX_BYTES.tail);
  return tail.kind === "ok" ? tail.text : "";
}

/** Call with the spec's lock held. The journal goes first: a crash in between must not lose a count. */
export function applyWrite(spec: Spec, state: StateFile, write: Write, at: string): void {
  appendEntry(spec, write, at);
  if (write.state === "remove") {
    removeStaleProgress(spec, at);
    removeLeftovers(spec);
    // Last: without it nobody comes here again.
    removeFile(spec.state);
  } else if (write.state !== undefined) {
    writeState(spec, { ...(state.kind === "ok" ? state.raw : {}), ...write.state });
  }
}

function appendEntry(spec: Spec, write: Write, at: string): void {
  const { state: _, loop, ...said } = write;
  const tail = journalTail(spec);
  appendLine(spec.journal, formatEntry({ at, ...said, loop }), tail !== "" && !tail.endsWith("\n"));
}

export function writeState(spec: Spec, raw: Raw): void {
  writeWhole(spec.state, formatState(raw));
}

export function writeTasks(spec: Spec, text: string): void {
  const path = realpathSync(spec.tasks);
  const old = readText(path, MAX_BYTES.tasks);
  writeWhole(path, text, old.kind === "ok" ? old.encoding : "utf8");
}

const PARALLEL_PROGRESS = /^\.progress-task-.*\.md$/;
const HOUR_MS = 3_600_000;

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
  for (const name of stale) removeFile(join(spec.folder, name));
  return stale;
}

export function isLinkOut({ project }: Pick<Spec, "project">, path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink() && !isContained(project, path);
  } catch {
    return false; // Dangling or looping: reading it says so.
  }
}
