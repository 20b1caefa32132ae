import childProcess from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import type { Ran } from "../program/child.ts";
import { type Around, aroundFs, aroundProcesses } from "./calls.ts";

/** A clock that a test may put forward or back. Sleeping costs no time. */
export class Clock {
  private offset = 0;

  readonly now = (): number => Date.now() + this.offset;

  /** How much longer than in the world outside it has taken so far. */
  get ahead(): number {
    return this.offset;
  }

  pass(milliseconds: number): void {
    this.offset += milliseconds;
  }
}

export interface Options {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly clock: Clock;
  readonly around?: Around | undefined;
}

/** Thrown where the process would have been killed. From then on it can do nothing more, whatever it catches. */
export class Death extends Error {}

const plain: Around = (_, proceed) => proceed();

/**
 * Runs one of our bundles in this process, with its own standard streams, clock and process number, and with `around`
 * about everything it asks of the system. It is the built program that runs, on real files; only starting node is saved.
 */
export async function runInside(
  file: string,
  argv: readonly string[],
  options: Options,
): Promise<Ran> {
  const streams = new Streams(options.input);
  const around = mortal(options.around ?? plain, streams);
  const disk = aroundFs(streams.over(fs), around);
  const processes = aroundProcesses(childProcess, around);
  const modules: Record<string, object> = {
    "node:fs": onlyKnown({ ...disk, constants: fs.constants }),
    "node:child_process": onlyKnown(processes),
  };
  const real = createRequire(file);
  const code = new Promise<number>((resolve) => {
    const shown = processOf(file, argv, options, resolve);
    const { clock } = options;
    const run = (path: string): object => {
      const module = { exports: {} };
      const world = [shown, dateOf(clock), atomicsOf(clock), dirname(path)];
      load(path)(require, module, module.exports, ...world);
      return module.exports;
    };
    // One of our bundles loads another, which lives in the same world.
    const require = (name: string): unknown =>
      modules[name] ?? (name.startsWith("./") ? run(join(dirname(file), name)) : real(name));
    run(file);
    // The hook ends with its last line; the program says so by its exit code.
    if (file.includes("hook")) resolve(0);
  });
  const ended = await code;
  streams.close();
  return { code: ended, out: streams.text(1), err: streams.text(2) };
}

type Bundle = (...values: unknown[]) => void;
const loaded = new Map<string, Bundle>();

function load(file: string): Bundle {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const names = "require, module, exports, process, Date, Atomics, __dirname";
  const source = `(function (${names}) {${fs.readFileSync(file, "utf8")}\n})`;
  const bundle = new Script(source, { filename: file }).runInThisContext() as Bundle;
  loaded.set(file, bundle);
  return bundle;
}

/** After a death every further call dies too: no `catch` and no `finally` of the program gets at the disk. */
function mortal(around: Around, streams: Streams): Around {
  let isDead = false;
  return (call, proceed, half) => {
    if (isDead) throw new Death();
    try {
      if (call.name === "closeSync") streams.closed(Number(call.on));
      const result = around(call, proceed, half);
      if (call.name === "openSync") streams.opened(result as number);
      return result;
    } catch (error) {
      isDead = error instanceof Death;
      throw error;
    }
  };
}

/** Standard input and output of the program, and the descriptors that it leaves open when it dies. */
class Streams {
  private input: Buffer;
  private readonly written: Buffer[][] = [[], [], []];
  private readonly open = new Set<number>();

  constructor(input: string) {
    this.input = Buffer.from(input);
  }

  over(real: typeof fs): typeof fs {
    return {
      ...real,
      readSync: ((fd: number, into: Buffer, from: number, length: number, at: number | null) => {
        if (fd !== 0) return real.readSync(fd, into, from, length, at);
        const count = this.input.copy(into);
        this.input = this.input.subarray(count);
        return count;
      }) as typeof fs.readSync,
      writeSync: ((fd: number, data: Buffer | string, from?: number | null) => {
        const bytes = Buffer.from(data as string).subarray(from ?? 0);
        if (fd !== 1 && fd !== 2) return real.writeSync(fd, bytes);
        this.written[fd]?.push(bytes);
        return bytes.length;
      }) as typeof fs.writeSync,
    };
  }

  text = (fd: 1 | 2): string => Buffer.concat(this.written[fd] as Buffer[]).toString();
  opened = (fd: number): unknown => this.open.add(fd);
  closed = (fd: number): unknown => this.open.delete(fd);

  close(): void {
    for (const fd of this.open) fs.closeSync(fd);
  }
}

/** A function that the tables of calls do not know would run past every fault. */
const onlyKnown = (known: Record<string, unknown>): object =>
  new Proxy(known, {
    get(target, name) {
      if (name in target || typeof name === "symbol" || name === "__esModule" || name === "default")
        return target[name as string];
      throw new Error(`test/faults/calls.ts does not know ${name}`);
    },
  });

let lastPid = 5_000_000; // Above what any system gives out: nobody with such a number is alive.

function processOf(
  file: string,
  argv: readonly string[],
  { cwd, env }: Options,
  end: (code: number) => void,
): object {
  const ignore = { value: () => undefined };
  return Object.create(process, {
    argv: { value: [process.execPath, file, ...argv] },
    env: { value: { ...env } },
    pid: { value: ++lastPid },
    cwd: { value: () => cwd },
    stdout: { value: { isTTY: false } },
    once: ignore,
    off: ignore,
    exitCode: { set: end },
  }) as object;
}

const dateOf = ({ now }: Clock): typeof Date =>
  class extends Date {
    constructor(value?: number | string) {
      super(value ?? now());
    }
    static override now(): number {
      return now();
    }
  } as typeof Date;

const atomicsOf = (clock: Clock): object => ({
  wait: (_: unknown, __: unknown, ___: unknown, milliseconds: number) => clock.pass(milliseconds),
});
