import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent } from "../../../src/runner/events.ts";
import { endProcessesIn, type Process, processesIn } from "../../support/processes.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { type Model, type Script, startModel } from "../model.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "..", "bin", "smart-ralph.cjs");

/** A project with one spec, and a real agent behind which a script is the model. */
export interface Overnight {
  readonly root: string;
  readonly model: Model;
  readonly run: (...args: readonly string[]) => Promise<Ended>;
  /** In the run's own tree. */
  readonly git: (...args: readonly string[]) => string;
  readonly living: () => readonly Process[];
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly events: readonly RunEvent[];
}

export const taskFile = (id: string): string => `part-${id.replace(".", "-")}.txt`;

/** `count` tasks, each of which writes its own file. */
export const listOf = (ids: readonly string[], tag = ""): string =>
  [
    "# Tasks\n",
    ...ids.map(
      (id) =>
        `- [ ] ${id} ${tag}Write part ${id}\n  - **Do**: write \`${taskFile(id)}\`\n  - **Files**: \`${taskFile(id)}\`\n  - **Verify**: \`grep -q done ${taskFile(id)}\`\n  - **Commit**: \`feat: part ${id}\`\n`,
    ),
  ].join("\n");

export async function openNight(
  adapter: AgentAdapter,
  tasks: string,
  script: Script,
): Promise<Overnight> {
  const ground = mkdtempSync(join(tmpdir(), "night-"));
  const [home, root, bin] = ["home", "project", "bin"].map((name) => join(ground, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, join(root, "specs", "demo"), bin])
    mkdirSync(folder, { recursive: true });
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync("git", args, { cwd, encoding: "utf8" });
  writeFileSync(join(root, "specs", "demo", "tasks.md"), tasks);
  git(root, "init", "-q", "-b", "main");
  git(root, "config", "user.name", "Test");
  git(root, "config", "user.email", "test@example.com");
  git(root, "add", "--all");
  git(root, "commit", "-q", "-m", "begin");
  const model = await startModel(script, { main: 200 }, adapter.isSide);
  onTestFinished(async () => {
    await endProcessesIn(ground);
    await model.close();
  });
  const env = {
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    TMPDIR: home,
    TERM: "dumb",
    ...(await adapter.prepare({ home, bin, url: model.url })),
  };
  return {
    root,
    model,
    living: () => processesIn(ground),
    git: (...args) => git(treeIn(home), ...args),
    async run(...args) {
      const child = spawn(
        process.execPath,
        [PROGRAM, "run", "demo", "--agent", adapter.agent.id, "--json", ...args],
        { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] },
      );
      let out = "";
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (out += chunk.toString()));
      const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
      const events = out
        .split("\n")
        .filter((line) => line.startsWith('{"at"'))
        .map((line) => JSON.parse(line) as RunEvent);
      return { code, out, events };
    },
  };
}

function treeIn(home: string): string {
  const trees = join(home, ".local", "state", "smart-ralph", "trees");
  const [repository = ""] = readdirSync(trees);
  return join(trees, repository, "demo");
}

export const readIn = (folder: string, name: string): string =>
  readFileSync(join(folder, name), "utf8");
