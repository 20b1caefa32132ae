import { join } from "node:path";
import type { BoxKind } from "../run/run-settings.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { findGit } from "../store/git-files.ts";
import { statOf } from "../store/read.ts";
import { realPathOf } from "../store/vault-place.ts";
import { oneLine } from "../text/template.ts";
import { runToEnd } from "./run-to-end.ts";
import { type Mounts, planBwrap, planContainer, type Wrap } from "./sandbox-argv.ts";

/** A sandbox that was tried on this machine. */
export interface Sandbox {
  readonly kind: BoxKind;
  readonly network: boolean;
  readonly image: string;
  /** Whether it has its own process namespace. */
  readonly ownPids: boolean;
}

/** How git's folder is seen in a sandbox. */
export type GitMounts = Pick<Mounts, "readable" | "writable" | "readOnly" | "placed">;

export interface SandboxPlace {
  /** A folder in a work tree, whose files and commits can be written. */
  readonly cwd: string;
  /** The user's home. */
  readonly home: string;
  /** More writable paths, and read-only paths inside them. Paths that do not exist are left out. */
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  /** Programs that a container would not have otherwise. */
  readonly readable: readonly string[];
  /** How git's folder is seen; without it, it can only be read. */
  readonly git?: GitMounts | undefined;
}

/** In the user's home: keys and passwords that no task needs. */
const SECRETS =
  `.ssh .gnupg .aws .azure .kube .docker .netrc .pypirc .git-credentials .password-store
  .npmrc .cargo/credentials .cargo/credentials.toml .config/gh .config/hub .config/gcloud .config/op .mozilla .config/google-chrome .config/chromium`.split(
    /\s+/,
  );

/** Hidden because a socket on a read-only disk still answers. What else is needed of it comes back. */
const SOCKETS = "/run";
const NEEDED = ["/etc/resolv.conf", "/run/current-system", "/run/opengl-driver"];

/** Converts command lines into ones that run in the sandbox. */
export function wrapperFor(sandbox: Sandbox, place: SandboxPlace): Wrap {
  const cwd = realPathOf(place.cwd);
  const box = { cwd, network: sandbox.network, mounts: readMounts(place, cwd) };
  if (sandbox.kind === "bwrap") return planBwrap("bwrap", box, sandbox.ownPids);
  const user = { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 };
  const { kind: program, image } = sandbox;
  return planContainer({ ...box, program, image, user, home: place.home });
}

function readMounts(place: SandboxPlace, cwd: string): Mounts {
  const { home, readable, writable, readOnly, git = readGitMounts(cwd) } = place;
  const isBelowWritable = (path: string): boolean =>
    writes.some((folder) => isSameOrBelow(path, folder));
  const writes = existing([cwd, ...git.writable, ...writable]);
  return {
    hidden: existing([...SECRETS.map((name) => join(home, name)), SOCKETS])
      // Writable folders and their contents are not hidden.
      .filter((path) => !isBelowWritable(path))
      .map((path) => ({ path, isFolder: statOf(path)?.isDirectory() === true })),
    readable: [
      ...existing(NEEDED).filter((path) => isSameOrBelow(path, SOCKETS)),
      ...existing([...readable, ...git.readable]),
    ],
    writable: writes,
    // Mounted at the real path, so that a link does not lead elsewhere.
    readOnly: existing([...git.readOnly, ...readOnly]),
    placed: git.placed,
  };
}

/** A Verify writes in the work tree, but only reads git: the git outside would follow what is changed there. */
function readGitMounts(cwd: string): GitMounts {
  const git = findGit(cwd);
  if (git === undefined) return { readable: [], writable: [], readOnly: [], placed: [] };
  const { top, own, common } = git;
  return { readable: [], writable: [top], readOnly: [common, own, join(top, ".git")], placed: [] };
}

const existing = (paths: readonly string[]): string[] => [
  ...new Set(paths.filter((path) => statOf(path) !== undefined).map(realPathOf)),
];

export type SandboxCheck =
  | { readonly kind: "ok"; readonly sandbox: Sandbox }
  | { readonly kind: "missing"; readonly why: string; readonly fix: string };

/** Runs a program to its end: whether it succeeded, and its error output. */
export type Try = (command: readonly string[]) => { readonly ok: boolean; readonly said: string };

/** Tries the sandbox before anything runs in it: if it does not work, the run does not begin. */
export function openSandbox(
  kind: BoxKind,
  { network, image = "" }: { readonly network: boolean; readonly image: string | undefined },
  attempt: Try = tryCommand,
  platform: string = process.platform,
): SandboxCheck {
  const sandbox = { kind, network, image, ownPids: true };
  if (kind === "bwrap") return openBwrap(sandbox, attempt, platform);
  const missing = (why: string, fix: string): SandboxCheck => ({ kind: "missing", why, fix });
  const server = attempt([kind, "version", "--format", "{{.Server.Version}}"]);
  if (!server.ok)
    return missing(
      `${kind} does not answer: ${oneLine(server.said, 200)}`,
      `install it and start it, or use another --sandbox`,
    );
  if (!attempt([kind, "image", "inspect", image]).ok)
    return missing(`${kind} has no image ${image}`, `${kind} pull ${image}`);
  return { kind: "ok", sandbox };
}

function openBwrap(sandbox: Sandbox, attempt: Try, platform: string): SandboxCheck {
  if (platform !== "linux")
    return {
      kind: "missing",
      why: "bwrap works on Linux only",
      fix: "use --sandbox docker or podman",
    };
  const mounts = { hidden: [], readable: [], writable: [], readOnly: [], placed: [] };
  const box = { cwd: "/", network: sandbox.network, mounts };
  let said = "";
  for (const ownPids of [true, false]) {
    const tried = attempt(planBwrap("bwrap", box, ownPids)(["/bin/sh", "-c", "exit 0"], []));
    if (tried.ok) return { kind: "ok", sandbox: { ...sandbox, ownPids } };
    said = tried.said;
  }
  const isAbsent = /ENOENT|not found/.test(said);
  return {
    kind: "missing",
    why: isAbsent ? "bwrap is not installed" : `bwrap cannot be used here: ${oneLine(said, 200)}`,
    fix: isAbsent
      ? "install the package bubblewrap (apt install bubblewrap, dnf install bubblewrap)"
      : "allow unprivileged user namespaces (on Ubuntu: an AppArmor profile for bwrap), or use --sandbox docker or podman",
  };
}

const TRY_MS = 20_000;

export function tryCommand(command: readonly string[]): ReturnType<Try> {
  const { ok, error, err } = runToEnd(command, { cwd: "/", limitMs: TRY_MS });
  return { ok, said: error?.message ?? err };
}
