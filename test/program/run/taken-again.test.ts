import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { makeNight } from "./night.ts";

it("a finished spec that is run again has nothing to take, and leaves no trace of itself once it is archived", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  expect((await night.run()).code).toBe(0);
  expect(night.cli("run").err, "before it is taken").toContain("not in your branch yet");
  expect(night.cli("take").code).toBe(0);
  expect((await night.run()).code).toBe(0);
  expect(night.git("rev-parse", "main")).toBe(night.git("rev-parse", "smart-ralph/demo"));
  for (const view of [["inbox"], ["status"], ["list"], ["summary", "demo"], ["watch"]])
    expect(night.cli(...view).out, view[0]).not.toContain("smart-ralph take");
  expect(night.cli("run").err).toContain("there is no spec to work on");
  expect(night.cli("archive", "demo")).toMatchObject({ code: 0 });
  expect(night.cli("take").out).toContain("main had every commit of smart-ralph/demo already");
  expect(existsSync(night.spec)).toBe(false);
  expect(night.git("branch", "--list", "smart-ralph/*")).toBe("");
});
