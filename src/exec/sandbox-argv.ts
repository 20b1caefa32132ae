/** What a command may touch; later entries override earlier ones. All paths are absolute, exist and are not links. */
export interface Mounts {
  /** Folders and files whose content is hidden. */
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[];
  /** Always readable: programs. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Inside writable folders, but read-only. */
  readonly readOnly: readonly string[];
  /** At another path, in place of what is there. */
  readonly placed: readonly {
    readonly source: string;
    readonly target: string;
    readonly isReadOnly: boolean;
  }[];
}

export interface Box {
  readonly cwd: string;
  readonly mounts: Mounts;
  readonly network: boolean;
}

const words = (text: string): string[] => text.split(" ");

/**
 * Converts a command line into one that runs it in a sandbox. A container gets only the named variables; their values
 * stay out of the command line, which everyone can read.
 */
export type Wrap = (command: readonly string[], names: readonly string[]) => readonly string[];

/**
 * Bubblewrap: everything can be read except what is hidden; only what is listed and a private /tmp can be written.
 * `ownPids` is false where a process namespace is not available, as in some containers.
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
    ...mounts.placed.flatMap(({ source, target, isReadOnly }) => [
      isReadOnly ? "--ro-bind" : "--bind",
      source,
      target,
    ]),
    ...(network ? [] : ["--unshare-net"]),
    ...words("--unshare-ipc --die-with-parent --new-session"),
    // Root could make everything writable again.
    ...words("--cap-drop ALL"),
    // npm's cache is outside the sandbox, and npm does not work without one.
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

/** Variables that describe this machine, not the container. */
const LOCAL = new Set(["PATH", "HOME", "SHELL", "TMPDIR", "TEMP", "TMP", "PWD"]);

/** A container: the image, plus what is listed, at the same paths. */
export const planContainer =
  ({ program, image, user, cwd, home, mounts, network }: Container): Wrap =>
  (command, names) => [
    program,
    ...words("run --rm --interactive --init --read-only"),
    ...words("--cap-drop ALL --security-opt no-new-privileges"),
    ...words("--tmpfs /tmp:exec,mode=1777 --label smart-ralph"),
    // Otherwise, files written under rootless podman belong to another user.
    ...(program === "podman" ? ["--userns", "keep-id"] : []),
    `--user=${user.uid}:${user.gid}`,
    ...(network ? [] : ["--network", "none"]),
    ...mounts.readable.flatMap((path) => mount(path, true)),
    ...mounts.writable.flatMap((path) => mount(path, false)),
    ...mounts.readOnly.flatMap((path) => mount(path, true)),
    ...mounts.placed.flatMap(({ source, target, isReadOnly }) => mount(source, isReadOnly, target)),
    ...names.flatMap((name) => (LOCAL.has(name.toUpperCase()) ? [] : ["--env", name])),
    `--env=HOME=${home}`,
    "--env=npm_config_cache=/tmp/.npm",
    `--workdir=${cwd}`,
    image,
    ...command,
  ];

/** Not `--volume`, in which a colon in a path is a separator. In this form, a comma has to be quoted. */
const mount = (source: string, isReadOnly: boolean, target = source): string[] => {
  const quote = (field: string): string =>
    /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  const fields = ["type=bind", quote(`source=${source}`), quote(`target=${target}`)];
  return ["--mount", [...fields, ...(isReadOnly ? ["readonly"] : [])].join(",")];
};
