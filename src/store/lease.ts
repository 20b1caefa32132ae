import { hostname } from "node:os";
import { join } from "node:path";
import { drivenBy } from "../run/driven.ts";
import { type Fate, fateFrom } from "../run/fate.ts";
import { runnerSession } from "../run/runner-session.ts";
import { sha256 } from "../text/hash.ts";
import * as s from "../text/schema.ts";
import { isOwnNamespace } from "./process-id.ts";
import { isSameProcess } from "./process-start.ts";
import { MAX_BYTES, readText } from "./read.ts";
import { realPathOf, vaultFolder } from "./vault-place.ts";
import { namesIn } from "./vault.ts";

const workerFields = {
  run: s.field(s.string, ""),
  pid: s.field(s.integer(1), ""),
  /** When its process began, as the system reports it: process numbers are reused. */
  processStart: s.field(s.nullable(s.string), ""),
  machine: s.field(s.string, ""),
};

const workerKind = s.objectWith(workerFields, {
  /** The PID namespace that its number counts in. */
  namespace: s.field(s.string, ""),
});

/** A process that works on a unit. */
export type Worker = s.TypeOf<typeof workerKind>;

const leaseFields = {
  unit: s.field(s.string, ""),
  /** Higher than for any earlier holder of the unit. */
  fence: s.field(s.integer(0), ""),
  /** Null after a release. */
  worker: s.field(s.nullable(workerKind), ""),
  beat: s.field(s.string, ""),
};

/** Says who holds a unit of work; kept in the user's own folder. */
export type Lease = s.ValuesOf<typeof leaseFields>;
const leaseKind = s.objectOf(leaseFields);

/** The unit for a whole spec, wherever its run works. */
export const specUnit = (folder: string): string => `spec ${realPathOf(folder)}`;

const leasesIn = (vault: string): string => join(vault, "leases");

export const leaseFile = (vault: string, unit: string): string =>
  join(leasesIn(vault), `${sha256(unit).slice(0, 32)}.json`);

export const readLease = (vault: string, unit: string): Lease =>
  readFile(leaseFile(vault, unit)) ?? { unit, fence: 0, worker: null, beat: "" };

function readFile(path: string): Lease | undefined {
  const file = readText(path, MAX_BYTES.state);
  const parsed = file.kind === "ok" ? s.parseRaw(file.text) : undefined;
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

/** Leases of the past too: they stay. */
const listLeases = (vault: string): Lease[] =>
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
export function holderOf({ worker, beat }: Lease): Worker | undefined {
  if (worker === null) return undefined;
  const isAtWork =
    worker.machine === hostname() && isOwnNamespace(worker.namespace)
      ? isSameProcess(worker.pid, worker.processStart)
      : isFresh(Date.parse(beat));
  return isAtWork ? worker : undefined;
}
