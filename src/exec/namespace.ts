import { oneLine } from "../text/template.ts";
import { locateProgram } from "./environment.ts";
import { type Try, tryCommand } from "./sandbox.ts";

/** Puts a command line into a PID namespace of its own. The program is named by its path. */
export type Enclose = (command: readonly string[]) => readonly string[];

/** What ends the processes that a program leaves behind: the kernel, or, where that cannot be had, a search. */
export type Namespace =
  | { readonly kind: "own"; readonly enclose: Enclose }
  | { readonly kind: "sandbox"; readonly of: string }
  | { readonly kind: "none"; readonly why: string };

/** As `doctor`, `agents` and a run's first line say it. */
export function describeProcesses(namespace: Namespace): string {
  if (namespace.kind === "none") return `found by search (${namespace.why})`;
  return `own PID namespace${namespace.kind === "own" ? "" : ` (${namespace.of})`}`;
}

/**
 * The first process in the namespace. The program cannot be it: the first one ignores SIGTERM unless it handles it, and
 * has to reap what others leave. A shell does, and it passes the exit code on.
 */
const FIRST = '"$@"; exit $?';

/** Root could unmount a new /proc that lies on the old one, and see every process again: the old one goes first. */
const NEW_PROC = "PATH=/usr/sbin:/usr/bin:/sbin:/bin; umount -l /proc; mount -t proc proc /proc";
const AS_ROOT = `( ${NEW_PROC} ) || exit 126; ${FIRST}`;

/** When the first process in it ends, or `unshare` itself, the kernel ends everything in the namespace. */
export const planNamespace =
  (unshare: string, isRoot: boolean): Enclose =>
  (command) => [
    unshare,
    ...(isRoot ? ["--mount"] : ["--user", "--map-current-user", "--mount-proc"]),
    "--pid",
    // What is mounted later, for example by an automounter, is there too.
    "--propagation=slave",
    "--fork",
    "--kill-child",
    "--",
    "/bin/sh",
    "-c",
    isRoot ? AS_ROOT : FIRST,
    "sh",
    ...command,
  ];

/** Succeeds only as a child of a namespace's first process, and where /proc shows that namespace. */
const PROBE = ["/bin/sh", "-c", "test $PPID = 1 && test -d /proc/$$"];

/** Tries it before anything runs in it, once in a run. */
export function openNamespace(
  isWanted: boolean,
  attempt: Try = tryCommand,
  platform: string = process.platform,
  uid: number | undefined = process.getuid?.(),
): Exclude<Namespace, { readonly kind: "sandbox" }> {
  const none = (why: string) => ({ kind: "none", why }) as const;
  if (platform !== "linux") return none("PID namespaces are for Linux only");
  if (!isWanted) return none("run_namespace: off");
  const unshare = locateProgram("unshare", process.env) ?? "unshare";
  const enclose = planNamespace(unshare, uid === 0);
  const { ok, said } = attempt(enclose(PROBE));
  if (ok) return { kind: "own", enclose };
  return none(
    /ENOENT/.test(said) ? "unshare is not installed" : oneLine(said, 200) || "unshare fails here",
  );
}
