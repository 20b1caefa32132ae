import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude.ts";
import { codex } from "./codex-here.ts";
import { expectProven, kindsIn, openNight } from "./overnight.ts";
import { idsOf, LIE, listOf, worker } from "./tasks.ts";

const AGENTS = [claude];

/** What a subscription's service answers until its limit is reset, in whole seconds. */
const limitUntil = (at: number) => claude.troubles.limit?.(at) ?? { answer: "" };
const inSeconds = (seconds: number): number => Math.ceil(Date.now() / 1000) + seconds;

describe("run, with Claude Code", () => {
  it("does four tasks, one process each, and does not believe a lie", async () => {
    const ids = idsOf(4);
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(ids),
      script: worker(AGENTS, ({ id, attempt }) =>
        id === "1.3" && attempt === 1 ? LIE : undefined,
      ),
    });
    const ended = await night.run();
    expectProven(night, ended, ids);
    expect(kindsIn(ended, "attempt-started")).toHaveLength(5);
    expect(kindsIn(ended, "refused")).toMatchObject([{ task: "1.3" }]);
  });

  it("waits for the end of a usage limit in the middle of a run, which costs no attempt", async () => {
    const ids = idsOf(3);
    let resetsAt: number | undefined;
    const { env = {} } = limitUntil(0);
    const night = await openNight({
      agents: AGENTS,
      tasks: listOf(ids),
      env,
      script: worker(AGENTS, ({ id }) => {
        if (id !== "1.2") return undefined;
        resetsAt ??= inSeconds(8);
        return Date.now() < resetsAt * 1000 ? limitUntil(resetsAt).answer : undefined;
      }),
    });
    const ended = await night.run();
    expectProven(night, ended, ids);
    const until = new Date((resetsAt ?? 0) * 1000).toISOString();
    expect(kindsIn(ended, "limit")).toMatchObject([{ agent: "claude", until }]);
    // Its clock and ours may differ by a moment.
    const [waiting, ...more] = kindsIn(ended, "waiting");
    expect(more).toEqual([]);
    const late = waiting?.kind === "waiting" ? Date.parse(waiting.until) - Date.parse(until) : -1;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(1000);
    const starts = kindsIn(ended, "attempt-started").filter(
      (one) => "task" in one && one.task === "1.2",
    );
    expect(starts).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
    expect(Date.parse(starts[1]?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(until));
    expect(kindsIn(ended, "refused")).toEqual([]);
  });
});

it("goes on with Codex at Claude's limit, and goes back to Claude after it", async () => {
  const agents = [claude, codex];
  const ids = idsOf(4);
  let resetsAt: number | undefined;
  const { env = {} } = limitUntil(0);
  const night = await openNight({
    agents,
    tasks: listOf(ids),
    env,
    script: worker(agents, ({ id, work, worked }) => {
      if (id === "1.1") return undefined;
      const isClaude = work.call?.[0]?.name === "Bash";
      resetsAt ??= inSeconds(6);
      if (isClaude && Date.now() < resetsAt * 1000) return limitUntil(resetsAt).answer;
      // The last task begins after the reset, plus a margin for clocks that differ.
      if (id === "1.3" && !worked)
        return { ...work, delayMs: Math.max(0, resetsAt * 1000 + 1000 - Date.now()) };
      return undefined;
    }),
  });
  const ended = await night.run();
  expectProven(night, ended, ids);
  const who = kindsIn(ended, "attempt-started").map((one) =>
    "agent" in one && "task" in one ? `${one.task} ${one.agent}` : "",
  );
  expect(who).toEqual(["1.1 claude", "1.2 claude", "1.2 codex", "1.3 codex", "1.4 claude"]);
  expect(kindsIn(ended, "waiting")).toEqual([]);
});
