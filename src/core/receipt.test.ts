import { expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import type { Entry, EventName } from "./journal.ts";
import { beginLoop } from "./loop.ts";
import { planReceipt, renderReceipt } from "./receipt.ts";

const loop = beginLoop("s", {}, undefined, { at: "", runId: "r" });
const entry = (
  second: number,
  event: EventName,
  task: string | undefined,
  more: object = {},
): Entry => ({
  at: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
  event,
  ...(task === undefined ? {} : { task }),
  loop: { ...loop, task: task ?? null },
  ...more,
});
const proof = {
  command: "npm test | tee x",
  outcome: "passed",
  exitCode: 0,
  milliseconds: 900,
  commit: "abcdef0123456789",
  tail: "",
} as const;
const list = parseTasks("- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 three\n- [x] 1.4 four\n");
const receipt = planReceipt(list, [
  entry(1, "continue", "1.1"),
  entry(2, "refused", "1.1"),
  entry(3, "failed", "1.1"),
  entry(9, "done", "1.1", { evidence: [proof] }),
  entry(10, "done", "1.2", { note: "its Verify is prose and cannot be run" }),
  entry(11, "failed", "1.3"),
]);

it("tells of each task what it took and what proves it", () => {
  expect(receipt).toMatchObject([
    {
      id: "1.1",
      done: true,
      attempts: 2,
      refused: 1,
      commit: proof.commit,
      evidence: [proof],
      milliseconds: 8000,
    },
    {
      id: "1.2",
      done: true,
      attempts: 1,
      evidence: [],
      note: "its Verify is prose and cannot be run",
    },
    { id: "1.3", done: false, attempts: 1, evidence: [], note: null, finishedAt: null },
    { id: "1.4", done: true, evidence: [], note: "ticked by hand" },
  ]);
});

it("is a table that a pipe in a command does not break", () => {
  expect(renderReceipt(receipt).split("\n")[2]).toBe(
    "| 1.1 | yes | 2 | `npm test \\| tee x` | passed | abcdef012 | 8 s |",
  );
});
