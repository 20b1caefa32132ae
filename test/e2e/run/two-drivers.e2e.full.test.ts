import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude.ts";
import { runCommand, startClient } from "../client.ts";
import { repoRoot } from "../install.ts";
import type { Script } from "../model.ts";
import { lead } from "../team.ts";
import type { Night } from "./night.ts";
import { kindsIn, openNight } from "./overnight.ts";
import { idsOf, listOf, type Task, worker } from "./tasks.ts";

const AGENTS = [claude];
const IDS = idsOf(3);

/** Plays the agent of a task, both a sub-agent of the client and an agent of the run, and the client's coordinator. */
const both = (instead?: (task: Task) => undefined): Script => {
  const work = worker(AGENTS, instead);
  return (ask) => (/^# Task \S+ of /m.test(ask.order) ? work(ask) : lead(ask));
};

async function installPlugin({ root, home, model }: Night): Promise<void> {
  const options = { model, cwd: root, home };
  await runCommand(["plugin", "marketplace", "add", repoRoot], options);
  await runCommand(["plugin", "install", "ralph-specum@smart-ralph"], options);
}

const inClient = ({ root, home, model }: Night, prompt: string) =>
  startClient({ model, cwd: root, home, prompt, timeoutMs: 100_000 });

const openIn = (folder: string): string[] =>
  [
    ...readFileSync(join(folder, "specs", "demo", "tasks.md"), "utf8").matchAll(/^- \[ \] (\S+)/gm),
  ].map(([, id]) => id as string);

describe("one product, two drivers", () => {
  it("begun in Claude Code by the stop hook, finished by run, whose agents the hook leaves alone", async () => {
    let leave: (() => void) | undefined;
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(IDS),
      script: both(({ id }) => {
        if (id === "1.2") leave?.();
        return undefined;
      }),
    });
    await installPlugin(night);
    const client = await inClient(night, "/ralph-specum:implement demo");
    leave = () => client.kill();
    expect((await client.done).signal).toBe("SIGKILL");
    leave = undefined;
    expect(openIn(night.root)).toEqual(["1.2", "1.3"]);

    const before = night.model.asks.length;
    const ended = await night.runByHand();
    expect(ended.code, ended.out).toBe(0);
    const done = kindsIn(ended, "done").map((one) => ("task" in one ? one.task : ""));
    expect(done).toEqual(["1.2", "1.3"]);
    expect(openIn(night.tree())).toEqual([]);
    // Two calls per task: our hook sent no agent back, and no other agent was started.
    const asks = night.model.asks.slice(before);
    expect(asks.map(({ asker }) => asker)).toEqual(["main", "main", "main", "main"]);
    expect(night.living()).toEqual([]);
  });

  it("begun by run, taken, and finished in Claude Code by the stop hook", async () => {
    let stop: (() => void) | undefined;
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(IDS),
      script: both(({ id }) => {
        if (id === "1.2") stop?.();
        return undefined;
      }),
    });
    await installPlugin(night);
    const begun = night.begin();
    stop = () => void process.kill(begun.pid, "SIGINT");
    expect((await begun.ended).code).toBe(130);
    stop = undefined;
    night.terminal("take", "demo", "--yes");
    expect(openIn(night.root)).toEqual(["1.2", "1.3"]);

    const client = await inClient(night, "/ralph-specum:resume demo");
    const { code } = await client.done;
    expect(code).toBe(0);
    expect(openIn(night.root)).toEqual([]);
    expect(night.model.faults).toEqual([]);
  });
});
