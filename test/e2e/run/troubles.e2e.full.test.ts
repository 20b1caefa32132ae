import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude.ts";
import { expectProven, kindsIn, openNight } from "./overnight.ts";
import { idsOf, listOf, worker } from "./tasks.ts";

const AGENTS = [claude];
/** Not a sleep, which the client would move into the background. */
const HANGS = "touch hanging; tail -f /dev/null";

describe("run, with Claude Code in trouble", () => {
  it("ends a tool that hangs, and tries again", async () => {
    const ids = idsOf(2);
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(ids),
      settings: "run_silence: 20s\n",
      script: worker(AGENTS, ({ id, attempt, worked, shell }) =>
        id === "1.1" && attempt === 1 && !worked ? shell(HANGS) : undefined,
      ),
    });
    const ended = await night.run();
    expectProven(night, ended, ids);
    expect(kindsIn(ended, "attempt-ended")).toMatchObject([
      { task: "1.1", attempt: 1, ending: { kind: "stopped", by: "silence" } },
      { task: "1.1", attempt: 2, ending: { kind: "turn" } },
      { task: "1.2", attempt: 1, ending: { kind: "turn" } },
    ]);
  });

  it("waits for a service that is overloaded six times, which costs no attempt", async () => {
    const ids = idsOf(2);
    let refused = 0;
    const busy = claude.troubles.busy?.(0).answer;
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(ids),
      script: worker(AGENTS, ({ id }) => (id === "1.2" && ++refused <= 6 ? busy : undefined)),
    });
    const ended = await night.run();
    expectProven(night, ended, ids);
    const starts = kindsIn(ended, "attempt-started").filter(
      (one) => "task" in one && one.task === "1.2",
    );
    expect(starts.length).toBeGreaterThan(1);
    for (const start of starts) expect(start).toMatchObject({ attempt: 1 });
  });

  it("ends with code 7 if the login is refused, and says so", async () => {
    const auth = claude.troubles.auth?.(0).answer;
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(idsOf(2)),
      script: worker(AGENTS, ({ id }) => (id === "1.2" ? auth : undefined)),
    });
    const ended = await night.run();
    expect(ended.code, ended.out).toBe(7);
    expect(kindsIn(ended, "run-ended")).toMatchObject([
      { status: "unavailable", done: 1, total: 2 },
    ]);
    expect(night.living()).toEqual([]);
  });

  it("is killed with -9 while Claude works: no process is left, and the next run goes on", async () => {
    const ids = idsOf(3);
    let isFirst = true;
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(ids),
      script: worker(AGENTS, ({ id, worked, shell }) =>
        id === "1.2" && isFirst && !worked ? shell(HANGS) : undefined,
      ),
    });
    const begun = night.begin();
    while (!night.living().some(({ command }) => command === "tail -f /dev/null")) await delay(50);
    process.kill(begun.pid, "SIGKILL");
    await begun.ended;
    isFirst = false;
    while (night.living().length > 0) await delay(50);

    const ended = await night.run();
    expectProven(night, ended, ids);
    const tried = kindsIn(ended, "attempt-started").map((one) => ("task" in one ? one.task : ""));
    expect(tried).toEqual(["1.2", "1.3"]);
    expect(night.git("status", "--porcelain", "--", "hanging")).toBe("");
  });
});
