import { afterEach, expect, it, vi } from "vitest";
import { AT, commitIn, makeGround, runOne } from "../../test/support/trees.ts";
import { discardRun } from "./discard-run.ts";
import { holdSpec } from "./hold-spec.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("discards, and tells, what is there once the user has answered", async () => {
  const ground = makeGround();
  const trunk = runOne(ground);
  const { plan } = await discardRun(ground.home, AT, async ({ commits }) => {
    expect(commits.map(({ subject }) => subject)).toEqual(["one"]);
    await expect(holdSpec(ground.home, "take", () => "held")).rejects.toThrow("discard of");
    commitIn(trunk.top, { "late.txt": "late\n" }, "late");
    return true;
  });
  expect(plan.commits.map(({ subject }) => subject)).toEqual(["late", "one"]);
  expect(ground.repository.git("show", `${plan.ref}:late.txt`)).toBe("late");
  expect(await holdSpec(ground.home, "take", () => "held")).toBe("held");
});
