import { execFileSync, spawn, type SpawnOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RunEvent } from "../../../src/runner/events.ts";
import { endProcessesIn, type Process, processesIn } from "../../support/processes.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { repoRoot } from "../install.ts";
import { type Model, type Script, startModel } from "../model.ts";

const PROGRAM = join(repoRoot, "bin", "smart-ralph.cjs");

/** A project with one spec, run by `smart-ralph run` with real agents and a scripted model. */
export interface Night {
  readonly root: string;
  readonly home: string;
  /** The whole environment of the run. */
  readonly env: Readonly<Record<string, string>>;
  readonly model: Model;
  /** Starts `run demo` with the night's agents. */
  readonly begin: (...args: readonly string[]) => Begun;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** The same, typed by a user at a terminal, who may take over what a client has begun. */
  readonly runByHand: (...args: readonly string[]) => Promise<Ended>;
  /** Any other command of the program, typed by a user at a terminal. */
  readonly terminal: (...args: readonly string[]) => string;
  /** In the run's own tree. */
  readonly git: (...args: readonly string[]) => string;
  readonly tree: () => string;
  readonly living: () => readonly Process[];
  readonly close: () => Promise<void>;
}

export interface Begun {
  readonly pid: number;
  readonly events: readonly RunEvent[];
  /** Resolves with the first event, past or to come, that fits; rejects if the run ends without it. */
  readonly sees: (fits: (event: RunEvent) => boolean) => Promise<RunEvent>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly events: readonly RunEvent[];
}

export interface NightPlan {
  /** In the order in which the run tries them. */
  readonly agents: readonly AgentAdapter[];
  /** The text of `tasks.md`. */
  readonly tasks: string;
  readonly script: Script;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More lines of the user's own settings. */
  readonly settings?: string;
}

/** More calls than any scenario needs: an agent that makes more is going in circles. */
const MAX_CALLS = 200;

export async function makeNight(plan: NightPlan): Promise<Night> {
  const { agents, tasks, script, settings } = plan;
  const ground = mkdtempSync(join(realpathSync(tmpdir()), "night-"));
  const inGround = (name: string): string => join(ground, name);
  const [home, root, bin] = [inGround("home"), inGround("project"), inGround("bin")];
  // Outside the home folder, where some sandboxes do not start.
  const temporary = inGround("tmp");
  for (const folder of [home, join(root, "specs", "demo"), bin, temporary])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, "specs", "demo", "tasks.md"), tasks);
  makeRepository(root);
  const isSide: AgentAdapter["isSide"] = (seen) =>
    agents.some((adapter) => adapter.isSide?.(seen) === true);
  const model = await startModel(script, { main: MAX_CALLS, sub: MAX_CALLS }, isSide);
  const { url } = model;
  const prepared = await Promise.all(agents.map((one) => one.prepare({ home, bin, url })));
  const all: Record<string, string | undefined> = {
    ...Object.assign({}, ...prepared),
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    TERM: "dumb",
    ...plan.env,
  };
  const env = Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  // The variables of the adapters' fake keys are not among those that agents get by default.
  const names = [...new Set(prepared.flatMap(Object.keys))].join(", ");
  writeSettings(home, `run_env: [${names}]\n${settings ?? ""}`);
  const chosen = agents.map(({ agent }) => agent.id).join(",");
  const tree = (): string => treeIn(home);
  const command = [process.execPath, PROGRAM, "run", "demo", "--agent", chosen, "--json"];
  const options: SpawnOptions = { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] };
  const begin = (...args: readonly string[]): Begun =>
    follow(spawn(process.execPath, [...command.slice(1), ...args], options));
  // `script` of util-linux runs a command in its own terminal.
  const atTerminal = (words: readonly string[]): readonly [string, string[]] => [
    "script",
    ["-qec", words.join(" "), "/dev/null"],
  ];
  return {
    root,
    home,
    env,
    model,
    begin,
    run: (...args) => begin(...args).ended,
    runByHand: (...args) => follow(spawn(...atTerminal([...command, ...args]), options)).ended,
    terminal: (...args) =>
      execFileSync(...atTerminal([process.execPath, PROGRAM, ...args]), {
        cwd: root,
        env,
        encoding: "utf8",
      }),
    tree,
    git: (...args) => execFileSync("git", args, { cwd: tree(), encoding: "utf8" }).trim(),
    living: () => processesIn(ground),
    async close() {
      await endProcessesIn(ground);
      await model.close();
      rmSync(ground, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function makeRepository(root: string): void {
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: root });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  git("add", "--all");
  git("commit", "-q", "-m", "begin");
}

function writeSettings(home: string, text: string): void {
  const folder = join(home, ".config", "smart-ralph");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "ralph-specum.md"), `---\n${text}---\n`);
}

type Child = ReturnType<typeof spawn>;

function follow(child: Child): Begun {
  const events: RunEvent[] = [];
  const watchers = new Set<(event: RunEvent) => void>();
  let out = "";
  let rest = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    const lines = `${rest}${chunk.toString()}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith('{"at"'))) {
      const event = JSON.parse(line) as RunEvent;
      events.push(event);
      for (const watch of watchers) watch(event);
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code) => resolve({ code, out, events })),
  );
  return {
    pid: child.pid as number,
    events,
    ended,
    sees: (fits) =>
      new Promise((resolve, reject) => {
        const watch = (event: RunEvent): void => {
          if (!fits(event)) return;
          watchers.delete(watch);
          resolve(event);
        };
        watchers.add(watch);
        events.forEach(watch);
        void ended.then(() => reject(new Error(`the run ended before:\n${out.slice(-3000)}`)));
      }),
  };
}

function treeIn(home: string): string {
  const trees = join(home, ".local", "state", "smart-ralph", "trees");
  const [repository = ""] = readdirSync(trees);
  return join(trees, repository, "demo");
}
