import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { drivenBy } from "../run/driven.ts";
import { type Fate, fateFrom } from "../run/fate.ts";
import { runnerSession } from "../run/runner-session.ts";
import {
  field,
  integer,
  type Kind,
  nullable,
  objectOf,
  objectWith,
  parseRaw,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import { isOwnNamespace } from "./process-id.ts";
import { isSameProcess } from "./process-start.ts";
import { MAX_BYTES, readText } from "./read.ts";
import { realPathOf, vaultFolder } from "./vault-place.ts";
import { namesIn } from "./vault.ts";

const workerFields = {
  run: field(string, ""),
  pid: field(integer(1), ""),
  /** When its process began, as the system reports it: process numbers are reused. */
  processStart: field(nullable(string), ""),
  machine: field(string, ""),
};

const workerKind = objectWith(workerFields, {
  /** The PID namespace that its number counts in. */
  namespace: field(string, ""),
});

/** A process that works on a spec. */
export type Worker = typeof workerKind extends Kind<infer T> ? T : never;

const leaseFields = {
  unit: field(string, ""),
  /** Higher than for any earlier holder. */
  fence: field(integer(0), ""),
  /** Null after a release. */
  worker: field(nullable(workerKind), ""),
  beat: field(string, ""),
};

/** Says who works on a spec; kept in the user's own folder. */
export type LeaseRecord = ValuesOf<typeof leaseFields>;
const leaseKind = objectOf(leaseFields);

/** A spec is known by its folder in the user's tree, wherever its run works. */
const unitOf = (folder: string): string => `spec ${realPathOf(folder)}`;

const leasesIn = (vault: string): string => join(vault, "leases");

export const leaseFile = (vault: string, folder: string): string => {
  const name = createHash("sha256").update(unitOf(folder)).digest("hex").slice(0, 32);
  return join(leasesIn(vault), `${name}.json`);
};

export const readLease = (vault: string, folder: string): LeaseRecord =>
  readFile(leaseFile(vault, folder)) ?? {
    unit: unitOf(folder),
    fence: 0,
    worker: null,
    beat: "",
  };

/** Who works on a spec, if a run does. */
export function workerOn(folder: string): Worker | undefined {
  const vault = vaultFolder();
  return vault === undefined ? undefined : holderOf(readLease(vault, folder));
}

function readFile(path: string): LeaseRecord | undefined {
  const file = readText(path, MAX_BYTES.state);
  const parsed = file.kind === "ok" ? parseRaw(file.text) : undefined;
  return parsed?.kind === "ok" && leaseKind.is(parsed.raw) ? parsed.raw : undefined;
}

/** Whether a worker of this run holds a lease. */
export const hasLease = (vault: string, run: string): boolean =>
  listLeases(vault).some((lease) => holderOf(lease)?.run === run);

export function fateOf(run: string, vault: string | undefined = vaultFolder()): Fate {
  const leases = vault === undefined ? [] : listLeases(vault);
  return fateFrom(
    leases
      .filter(({ worker }) => worker?.run === run)
      .map((lease) => ({ isAlive: holderOf(lease) !== undefined, beat: lease.beat })),
  );
}

/** Leases of the past too: they stay, as do those of tasks, which earlier versions wrote. */
const listLeases = (vault: string): LeaseRecord[] =>
  namesIn(leasesIn(vault))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readFile(join(leasesIn(vault), name)) ?? []);

/** A worker whose process cannot be seen, on another machine or in another PID namespace, is gone after so long without a beat. */
const SILENT_MS = 120_000;

/**
 * Whether the run that the mark names is at work: then our hooks stand down. By its heartbeat alone, because in a process
 * namespace its process cannot be seen; and never by the mark alone, because a repository's settings can bring that.
 */
export function isDriven(env: Readonly<Record<string, string | undefined>>): boolean {
  const session = drivenBy(env);
  const vault = session === undefined ? undefined : vaultFolder();
  if (vault === undefined) return false;
  return listLeases(vault).some(
    ({ worker, beat }) =>
      worker !== null && runnerSession(worker.run) === session && isFresh(Date.parse(beat)),
  );
}

const isFresh = (beat: number): boolean => Date.now() - beat < SILENT_MS;

/** The worker that holds the lease and is still alive. */
export function holderOf({ worker, beat }: LeaseRecord): Worker | undefined {
  if (worker === null) return undefined;
  const isAtWork =
    worker.machine === hostname() && isOwnNamespace(worker.namespace)
      ? isSameProcess(worker.pid, worker.processStart)
      : isFresh(Date.parse(beat));
  return isAtWork ? worker : undefined;
}
