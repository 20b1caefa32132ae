/** What a command may touch, in the order in which one covers the other. All paths are absolute, exist and are no links. */
export interface Mounts {
  /** Folders and files that are not there. */
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[];
  /** Can be read in any case: programs. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** What nevertheless can only be read, inside of the latter. */
  readonly readOnly: readonly string[];
  /** Folders that are empty, and in which nothing stays; they need not exist. */
  readonly empty: readonly string[];
}

export interface Box {
  readonly cwd: string;
  readonly mounts: Mounts;
  readonly network: boolean;
}

const words = (text: string): string[] => text.split(" ");

/**
 * From a command line to the one that runs it in a sandbox. A container gets only the variables of these names; their
 * values stay out of the command line, which everybody can read.
 */
export type Wrap = (command: readonly string[], names: readonly string[]) => readonly string[];

/**
 * Bubblewrap: everything is there and may be read, except what is hidden; written is only what is listed and a private
 * /tmp. `ownPids` is false where a namespace for processes cannot be had, as in some containers.
 */
export const planBwrap =
  (program: string, { cwd, mounts, network }: Box, ownPids: boolean): Wrap =>
  (command) => [
    program,
    ...words("--ro-bind / / --dev /dev --tmpfs /tmp"),
    ...(ownPids ? ["--unshare-pid", "--proc", "/proc"] : []),
    ...mounts.hidden.flatMap(({ path, isFolder }) =>
      isFolder ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
    ),
    ...mounts.readable.flatMap((path) => ["--ro-bind", path, path]),
    ...mounts.writable.flatMap((path) => ["--bind", path, path]),
    ...mounts.readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...mounts.empty.flatMap((path) => ["--tmpfs", path]),
    ...(network ? [] : ["--unshare-net"]),
    ...words("--unshare-ipc --die-with-parent --new-session"),
    // Root could make everything writable again.
    ...words("--cap-drop ALL"),
    // Its cache is outside, and npm does nothing without one.
    ...words("--setenv npm_config_cache /tmp/.npm --setenv TMPDIR /tmp"),
    "--chdir",
    cwd,
    "--",
    ...command,
  ];

export interface Container extends Box {
  readonly program: "docker" | "podman";
  readonly image: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly home: string;
}

/** Variables that say something about this machine, not about the container. */
const LOCAL = new Set(["PATH", "HOME", "SHELL", "TMPDIR", "TEMP", "TMP", "PWD"]);

/** A container: only what is listed is there, in the same places, and the image. */
export const planContainer =
  ({ program, image, user, cwd, home, mounts, network }: Container): Wrap =>
  (command, names) => [
    program,
    ...words("run --rm --interactive --init --read-only"),
    ...words("--cap-drop ALL --security-opt no-new-privileges"),
    ...words("--tmpfs /tmp:exec,mode=1777 --label smart-ralph"),
    // Rootless podman gives files to somebody else otherwise.
    ...(program === "podman" ? ["--userns", "keep-id"] : []),
    `--user=${user.uid}:${user.gid}`,
    ...(network ? [] : ["--network", "none"]),
    ...mounts.readable.flatMap((path) => mount(path, true)),
    ...mounts.writable.flatMap((path) => mount(path, false)),
    ...mounts.readOnly.flatMap((path) => mount(path, true)),
    ...mounts.empty.flatMap((path) => ["--tmpfs", path]),
    ...names.flatMap((name) => (LOCAL.has(name.toUpperCase()) ? [] : ["--env", name])),
    `--env=HOME=${home}`,
    "--env=npm_config_cache=/tmp/.npm",
    `--workdir=${cwd}`,
    image,
    ...command,
  ];

/** Not `--volume`: it would take a colon in a path for its own. In this form a comma has to be quoted. */
const mount = (path: string, isReadOnly: boolean): string[] => {
  const quote = (field: string): string =>
    /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  const fields = ["type=bind", quote(`source=${path}`), quote(`target=${path}`)];
  return ["--mount", [...fields, ...(isReadOnly ? ["readonly"] : [])].join(",")];
};
