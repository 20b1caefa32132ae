import type childProcess from "node:child_process";
import type fs from "node:fs";
import { constants } from "node:fs";

/** One call that the program makes to the system. */
export interface Call {
  readonly name: string;
  /** Whether it may change the disk, answer the client or start a process. */
  readonly writes: boolean;
  /** The path or the descriptor, for a test's message. */
  readonly on: string;
  /** Whether the caller wants to hear that the file is not there, instead of an error. */
  readonly quiet: boolean;
}

/** Decides what becomes of a call: `proceed` makes it, `half` makes it with half of the bytes, where there are any. */
export type Around = (
  call: Call,
  proceed: () => unknown,
  half: (() => unknown) | undefined,
) => unknown;

type Function = (...args: unknown[]) => unknown;

const READS = [
  "accessSync",
  "closeSync",
  "existsSync",
  "fstatSync",
  "lstatSync",
  "readFileSync",
  "readSync",
  "readdirSync",
  "readlinkSync",
  "realpathSync",
  "statSync",
] as const;

const WRITES = [
  "copyFileSync",
  "fchmodSync",
  "fchownSync",
  "mkdirSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
  "writeSync",
] as const;

const CHANGES = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT;

const opensToWrite = (flags: unknown): boolean =>
  typeof flags === "number" ? (flags & CHANGES) !== 0 : /[wa+]/.test(String(flags));

/** The functions of node:fs that the program calls, each with `around` about it. The sources use the sync forms only. */
export function aroundFs(real: typeof fs, around: Around): Record<string, Function> {
  const wrap = (name: string, made: Function, writes: (args: unknown[]) => boolean): Function => {
    return (...args) => {
      const call = { name, writes: writes(args), on: String(args[0]), quiet: isQuiet(args) };
      const cut = halved(name, args);
      return around(call, () => made(...args), cut === undefined ? undefined : () => made(...cut));
    };
  };
  const functions = real as unknown as Record<string, Function>;
  const one = (name: string, writes: (args: unknown[]) => boolean): [string, Function] => {
    const made = functions[name] as Function;
    const wrapped = wrap(name, made, writes);
    // Node's realpathSync has a variant as a property.
    const { native } = made as unknown as { native?: Function };
    return [name, native === undefined ? wrapped : withNative(wrapped, wrap(name, native, writes))];
  };
  return Object.fromEntries([
    ...READS.map((name) => one(name, () => false)),
    ...WRITES.map((name) => one(name, () => true)),
    one("openSync", ([, flags]) => opensToWrite(flags)),
  ]);
}

const withNative = (made: Function, native: Function): Function => Object.assign(made, { native });

const isQuiet = (args: unknown[]): boolean =>
  args.some((arg) => (arg as { throwIfNoEntry?: boolean } | null)?.throwIfNoEntry === false);

/** The same call with half of what it would write. */
function halved(name: string, [to, data, from]: unknown[]): unknown[] | undefined {
  if (name !== "writeSync" && name !== "writeFileSync") return undefined;
  const start = typeof from === "number" ? from : 0;
  const bytes = Buffer.from(data as string).subarray(start);
  return [to, bytes.subarray(0, Math.ceil(bytes.length / 2))];
}

/** Git and Verify commands: what starts a process. */
export function aroundProcesses(
  real: typeof childProcess,
  around: Around,
): Record<string, Function> {
  const wrap =
    (name: "spawn" | "spawnSync"): Function =>
    (...args) => {
      const words = [args[0], ...(args[1] as string[])].slice(0, 4).join(" ");
      const call = { name, writes: true, on: words, quiet: false };
      return around(call, () => (real[name] as unknown as Function)(...args), undefined);
    };
  return { spawn: wrap("spawn"), spawnSync: wrap("spawnSync") };
}

/** As the operating system would say it. */
export const errorOf = (code: string, { name, on }: Call): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: injected, ${name} '${on}'`), {
    code,
    syscall: name.replace(/Sync$|FileSync$/, ""),
    path: on,
  });
