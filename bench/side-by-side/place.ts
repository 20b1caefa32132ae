import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { claude } from "../../test/e2e/agents/claude.ts";
import type { Ask } from "../../test/e2e/ask.ts";
import { inputTokens } from "../../test/e2e/calls.ts";
import { type Script, startModel } from "../../test/e2e/model.ts";
import { workLine } from "../../test/e2e/run/tasks.ts";
import { type Answer, bash } from "../../test/e2e/wire.ts";
import { endProcessesIn, processesIn } from "../../test/support/processes.ts";

/** Where a loop runs: a repository, a home and a PATH of its own. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that starts an agent for one task after the other. */
export interface Loop {
  readonly name: string;
  /** Writes the tasks in the form that it wants. */
  readonly prepare: (place: Place, ids: readonly string[]) => void;
  readonly command: (place: Place) => readonly string[];
  /** The task that the agent is to do, as any agent would understand what it is told. */
  readonly taskOf: (place: Place, ask: Ask) => string | undefined;
  /** The shell command by which an agent says that a task is done; none if it is not for agents to say. */
  readonly tick?: (id: string) => string;
  readonly report: (place: Place) => string;
  /** Tasks that it takes for done. */
  readonly believed: (place: Place) => readonly string[];
  /** Where the work is. */
  readonly tree: (place: Place) => string;
}

/** What the model does when a task is begun for the nth time; undefined: the work. */
export type Behaviour = (
  id: string,
  nth: number,
) => "lie" | { readonly answer: Answer } | undefined;

export interface Played {
  readonly code: number | null | "cut off";
  readonly ms: number;
  readonly starts: number;
  readonly tokens: number;
  readonly believed: readonly string[];
  readonly done: readonly string[];
  /** Who was alive afterwards, in words. */
  readonly left: readonly string[];
  readonly out: string;
}

export interface Game {
  readonly ids: readonly string[];
  readonly behave: Behaviour;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly capMs: number;
  /** Kills the loop, and only it, with -9 once such a command runs. */
  readonly killAt?: string;
}

/** An agent that is done within a second is taken for one that could not start, by some. */
export const THINKS_MS = 750;
const AFTER_KILL_MS = 5000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function play(loop: Loop, game: Game): Promise<Played> {
  const ground = mkdtempSync(join(realpathSync(tmpdir()), "side-by-side-"));
  const [home, root, bin] = [join(ground, "home"), join(ground, "project"), join(ground, "bin")];
  for (const folder of [home, root, bin]) mkdirSync(folder);
  const counts = new Map<string, number>();
  let starts = 0;
  const script: Script = (ask) => {
    if (ask.result !== undefined) return loop.report(place);
    starts += 1;
    const id = loop.taskOf(place, ask);
    if (id === undefined) return loop.report(place);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const behaviour = game.behave(id, counts.get(id) ?? 1);
    if (typeof behaviour === "object") return behaviour.answer;
    const lines = [
      ...(behaviour === "lie" ? [] : [workLine(id)]),
      ...(loop.tick === undefined ? [] : [loop.tick(id)]),
    ];
    return lines.length === 0
      ? loop.report(place)
      : { say: "I write it.", call: [bash(lines.join("\n"))] };
  };
  const thinking: Script = async (ask) => {
    await pause(THINKS_MS);
    return script(ask);
  };
  const model = await startModel(thinking, { main: 500, sub: 500 });
  const all: Record<string, string | undefined> = {
    ...(await claude.prepare({ home, bin, url: model.url })),
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    TERM: "dumb",
    // As root the client refuses to work without questions.
    IS_SANDBOX: "1",
    ...game.env,
  };
  const env = Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const place: Place = { root, home, env };
  try {
    const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: root });
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@example.com");
    loop.prepare(place, game.ids);
    git("add", "--all");
    git("commit", "-q", "-m", "begin");
    const began = performance.now();
    const { code, out } = await run(loop.command(place), place, game, ground);
    const ms = performance.now() - began;
    if (game.killAt !== undefined) await pause(AFTER_KILL_MS);
    return {
      code,
      ms,
      starts,
      tokens: inputTokens(model),
      believed: loop.believed(place),
      done: game.ids.filter((id) => isDone(loop.tree(place), id)),
      left: processesIn(ground).map(
        ({ command }) => command.split(" ")[0]?.split("/").at(-1) ?? "",
      ),
      out,
    };
  } finally {
    await endProcessesIn(ground);
    await model.close();
    rmSync(ground, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** By what is committed, whoever says what. */
function isDone(tree: string, id: string): boolean {
  try {
    const file = `part-${id.replace(".", "-")}.txt`;
    const shown = execFileSync("git", ["show", `HEAD:${file}`], {
      cwd: tree,
      encoding: "utf8",
      stdio: "pipe",
    });
    return shown.includes("done");
  } catch {
    return false;
  }
}

async function run(
  [file = "", ...args]: readonly string[],
  { root, env }: Place,
  { capMs, killAt }: Game,
  ground: string,
): Promise<Pick<Played, "code" | "out">> {
  // A file: some write to /dev/stderr by its name, which cannot be done if it is one of node's pipes.
  const log = join(ground, "log");
  const handle = openSync(log, "a");
  const child = spawn(file, args, { cwd: root, env, stdio: ["ignore", handle, handle] });
  closeSync(handle);
  const ended = new Promise<{ readonly code: number | null }>((resolve) =>
    child.once("exit", (code) => resolve({ code })),
  );
  const late = performance.now() + capMs;
  while (performance.now() < late) {
    const over = await Promise.race([ended, pause(50)]);
    if (over !== undefined) return { ...over, out: readFileSync(log, "utf8") };
    if (killAt !== undefined && processesIn(ground).some(({ command }) => command === killAt)) {
      child.kill("SIGKILL");
      await ended;
      return { code: null, out: readFileSync(log, "utf8") };
    }
  }
  child.kill("SIGKILL");
  return { code: "cut off", out: readFileSync(log, "utf8") };
}
