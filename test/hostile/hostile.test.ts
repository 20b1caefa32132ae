import { afterAll, expect, it } from "vitest";
import { isFull } from "../support/full.ts";
import { feed } from "./feed.ts";
import { openTargets } from "./targets.ts";

/** `npm run fuzz` does the same a million times. */
const INPUTS = isFull ? 100_000 : 4000;
/** A full run tries others each time. */
const SEED = Number(process.env["SEED"] ?? (isFull ? Date.now() % 2 ** 31 : 1));

const { targets, close } = openTargets();
afterAll(close);

it.each(targets)("$name survives whatever it is given", { timeout: 300_000 }, async (target) => {
  // Where each input is a whole project, there are fewer of them.
  const count = Math.ceil((INPUTS * target.share) / 1000);
  const { inputs, violation } = await feed(target, count, SEED);
  expect(violation, `with SEED=${SEED}`).toBeUndefined();
  expect(inputs).toBe(count);
});
