import { expect, it } from "vitest";
import { specum } from "../../test/support/editions.ts";
import type { Task } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { Disk } from "./decision.ts";
import { planHandOut } from "./hand-out.ts";
import { startLoop } from "./loop.ts";
import { exhausted, heldUp, stalled } from "./user-messages.ts";

const list = parseTasks("- [ ] 1.2 a\n");
const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const spec = { name: "demo", basePath: "./specs/demo" };
const brief = planHandOut(spec, list, {}, loop);
const disk = { layout: specum, spec } as Disk;
const note =
  "1.2 is not done: its Verify `x` failed with exit code 1. Fix the cause, then report again.";

it("says why all attempts failed, without the advice for agents", () => {
  const { fact } = exhausted(disk, brief, list.tasks[0] as Task, { ...loop, lastError: note });
  expect(fact).toBe("task 1.2 failed in all 5 attempts (its Verify `x` failed with exit code 1)");
});

it("says how to take back a skip, and offers an answer only to a question", () => {
  const asked = { options: [], askedAt: "", task: "1.2" };
  const skip = { ...asked, id: 3, kind: "skip", text: "" } as const;
  const question = { ...asked, id: 4, kind: "question", text: "Which?" } as const;
  const waits = (entries: readonly (typeof skip | typeof question)[]): string =>
    heldUp({ ...disk, inbox: { entries } }, brief, list);
  expect(waits([skip])).toMatch(
    /: 3 \(1\.2\) is skipped; to unskip it: smart-ralph unskip 1\.2; \S+inbox shows all$/,
  );
  expect(waits([skip, question])).toMatch(/; \S+answer 4 <text> answers, \S+inbox shows all$/);
});

it("says what a stalled run lacks, without guessing at the rest", () => {
  expect(stalled(disk, brief, 3, loop).fact).toBe(
    "no progress in 3 continuations at Task 1/1 (no task proven)",
  );
  const past = () => [{ at: "", event: "refused", task: "1.2", note, loop } as const];
  expect(stalled({ ...disk, past }, brief, 3, loop).fact).toContain(
    "(1 report refused; last: 1.2: its Verify `x` failed with exit code 1)",
  );
});
