import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, vi } from "vitest";
import type { Agent, Outcome } from "../../src/agents/port.ts";
import { readNow } from "../../src/engine/now.ts";
import type { Request } from "../../src/engine/request.ts";
import { localRunner } from "../../src/exec/local-runner.ts";
import { formatAsked } from "../../src/run/asked.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../../src/run/driven.ts";
import type { Ground, RunGround } from "../../src/runner/ground.ts";
import type { Job } from "../../src/runner/jobs.ts";
import { openOwnGround } from "../../src/runner/own-ground.ts";
import { planOrder } from "../../src/runner/plan-order.ts";
import { readTasks } from "../../src/store/spec-files.ts";
import { fillFolder } from "../program/temporary.ts";
import { specum } from "../support/editions.ts";
import { makeStage } from "../support/order.ts";
import { commitIn, gitIn, makeGround } from "../support/trees.ts";
import { describeExecutor, type ExecutorCase, type Script } from "./executor.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const JOB: Job = {
  id: "1.1",
  title: "one",
  role: "execution",
  type: "spec-executor",
  attempt: 1,
  of: 5,
};

const USAGE: Outcome["usage"] = { tokens: { input: 10, cached: 0, output: 1 } };

/** An agent that does what the script says, and remembers what it was told. */
function agentWith({ commits, leaves, asks, ends }: Script) {
  const told = { prompt: "", answers: "" };
  const agent: Agent = {
    id: "scripted",
    name: "Scripted",
    driver: "demo",
    rights: () => "",
    probe: async () => ({ installed: true }),
    async run({ cwd, env, prompt }, on, stop) {
      const file = env[ASK_FILE] ?? "";
      const answers = `${file}${ANSWERS_ENDING}`;
      told.prompt = prompt;
      told.answers = existsSync(answers) ? readFileSync(answers, "utf8") : "";
      if (commits !== undefined) commitIn(cwd, commits, "one");
      if (leaves !== undefined) fillFolder(cwd, leaves);
      if (asks !== undefined) appendFileSync(file, formatAsked(asks));
      on({ kind: "tool", title: "works" });
      const end = (ending: Outcome["ending"], report = ""): Outcome => ({
        ending,
        report,
        usage: USAGE,
      });
      if (ends === "turn") return end({ kind: "turn" }, "TASK_COMPLETE");
      if (ends === "refused") return end({ kind: "refused", text: "no" });
      if (!stop.aborted)
        await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
      return end({ kind: "stopped", by: "user" });
    },
  };
  return { agent, told: () => told };
}

const openIn =
  (placeIn: (ground: RunGround) => Ground | Promise<Ground>) =>
  async (script: Script): Promise<ExecutorCase> => {
    const { home, repository, vault } = makeGround();
    const { root } = repository;
    const request: Request = {
      caller: { session: null, authority: "user" },
      layout: specum,
      editions: [specum],
      cwd: root,
      starts: [root],
      env: process.env,
      now: readNow,
      verifier: localRunner,
      signal: () => new AbortController().signal,
      program: "ralph-specum",
    };
    const trunk = await openOwnGround(request, home, { setup: undefined, share: [] });
    const { spec } = trunk;
    const ground = await placeIn(trunk);
    const { agent, told } = agentWith(script);
    const stage = makeStage([agent]);
    const tasks = readTasks(spec);
    const list = tasks.kind === "ok" ? tasks.list : undefined;
    const decided = new Map([["1.1", [{ question: "Which port?", answer: "8080" }]]]);
    const coordinator = { spec, list: list && { ...list, decided } };
    const order = planOrder({ stage, lease: { fence: 7 }, coordinator }, JOB, ground.cwd, "Do 1.1");
    return {
      executor: stage.executorIn(spec, ground),
      order,
      folders: [root, vault, ground.cwd],
      read: (commit, file) => {
        try {
          return `${gitIn(root, "show", `${commit}:${file}`)}\n`;
        } catch {
          return undefined;
        }
      },
      told,
      isClean: () =>
        gitIn(ground.cwd, "rev-parse", "HEAD") === order.base &&
        ["one.txt", "two.txt"].every((name) => !existsSync(join(ground.cwd, name))),
    };
  };

// In the user's own tree nothing is undone, so the next attempt is told what the last one left.
describeExecutor(
  "on this machine, in the run's tree",
  openIn((trunk) => trunk),
);
describeExecutor(
  "on this machine, in a task's own tree",
  openIn((trunk) => {
    if (trunk.apart === undefined) throw new Error("no tasks of their own");
    return trunk.apart(JOB);
  }),
);
