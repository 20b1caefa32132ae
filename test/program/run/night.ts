import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { DemoScene } from "../../../src/agents/demo/script.ts";
import type { Entry } from "../../../src/run/journal.ts";
import type { RunEvent } from "../../../src/runner/events.ts";
import { processesIn } from "../../support/processes.ts";
import { GIT_ENV, openRepository, type Repository } from "../../support/repository.ts";
import { endOf, PATH, type Ran, REPOSITORY, runChild } from "../child.ts";
import { fillFolder, makeFolder } from "../temporary.ts";
import { honest, listOf, type Row, scene } from "./scenes.ts";

export const PROGRAM = join(REPOSITORY, "bin", "smart-ralph.cjs");

export interface Plan {
  readonly rows: readonly Row[];
  /** For tasks without a scene, agents are honest. */
  readonly scenes?: readonly DemoScene[];
  readonly settings?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Shell scripts that take precedence over the machine's own programs. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Where the project is in its repository; at the top unless told. */
  readonly within?: string;
  /** False on a machine where git knows nobody and does not guess. */
  readonly identity?: false;
}

export interface Ended extends Ran {
  readonly events: readonly RunEvent[];
}

/** A project whose spec `demo` is run by the built program, without a client. */
export interface Night extends Repository {
  readonly spec: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs to the end, then checks the user's tree and the processes. */
  readonly run: (args?: readonly string[], target?: string) => Promise<Ended>;
  readonly start: (args?: readonly string[], target?: string) => ChildProcess;
  readonly wait: (child: ChildProcess) => Promise<Ended>;
  /** Runs another command as the user. */
  readonly cli: (...args: readonly string[]) => Ran;
  readonly events: () => RunEvent[];
  /** Waits until the newest run has emitted such an event. */
  readonly until: (what: (event: RunEvent) => boolean) => Promise<RunEvent>;
  /** Waits for a process with exactly this command line; the shell that starts it has a longer one. */
  readonly untilProcess: (command: string) => Promise<void>;
  /** Waits for a file that an agent writes. */
  readonly untilFile: (path: string) => Promise<void>;
  readonly scenes: (scenes: readonly DemoScene[]) => void;
  /** Replaces the user's own settings. */
  readonly settings: (lines: string) => void;
  /** The run's own tree, on its own branch. */
  readonly tree: () => string;
  readonly subjects: () => string[];
  /** The same without the commits of the spec's own documents. */
  readonly work: () => string[];
  readonly entries: () => Entry[];
  readonly tasks: () => string;
  /** A path that scenes can use as a counter or a flag. */
  readonly counter: (name: string) => string;
  /** Processes and locks that the run left behind. */
  readonly left: () => string[];
  readonly asides: () => string[];
}

