import { spawn, spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "./child.ts";
import { receive, send, WARM } from "./frames.ts";
import { makeFolder } from "./temporary.ts";

export interface Request {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

interface Server {
  readonly to: number;
  readonly from: number;
}

let server: Server | undefined;

/**
 * Runs our program in a process that has run it before: to start node takes longer than most of what these tests do.
 * Undefined where there is no such process.
 */
export function runWarm(request: Request): Ran | undefined {
  const program = process.env[WARM];
  if (program === undefined) return undefined;
  server ??= start(program);
  send(server.to, request);
  const ran = receive<Ran>(server.from);
  if (ran === undefined) throw new Error("the warm process has died");
  return ran;
}

function start(program: string): Server {
  const pipes = ["requests", "answers"].map((name) => join(makeFolder(), name)) as [string, string];
  spawnSync("mkfifo", pipes);
  // It ends when this process does, because then nobody writes to it any more.
  spawn(process.execPath, [program, ...pipes], { stdio: ["ignore", 2, 2] }).unref();
  // Each waits here for the other end.
  return { to: openSync(pipes[0], "w"), from: openSync(pipes[1], "r") };
}
