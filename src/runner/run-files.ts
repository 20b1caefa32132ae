import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "../engine/refusal.ts";
import type { Fate } from "../run/fate.ts";
import { fateOf, hasLease } from "../store/lease.ts";
import { isOwnNamespace, ownNamespace } from "../store/process-id.ts";
import { isSameProcess, readProcessStart } from "../store/process-start.ts";
import { MAX_BYTES, readText, statOf } from "../store/read.ts";
import { encodeFileName, vaultFolder } from "../store/vault-place.ts";
import { appendLine, writeWhole } from "../store/write.ts";
import {
  field,
  formatRaw,
  integer,
  listOf,
  nullable,
  objectWith,
  oneOf,
  parseRaw,
  string,
  type TypeOf,
} from "../text/schema.ts";
import type { EventKind, RunEvent } from "./events.ts";
import { RUN_STATUSES } from "./run-status.ts";

/** Run files are disposable: whatever matters is in the spec's folder and in git. */
const infoFields = {
  run: field(string, ""),
  /** The user's own project, by its real path. */
  project: field(string, ""),
  specs: field(listOf(string), ""),
  /** The work tree that it works in. */
  tree: field(string, ""),
  branch: field(nullable(string), ""),
  pid: field(integer(1), ""),
  /** When the process began, as the system reports it; null where it does not. */
  processStart: field(nullable(string), ""),
  session: field(string, ""),
  agents: field(listOf(string), ""),
  began: field(string, ""),
  ended: field(nullable(string), ""),
  status: field(nullable(oneOf(...RUN_STATUSES)), ""),
};

const infoKind = objectWith(infoFields, {
  /** The PID namespace that the process's number counts in. */
  namespace: field(string, ""),
  /** When the user discarded its work. */
  discarded: field(string, ""),
});

/** The content of `run.json`. */
export type RunInfo = TypeOf<typeof infoKind>;

export interface RunFolder {
  readonly info: RunInfo;
  readonly folder: string;
}

const FILES = {
  info: "run.json",
  events: "events.jsonl",
  attempts: "attempts",
  output: "output.log",
} as const;

const BOUNDS = {
  /** For the transcript of one attempt. */
  transcript: 20 << 20,
  /** For the event log: beyond it, only what matters later is recorded. */
  events: 64 << 20,
} as const;

const runsIn = (vault: string): string => join(vault, "runs");

/** Undefined if the user has no vault. */
export const runsFolder = (vault: string | undefined = vaultFolder()): string | undefined =>
  vault === undefined ? undefined : runsIn(vault);

/** The vault, and the folder of runs in it, without which no run begins. */
export function requireVault(): { readonly vault: string; readonly runs: string } {
  const vault = vaultFolder();
  if (vault === undefined)
    throw new Refusal("refused", "a run needs a private folder of its user", "set HOME");
  return { vault, runs: runsIn(vault) };
}

/** `2026-11-16-0912-ab12ff`: local time, and a tail of its own: what runs start is found by it, on the whole machine. */
export function planRunId(now: Date, random: string): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  const tail = random
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 6);
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}-${tail.padEnd(6, "0")}`;
}

export const isRunId = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d-\d{4}-[a-z0-9]{4,6}$/.test(text);

type NewRun = Omit<RunInfo, "pid" | "processStart" | "namespace" | "ended" | "status">;

/** Creates the folder of a run by this process. */
export function createRun(runs: string, run: NewRun): RunFolder {
  const folder = join(runs, run.run);
  mkdirSync(join(folder, FILES.attempts), { recursive: true, mode: 0o700 });
  const { pid } = process;
  const processStart = readProcessStart(pid) ?? null;
  const own = { pid, processStart, namespace: ownNamespace() };
  return writeInfo({ folder, info: { ...run, ...own, ended: null, status: null } });
}

function writeInfo(run: RunFolder): RunFolder {
  writeWhole(join(run.folder, FILES.info), formatRaw(run.info));
  return run;
}

/** Records what becomes known later: its tree, its specs, its end. */
export const updateRun = ({ folder, info }: RunFolder, more: Partial<RunInfo>): RunFolder =>
  writeInfo({ folder, info: { ...info, ...more } });

/** Undefined if there is none, or if its file is damaged. */
export function readRun(runs: string, id: string): RunFolder | undefined {
  if (!isRunId(id)) return undefined;
  const folder = join(runs, id);
  const file = readText(join(folder, FILES.info), MAX_BYTES.state);
  const parsed = file.kind === "ok" ? parseRaw(file.text) : undefined;
  if (parsed?.kind !== "ok" || !infoKind.is(parsed.raw) || parsed.raw.run !== id) return undefined;
  return { folder, info: parsed.raw };
}

/** Inside an agent's PID namespace, the runner's process does not exist; there its heartbeat tells. */
export const isLive = ({ folder, info }: RunFolder): boolean =>
  info.ended === null &&
  (isOwnNamespace(info.namespace)
    ? isSameProcess(info.pid, info.processStart)
    : hasLease(dirname(dirname(folder)), info.run));

/** What became of a run. One that died before it held anything was last heard of at its last event. */
export function fateOfRun(run: RunFolder, last: string): Fate {
  if (isLive(run)) return { kind: "at-work" };
  const fate = fateOf(run.info.run, dirname(dirname(run.folder)));
  const isDead = fate.kind !== "died" && run.info.ended === null;
  return isDead ? { kind: "died", at: last } : fate;
}

export const eventsFile = ({ folder }: Pick<RunFolder, "folder">): string =>
  join(folder, FILES.events);

/** The output of a background run. */
export const outputFile = ({ folder }: Pick<RunFolder, "folder">): string =>
  join(folder, FILES.output);

/** Kinds that only show what is happening at the moment. */
const PASSING: ReadonlySet<EventKind> = new Set(["action", "usage", "retry"]);

export const isPassing = ({ kind }: RunEvent): boolean => PASSING.has(kind);

/** One line in one write, so that a reader never sees two events mixed. */
export function appendEvent(run: Pick<RunFolder, "folder">, event: RunEvent): void {
  const path = eventsFile(run);
  const isFull = (statOf(path)?.size ?? 0) > BOUNDS.events;
  if (isFull && isPassing(event)) return;
  appendLine(path, `${JSON.stringify(event)}\n`);
}

/** The attempt that a transcript belongs to. */
export interface AttemptName {
  readonly spec: string;
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
}

/** A file name that every system accepts; dots stay, except a leading one. */
const fileName = (text: string): string => encodeFileName(text).replace(/(?<=.)%2e/g, ".");

export const transcriptFile = (
  { folder }: Pick<RunFolder, "folder">,
  { spec, task, attempt, agent }: AttemptName,
): string =>
  join(
    folder,
    FILES.attempts,
    fileName(spec),
    `${fileName(task)}-${attempt}.${fileName(agent)}.jsonl`,
  );

/** Returns a function that records an agent's lines. Once the file is full, it says so and drops the rest. */
export function openTranscript(
  run: Pick<RunFolder, "folder">,
  name: AttemptName,
  bound: number = BOUNDS.transcript,
): (line: string) => void {
  const path = transcriptFile(run, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = statOf(path)?.size ?? 0;
  return (line) => {
    if (size >= bound) return;
    const text = `${line.replace(/\r?\n/g, " ")}\n`;
    const fits = size + Buffer.byteLength(text) <= bound;
    const written = fits ? text : `${JSON.stringify({ note: "the rest was not recorded" })}\n`;
    appendLine(path, written);
    size = fits ? size + Buffer.byteLength(text) : bound;
  };
}
