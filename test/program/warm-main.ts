import fs from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { SIGNALS } from "../../src/apps/stdio/terminal.ts";
import type { Ran } from "./child.ts";
import { receive, send } from "./frames.ts";
import type { Request } from "./warm.ts";

/**
 * The other end of `runWarm`: a process that runs our program again and again, each time from its first line. It has
 * its own folder and environment, and standard streams that are kept here; starting node is all that is saved.
 */
async function serve(): Promise<void> {
  const [from, to] = [
    fs.openSync(process.argv[2] ?? "", "r"),
    fs.openSync(process.argv[3] ?? "", "w"),
  ];
  for (;;) {
    const request = receive<Request>(from);
    // Whoever started us has ended.
    if (request === undefined) return;
    send(to, await run(request));
  }
}

async function run({ file, args, cwd, env, input }: Request): Promise<Ran> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const streams = new Streams(Buffer.from(input));
  const real = createRequire(file);
  const code = await new Promise<number>((resolve) => {
    const shown = Object.create(process, {
      argv: { value: [process.execPath, file, ...args] },
      stdin: { value: {} },
      stdout: { value: {} },
      stderr: { value: {} },
      exitCode: { set: resolve },
    }) as object;
    const require = (name: string): unknown => {
      if (name === "node:fs") return streams.over(fs);
      return name.startsWith("./") ? open(name) : (real(name) as unknown);
    };
    const open = (name: string): object => {
      const module = { exports: {} };
      load(join(dirname(file), name))(require, module, module.exports, shown, dirname(file));
      return module.exports;
    };
    const isHook = basename(file) === "hook.cjs";
    open(`${basename(file, ".cjs")}-body.cjs`);
    // It does everything at once, and its loader then ends the process.
    if (isHook) resolve(0);
  });
  // Nobody tells a process that has ended about signals any more.
  for (const name of SIGNALS) process.removeAllListeners(name);
  return { code, out: streams.text(1), err: streams.text(2) };
}

type Bundle = (...values: unknown[]) => void;
const loaded = new Map<string, Bundle>();

function load(file: string): Bundle {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const names = "require, module, exports, process, __dirname";
  const source = `(function (${names}) {${fs.readFileSync(file, "utf8")}\n})`;
  const bundle = new Script(source, { filename: file }).runInThisContext() as Bundle;
  loaded.set(file, bundle);
  return bundle;
}

class Streams {
  private input: Buffer;
  private readonly written: Readonly<Record<1 | 2, Buffer[]>> = { 1: [], 2: [] };

  constructor(input: Buffer) {
    this.input = input;
  }

  over(real: typeof fs): typeof fs {
    return {
      ...real,
      readSync: ((fd: number, into: Buffer, from: number, length: number, at: number | null) => {
        if (fd !== 0) return real.readSync(fd, into, from, length, at);
        const count = this.input.copy(into, from, 0, length);
        this.input = this.input.subarray(count);
        return count;
      }) as typeof fs.readSync,
      writeSync: ((fd: number, data: Buffer, from?: number, ...rest: unknown[]) => {
        if (fd !== 1 && fd !== 2) return real.writeSync(fd, data, from, ...(rest as [number]));
        const bytes = Buffer.from(data).subarray(from ?? 0);
        this.written[fd].push(bytes);
        return bytes.length;
      }) as typeof fs.writeSync,
    };
  }

  text = (fd: 1 | 2): string => Buffer.concat(this.written[fd]).toString();
}

void serve();
