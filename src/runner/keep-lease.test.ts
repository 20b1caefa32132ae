import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepLease } from "./keep-lease.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What each beat answers, in turn; the last one from then on. */
function keep(...beats: readonly (boolean | Error)[]) {
  const told: string[] = [];
  const lost: string[] = [];
  let beat = 0;
  const lease = keepLease(
    {
      fence: 1,
      beat() {
        const now = beats[Math.min(beat++, beats.length - 1)];
        if (now instanceof Error) throw now;
        return now === true;
      },
      release: () => undefined,
    },
    {
      emit: (news) => void (news.kind === "note" && told.push(news.text)),
      lose: (why) => void lost.push(why),
    },
    "demo",
  );
  return { told, lost, ...lease, beats: () => beat };
}

const FULL = new Error("ENOSPC");
const pass = (beats: number): Promise<unknown> => vi.advanceTimersByTimeAsync(beats * 20_000);

it("a beat that fails is told once and tried again", async () => {
  const { told, lost, beats } = keep(FULL, FULL, true, FULL, true);
  await pass(5);
  expect(beats()).toBe(5);
  expect(told).toEqual(Array(2).fill(expect.stringContaining("demo could not be renewed: ENOSPC")));
  expect(lost).toEqual([]);
});

it("what cannot be told, because the disk is full, ends nothing", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const lease = keepLease(
    {
      fence: 1,
      beat() {
        throw FULL;
      },
      release: () => undefined,
    },
    {
      emit() {
        throw FULL;
      },
      lose: () => undefined,
    },
    "demo",
  );
  await pass(2);
  lease.release();
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it("says that the spec has another holder", async () => {
  const { lost, told } = keep(true, false);
  await pass(1);
  expect(lost).toEqual([]);
  await pass(1);
  expect({ lost, told }).toEqual({ lost: ["demo no longer belongs to this run"], told: [] });
});

it("says so at once if it is asked; a beat that fails takes nothing away", () => {
  const { isHeld, lost } = keep(true, FULL, false);
  expect([isHeld(), isHeld(), lost.length]).toEqual([true, true, 0]);
  expect(isHeld()).toBe(false);
  expect(lost).toHaveLength(1);
});

it("does not beat after the release", async () => {
  const { release, beats } = keep(true);
  await pass(1);
  release();
  await pass(3);
  expect(beats()).toBe(1);
});
