import { spawnSync } from "node:child_process";

/** How a program ended that we waited for without doing anything else. */
export interface Finished {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  /** It could not be started, or not be waited for. */
  readonly error?: NodeJS.ErrnoException | undefined;
}

/** Runs a short program to its end, as the user whose command this is part of. */
export function runToEnd(
  [program = "", ...args]: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly limitMs: number;
    readonly input?: string | undefined;
    /** A file that it reads instead. */
    readonly stdin?: number | undefined;
    /** On Windows, where clients are scripts, in the system's shell. */
    readonly isScript?: true;
  },
): Finished {
  const { cwd, env = process.env, limitMs, input, stdin = "ignore", isScript } = options;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    // Otherwise the Windows shell would try a file of the project first.
    env: isScript === true ? { ...env, NoDefaultCurrentDirectoryInExePath: "1" } : env,
    encoding: "utf8",
    timeout: limitMs,
    maxBuffer: 64 << 20,
    windowsHide: true,
    shell: isScript === true && process.platform === "win32",
    ...(input === undefined ? { stdio: [stdin, "pipe", "pipe"] } : { input }),
  });
  return { ok: status === 0, out: stdout ?? "", err: stderr ?? "", code: status, error };
}
