import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { AgentEvent, Limits, Outcome, StopReason, Work } from "../../../src/agents/port.ts";
import { ATTEMPT_MARK, RUN_MARK } from "../../../src/agents/process/sweep.ts";
import { enclosed } from "../../support/namespace.ts";
import { endProcessesIn, type Process, processesIn } from "../../support/processes.ts";
import { type Model, type Script, startModel } from "../model.ts";
import type { AgentAdapter } from "./adapter.ts";

/** Long enough for a slow machine; a scenario about a deadline has its own. */
const LIMITS: Limits = { wallMs: 90_000, silentMs: 90_000, graceMs: 3000 };

export const INSTRUCTIONS = "You are the executor of one task. Password: open sesame.";
export const PROMPT = "Do task 1.1 of the spec, and nothing else.";

export interface Staged {
  readonly model: Model;
  readonly work: Work;
  readonly mark: string;
  /** Every line of its transcript so far. */
  readonly record: readonly string[];
  has(file: string): boolean;
  read(file: string): string;
  /** Waits for a file in the project; bounded by the test's timeout. */
  sees(file: string): Promise<void>;
  /** Processes that are still running in the home or the project. */
  living(): readonly Process[];
}

let stands = 0;

/** A project, a home and a model for one run of an agent. */
export async function stage(
  adapter: AgentAdapter,
  script: Script,
  { limits = {}, env = {} }: { limits?: Partial<Limits>; env?: Scripted["env"] } = {},
): Promise<Staged> {
  const ground = mkdtempSync(join(tmpdir(), "agent-"));
  const [home, root, bin] = ["home", "project", "bin"].map((name) => join(ground, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, root, bin]) mkdirSync(folder);
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: root });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  git("commit", "-q", "--allow-empty", "-m", "begin");
  const model = await startModel(script, { main: 20 }, adapter.isSide);
  onTestFinished(async () => {
    await endProcessesIn(ground);
    await model.close();
  });
  const mark = `e2e-${process.pid}-${++stands}`;
  const all: Record<string, string | undefined> = {
    PATH: [bin, process.env["PATH"]].join(delimiter),
    HOME: home,
    TMPDIR: home,
    TERM: "dumb",
    ...(await adapter.prepare({ home, bin, url: model.url })),
    [RUN_MARK]: mark,
    [ATTEMPT_MARK]: `${mark}/1.1/1`,
    ...env,
  };
  const record: string[] = [];
  const work: Work = {
    cwd: root,
    env: Object.fromEntries(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    prompt: PROMPT,
    instructions: INSTRUCTIONS,
    writable: [],
    limits: { ...LIMITS, ...limits },
    record: (line) => record.push(line),
    enclose: enclosed,
  };
  return {
    model,
    work,
    mark,
    record,
    has: (file) => existsSync(join(root, file)),
    read: (file) => readFileSync(join(root, file), "utf8"),
    async sees(file) {
      while (!existsSync(join(root, file))) await delay(20);
    },
    living: () => processesIn(ground),
  };
}

type Scripted = { readonly env?: Readonly<Record<string, string | undefined>> };

export interface Played {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
}

/** Runs the agent to its end. `during` may stop it. */
export async function play(
  { agent }: AgentAdapter,
  { work }: Staged,
  during: (stop: (reason: StopReason) => void, event?: AgentEvent) => unknown = () => undefined,
): Promise<Played> {
  const controller = new AbortController();
  const stop = (reason: StopReason): void => controller.abort(reason);
  const events: AgentEvent[] = [];
  const on = (event: AgentEvent): void => {
    events.push(event);
    during(stop, event);
  };
  during(stop);
  return { outcome: await agent.run(work, on, controller.signal), events };
}
