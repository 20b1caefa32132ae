import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RunNews } from "./events.ts";
import { describeUse, openRoom } from "./room.ts";

const GB = 1e9;
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-16T02:00:00Z") }));
afterEach(() => void vi.useRealTimers());

function open(free: () => number | undefined, more: { mayWait?: boolean; minFree?: number } = {}) {
  const news: RunNews[] = [];
  const room = openRoom({
    emit: (one) => void news.push(one),
    mayWait: true,
    minFree: GB,
    project: "/project",
    tellUse: async () => "Work trees take 3.2 GB",
    free: (path) => (path === "/project" ? free() : 9 * GB),
    ...more,
  });
  const never = new AbortController().signal;
  /** What it says, and how long it took by the fake clock. */
  const wait = async (signal = never, use?: "files") => {
    const began = Date.now();
    const [why] = await Promise.all([room([signal], use), vi.runAllTimersAsync()]);
    return { why, took: Date.now() - began };
  };
  return { news, wait };
}

it("a full disk is waited for, and told once, however many wait", async () => {
  let free = GB / 2;
  const { news, wait } = open(() => free);
  setTimeout(() => (free = 2 * GB), 10 * MINUTE - 1);
  const all = await Promise.all([wait(), wait()]);
  expect(all).toMatchObject([{ why: undefined }, { took: 10 * MINUTE }]);
  const why = expect.stringMatching(
    /^only 500 MB are free at \/project, and run_min_free is 1\.0 GB\. Work trees take 3\.2 GB\. The run continues/,
  );
  const until = "2026-11-16T08:00:00.000Z";
  expect(news).toEqual([{ kind: "waiting", until, why }]);
  free = 0;
  expect((await wait()).took).toBe(360 * MINUTE);
  expect(news).toHaveLength(2);
});

it.each([
  [{}, 360 * MINUTE],
  [{ mayWait: false }, 0],
])("ends the run if it stays full: %j", async (more, took) => {
  const { news, wait } = open(() => 0, more);
  expect(await wait()).toEqual({ why: expect.stringMatching(/^only 0 MB are free/), took });
  expect(news).toHaveLength(1);
});

it("what was done is judged with little room, but not with none", async () => {
  let free = GB / 2;
  const { news, wait } = open(() => free);
  expect(await wait(undefined, "files")).toEqual({ why: undefined, took: 0 });
  free = 1e6;
  setTimeout(() => (free = GB / 10), MINUTE);
  expect(await wait(undefined, "files")).toEqual({ why: undefined, took: MINUTE });
  expect(news).toMatchObject([{ kind: "waiting" }]);
  expect(await open(() => 2e6, { minFree: 1e6 }).wait(undefined, "files")).toMatchObject({
    took: 0,
  });
});

it("is not looked at if run_min_free is off, or the system says nothing", async () => {
  for (const one of [open(() => 0, { minFree: 0 }), open(() => undefined)])
    expect(await one.wait()).toEqual({ why: undefined, took: 0 });
});

it("does not keep a stop waiting", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 5000);
  expect(await open(() => 0).wait(stop.signal)).toEqual({ why: undefined, took: 5000 });
});

it("says what takes the space, as far as that can be told", async () => {
  vi.useRealTimers();
  const here = import.meta.dirname;
  expect(await describeUse(here)).toMatch(/^Runs take (?:\d+ MB in|space in) \//);
  expect(await describeUse("/not/there")).toBe("Runs take space in /not/there");
});
