import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { listAncestors, readVariables } from "../agents/process/processes.ts";
import { isClient } from "../store/clients.ts";
import { readText } from "../store/read.ts";
import { isSameVault, planVault, vaultFolder } from "../store/vault-place.ts";
import { hosts } from "./all.ts";

/**
 * The client that this process descends from, for people. An agent that clears its environment and opens a terminal of
 * its own has the client above it all the same. A client with another vault does not count: this may be a test that it
 * runs, and no run of its own can be found from here.
 */
export function findClientAbove(): string | undefined {
  const vault = vaultFolder();
  if (vault === undefined) return undefined;
  for (const { pid, began } of listAncestors()) {
    const name = clientOf(pid);
    if (isClient(pid, began) || (name !== undefined && mayUse(pid, vault)))
      return `${name ?? "a client"} (process ${pid})`;
  }
  return undefined;
}

/** Whether a client's hooks use this vault: the one that its environment names, or the usual one, if that does not count. */
function mayUse(pid: number, vault: string): boolean {
  const variables = readVariables(pid);
  return [variables, { ...variables, XDG_STATE_HOME: "" }]
    .map((env) => planVault(env, process.platform))
    .some((theirs) => theirs !== undefined && isSameVault(theirs, vault));
}

/** The process whose hook this is: the nearest that is not a shell, and not one that starts everybody's programs. */
export function findOwnClient(): { readonly pid: number; readonly began: string } | undefined {
  const found = listAncestors().find(({ pid }) => !SHELLS.has(bareName(programOf(pid))));
  const isEverybodys = found?.pid === 1 || EVERYBODYS.test(bareName(programOf(found?.pid ?? 0)));
  return isEverybodys ? undefined : found;
}

const SHELLS = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox", "env"]);
/** With one of these noted, no terminal would be its user's any more. */
const EVERYBODYS =
  /^(?:|init|systemd|tmux.*|screen|sshd.*|login|su|sudo|cron|atd|script|.*term.*)$/i;

/** Which client's program a process runs, by its name or by the package that its script is in. */
function clientOf(pid: number): string | undefined {
  const program = programOf(pid);
  const file = readText(`/proc/${pid}/cmdline`, MAX_BYTES);
  const [first = "", ...rest] = file.kind === "ok" ? file.text.split("\0") : [];
  const isRuntime = /^(?:node|bun|deno)/.test(bareName(program));
  const script = isRuntime ? (rest.find((one) => !one.startsWith("-")) ?? "") : "";
  const words = [program, first, script];
  return hosts.find(({ name, npm }) =>
    words.some((word) => bareName(word) === name || word.includes(`/node_modules/${npm}/`)),
  )?.name;
}

const MAX_BYTES = 4 << 20;

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return "";
  }
}

const bareName = (path: string): string => basename(path).replace(/^\.|\.(?:exe|[cm]?js)$/g, "");
