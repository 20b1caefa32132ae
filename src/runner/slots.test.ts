import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSlots } from "./slots.ts";

test("runs at most so many at the same time, in order, and a failure frees its slot too", async () => {
  const slots = openSlots(2);
  const began: number[] = [];
  let most = 0;
  let now = 0;
  const work = (id: number) =>
    slots(async () => {
      began.push(id);
      most = Math.max(most, ++now);
      await delay(1);
      now--;
      if (id === 0) throw new Error("it failed");
      return id;
    });
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  expect(most).toBe(2);
  expect(began).toEqual([0, 1, 2, 3, 4]);
  expect(all.map((one) => (one.status === "fulfilled" ? one.value : "failed"))).toEqual([
    "failed",
    1,
    2,
    3,
    4,
  ]);
});