const NOBODY = { GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC" };
const ENV = { ...GIT_ENV, ...NOBODY };

export function makeNight({
  rows,
  scenes = [],
  settings = "",
  files = {},
  programs = {},
  within = "",
  identity,
}: Plan): Night {
  const home = makeFolder();
  const top = join(home, "project");
  const root = join(top, within);
  const spec = join(root, "specs", "demo");
  fillFolder(root, { "specs/demo/tasks.md": listOf(rows), "code.txt": "begun\n", ...files });
  const configure = (lines: string): void =>
    void fillFolder(home, { ".config/smart-ralph/ralph-specum.md": `---\n${lines}\n---\n` });
  configure(settings);
  fillFolder(home, { "count/": "" });
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    await settled(left);
  });
  const repository = openRepository(top, home);
  repository.git("init", "-q", "-b", "main");
  repository.commit({}, "begin");
  const script = join(home, "scenes.json");
  const play = (all: readonly DemoScene[]): void =>
    writeFileSync(script, JSON.stringify([...all, ...rows.map(({ id }) => scene(id, honest(id)))]));
  play(scenes);
  for (const [name, text] of Object.entries(programs)) {
    fillFolder(join(home, "bin"), { [name]: text });
    chmodSync(join(home, "bin", name), 0o755);
  }
  const path = [join(home, "bin"), PATH].join(delimiter);
  const own = { PATH: path, HOME: home, SMART_RALPH_DEMO_SCENES: script };
  const env = { ...own, ...(identity === false ? NOBODY : ENV) };
  if (identity === false) fillFolder(home, { ".gitconfig": "[user]\n\tuseConfigOnly = true\n" });
  const runs = join(home, ".local/state/smart-ralph/runs");
  const newest = (): string | undefined =>
    (existsSync(runs) ? readdirSync(runs) : [])
      .filter((name) => existsSync(join(runs, name, "run.json")))
      .sort((a, b) => mtime(join(runs, a)) - mtime(join(runs, b)))
      .at(-1);
  const events = (run = newest()): RunEvent[] =>
    run === undefined ? [] : readLines<RunEvent>(join(runs, run, "events.jsonl"));
  const tree = (): string =>
    repository
      .git("worktree", "list", "--porcelain")
      .split("\n\n")
      .find((one) => one.endsWith("branch refs/heads/smart-ralph/demo"))
      ?.replace(/^worktree (.*)\n[\s\S]*$/, "$1") ?? top;
  const inTree = (name: string): string => join(tree(), within, "specs/demo", name);
  const left = (): string[] => [
    // Except direct children of the test.
    ...processesIn(home)
      .filter(({ parent }) => parent !== process.pid)
      .map(({ command }) => command),
    ...(existsSync(runs) ? readdirSync(runs) : []).flatMap(guardsOf),
    ...findLocks(join(home, ".local/state/smart-ralph")),
  ];
  const start: Night["start"] = (args = [], target = "demo") => {
    const child = spawn(
      process.execPath,
      [PROGRAM, "run", target, "--agent", "demo", "--json", ...args],
      {
        cwd: root,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 300_000,
      },
    );
    children.push(child);
    return child;
  };
  const wait: Night["wait"] = async (child) => {
    const printed = { out: "", err: "" };
    child.stdout?.on("data", (chunk: Buffer) => (printed.out += chunk));
    child.stderr?.on("data", (chunk: Buffer) => (printed.err += chunk));
    const code = await endOf(child);
    return { code, ...printed, events: events() };
  };
  const night: Night = {
    ...repository,
    spec,
    env,
    start,
    wait,
    async run(args = [], target = "demo") {
      const before = photograph(repository);
      const ended = await wait(start(args, target));
      if (!args.includes("--here")) expect(photograph(repository)).toEqual(before);
      expect(await settled(left)).toEqual([]);
      expectHonest(night, ended);
      return ended;
    },
    cli: (...args) => runChild(process.execPath, [PROGRAM, ...args], { cwd: root, env }),
    events,
    async until(what) {
      for (let look = 0; look < 2000; look++) {
        const all = events();
        const found = all.find(what);
        if (found !== undefined) return found;
        if (all.at(-1)?.kind === "run-ended") break;
        await delay(20);
      }
      throw new Error(
        `there was no such event: ${events()
          .map((one) => JSON.stringify(one))
          .join("\n")}`,
      );
    },
    async untilProcess(command) {
      for (let look = 0; look < 500; look++) {
        if (processesIn(home).some((one) => one.command === command)) return;
        await delay(20);
      }
      throw new Error(`there is no ${command}`);
    },
    async untilFile(file) {
      for (let look = 0; look < 500 && !existsSync(file); look++) await delay(20);
      expect(existsSync(file), file).toBe(true);
    },
    scenes: play,
    settings: configure,
    tree,
    subjects: () => repository.git("log", "--format=%s", "smart-ralph/demo").split("\n"),
    work: () => night.subjects().filter((one) => !one.startsWith("docs(")),
    entries: () => readLines<Entry>(inTree(".ralph-journal.jsonl")),
    tasks: () => readFileSync(inTree("tasks.md"), "utf8"),
    counter: (name) => join(home, "count", name),
    left,
    asides: () => repository.refs().filter((ref) => ref.includes("/aside/")),
  };
  return night;
}

/** For a run whose time has to be up at a certain point: on a machine that is too slow to get there, it has more. */
export async function withTime<T>(run: (seconds: number) => Promise<T | undefined>): Promise<T> {
  for (const seconds of [6, 18, 54]) {
    const found = await run(seconds);
    if (found !== undefined) return found;
  }
  throw new Error("this machine takes longer than a minute for the first steps of a run");
}

/** Whatever happens, a run never claims that everything is proven when it is not. */
function expectHonest(night: Night, { code, events }: Ended): void {
  const end = events.at(-1);
  if (end?.kind !== "run-ended") return;
  expect(code === 0).toBe(end.done === end.total && end.status === "finished");
  if (code === 0 && existsSync(join(night.tree(), "specs/demo")))
    expect(night.tasks()).not.toContain("- [ ]");
}

/** What is left after a moment to end. */
export async function settled(left: () => string[]): Promise<string[]> {
  for (let look = 0; look < 40 && left().length > 0; look++) await delay(50);
  return left();
}

const mtime = (path: string): number => statSync(join(path, "run.json")).birthtimeMs;

function readLines<T>(path: string): T[] {
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  // The last one may be half written.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as T);
}

/** A guard has neither our environment nor our folder, but the run's id is in its arguments. */
const guardsOf = (run: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => quiet(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")))
    .filter((command) => command.includes("guard.cjs") && command.includes(run));

function findLocks(folder: string): string[] {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
    : [];
  return names.filter((name) => name.endsWith(".lock") && !name.includes("node_modules"));
}

function quiet(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}

/** A snapshot of the user's own tree, byte for byte. */
export function photograph({ root, git }: Pick<Repository, "root" | "git">): object {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !`${one.parentPath}/`.includes("/.git/"))
    .map((one) => join(one.parentPath, one.name))
    .sort();
  return {
    head: git("rev-parse", "HEAD"),
    branch: git("symbolic-ref", "HEAD"),
    status: git("status", "--porcelain"),
    files: Object.fromEntries(files.map((path) => [path, readFileSync(path, "base64")])),
  };
}
