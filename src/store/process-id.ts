import { readlinkSync } from "node:fs";
import { orElse } from "../text/or-else.ts";
import { codeOf } from "./read.ts";

/** The PID namespace of a process, by its number; empty if it cannot be told, or on other systems. */
export const namespaceOf = (pid: number | "self"): string =>
  orElse(() => /\d+/.exec(readlinkSync(`/proc/${pid}/ns/pid`))?.[0] ?? "", "");

let own: string | undefined;

/**
 * The PID namespace that we are in. Each counts its processes by itself: inside an agent's, the runner does not exist,
 * and the runner's number is nobody's, or somebody else's.
 */
export const ownNamespace = (): string => (own ??= namespaceOf("self"));

/** Whether numbers that were recorded in this namespace mean something here. Older records do not say which it was. */
export const isOwnNamespace = (namespace: string | undefined): boolean =>
  namespace === undefined || namespace === ownNamespace();

/** This process, in a lock or in the name of a file: `4711-4026531836`, or `4711` without namespaces. */
export const processName = (): string =>
  ownNamespace() === "" ? String(process.pid) : `${process.pid}-${ownNamespace()}`;

/** A regular expression for that. */
export const PROCESS_NAME = String.raw`\d+(?:-\d+)?`;

/** Whether the process with this name is running; undefined in another namespace, where only its age can tell. */
export function isRunning(name: string): boolean | undefined {
  const [pid, namespace] = name.split("-");
  return isOwnNamespace(namespace) ? isAlive(Number(pid)) : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
