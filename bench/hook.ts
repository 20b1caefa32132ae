import { spawnSync } from "node:child_process";
import {
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  closeSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import hooks from "../plugins/ralph-specum/hooks/hooks.json" with { type: "json" };

/**
 * What a stop costs, as ratios to a bare `node -e 0` in the same run. All cases take turns, so that a busy
 * machine slows them alike; the ratio of medians is what counts, not a number of milliseconds.
 */
const TASKS = 60;
const SESSION = "bench";

const folder = mkdtempSync(join(tmpdir(), "smart-ralph-bench-"));
const plugin = resolve("plugins/ralph-specum");
const gate = hooks.hooks.Stop[0]?.hooks[0]?.command ?? "";
const bash = resolve("bench/stop-watcher.sh");

interface Case {
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly input: string;
  /** At most this many times a bare node start; only the hook's own cases have one. */
  readonly bound?: number;
  /** What the answer must contain, so that the right path is timed. */
  readonly answers?: string;
}

function project(name: string): string {
  const root = join(folder, name);
  const spec = join(root, "specs", "demo");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(root, "specs", ".current-spec"), "demo\n");
  const tasks = Array.from(
    { length: TASKS },
    (_, i) =>
      `- [ ] 1.${i + 1} Task ${i + 1}\n  - **Do**: the work\n  - **Files**: \`src/${i}.ts\`\n  - **Verify**: \`npm test\`\n`,
  );
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n## Phase 1: Make it work\n\n${tasks.join("")}`);
  return root;
}

/** Before each run, so that every run continues the same way: a run that has just been started, journal and all. */
function reset(root: string): void {
  for (const [name, text] of started) writeFileSync(join(root, "specs", "demo", name), text);
}

function start(root: string): Map<string, string> {
  const cli = join(plugin, "dist", "cli.cjs");
  spawnSync(process.execPath, [cli, "--layout=specum", "implement", "--session", SESSION], {
    cwd: root,
  });
  const names = [".ralph-state.json", ".ralph-journal.jsonl"];
  return new Map(
    names.map((name) => [name, readFileSync(join(root, "specs", "demo", name), "utf8")]),
  );
}

function transcript(name: string, bytes: number): string {
  const path = join(folder, name);
  const fd = openSync(path, "w");
  ftruncateSync(fd, bytes);
  closeSync(fd);
  return path;
}

const stop = (cwd: string, more: object = {}): string =>
  JSON.stringify({
    session_id: SESSION,
    cwd,
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "Reported.",
    background_tasks: [],
    ...more,
  });

const active = project("active");
const started = start(active);
const idle = project("idle");
const empty = join(folder, "empty");
mkdirSync(empty);
const large = { transcript_path: transcript("large.jsonl", 100 << 20) };
const { last_assistant_message: _, ...silent } = JSON.parse(stop(active, large)) as Record<
  string,
  unknown
>;

const BARE = "node -e 0";
const cases: readonly Case[] = [
  { name: BARE, command: BARE, cwd: active, input: "" },
  {
    name: "continuation",
    command: gate,
    cwd: active,
    input: stop(active),
    bound: 1.15,
    answers: "block",
  },
  {
    name: "continuation, 100 MB transcript",
    command: gate,
    cwd: active,
    input: stop(active, large),
    bound: 1.15,
    answers: "block",
  },
  {
    name: "the same, old client: transcript read",
    command: gate,
    cwd: active,
    input: JSON.stringify(silent),
    answers: "block",
  },
  {
    name: "stop of another session",
    command: gate,
    cwd: active,
    input: stop(active, { session_id: "other" }),
    bound: 1.15,
  },
  {
    name: "spec without a run (no node)",
    command: gate,
    cwd: idle,
    input: stop(idle),
    bound: 0.2,
  },
  {
    name: "no spec (no node)",
    command: gate,
    cwd: empty,
    input: stop(empty),
    bound: 0.2,
  },
  {
    name: "bash + jq, continuation",
    command: `'${bash}'`,
    cwd: active,
    input: stop(active, large),
    answers: "block",
  },
];

function time({ command, cwd, input, answers, name }: Case): number {
  if (cwd === active) reset(active);
  const began = process.hrtime.bigint();
  const { stdout, status } = spawnSync("/bin/sh", ["-c", command], {
    cwd,
    input,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      CLAUDE_PROJECT_DIR: cwd,
      CLAUDE_PLUGIN_ROOT: plugin,
      CLAUDE_PLUGIN_DATA: join(folder, "data"),
    },
  });
  const milliseconds = Number(process.hrtime.bigint() - began) / 1e6;
  if (
    status !== 0 ||
    (answers === undefined ? stdout !== "" && command !== BARE : !stdout.includes(answers))
  ) {
    throw new Error(`${name} did not answer as expected (exit ${status}): ${stdout.slice(0, 200)}`);
  }
  return milliseconds;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export function benchHook(rounds: number): { text: string; over: readonly string[] } {
  const hasJq = spawnSync("jq", ["--version"]).status === 0;
  const measured = cases.filter(({ name }) => hasJq || !name.startsWith("bash"));
  const times = new Map(measured.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1} of ${rounds}`);
    for (const one of measured) times.get(one.name)?.push(time(one));
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  rmSync(folder, { recursive: true, force: true });

  const bare = median(times.get(BARE) ?? []);
  const rows = measured.map(({ name, bound }) => ({
    name,
    bound,
    milliseconds: median(times.get(name) ?? []),
    ratio: median(times.get(name) ?? []) / bare,
  }));
  const table = [
    "| stop | × bare node | ms, this machine | aim |",
    "|---|---:|---:|---:|",
    ...rows.map(
      ({ name, ratio, milliseconds, bound }) =>
        `| ${name} | ${ratio.toFixed(2)} | ${milliseconds.toFixed(1)} | ${bound ?? ""} |`,
    ),
  ].join("\n");
  const text = `## Hook latency

Medians of ${rounds} interleaved rounds, ${TASKS} tasks, each started by \`sh -c\` as the client does, with the folder for the plugin's data that the client gives.

${table}
${hasJq ? "" : "\njq is not installed here, so the bash version was not measured.\n"}`;
  // The bound is what we aim at; a busy machine is no reason to fail, a third more is.
  const over = rows
    .filter(({ ratio, bound }) => bound !== undefined && ratio > bound * 1.33)
    .map(({ name, ratio, bound }) => `${name}, ${ratio.toFixed(2)} > ${bound}`);
  return { text, over };
}
