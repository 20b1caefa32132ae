import { afterAll, expect, it } from "vitest";
import { feed } from "./feed.ts";
import { openTargets } from "./targets.ts";

/** `npm run fuzz` does the same with other seeds, and a million times. */
const INPUTS = 4000;
const SEED = 1;

const { targets, close } = openTargets();
afterAll(close);

it.each(targets)("$name bears whatever it is given", { timeout: 120_000 }, async (target) => {
  // Where each input is a whole project, there are fewer of them.
  const count = Math.ceil((INPUTS * target.share) / 1000);
  const { inputs, violation } = await feed(target, count, SEED);
  expect(violation).toBeUndefined();
  expect(inputs).toBe(count);
});
