import { expect, it } from "vitest";
import type { EpicPlan, PlannedSpec } from "../../epic/plan.ts";
import type { DriveEnd } from "../do-job.ts";
import { judgeEpic, listReady, tellEpic } from "./judge-epic.ts";

const spec = (name: string, status: PlannedSpec["status"], ...waitsFor: string[]): PlannedSpec => ({
  name,
  status,
  dependencies: waitsFor,
  blockedBy: waitsFor.map((one) => ({ name: one, why: "open" })),
});

const plan = (...specs: readonly PlannedSpec[]): EpicPlan => ({
  specs,
  next: undefined,
  done: specs.filter(({ status }) => status === "completed").length,
  cancelled: specs.filter(({ status }) => status === "cancelled").length,
  cycles: [],
});

const WAITS: DriveEnd = { status: "waits", text: "a question" };
const STUCK: DriveEnd = { status: "stuck", text: "no luck" };
const DONE = spec("a", "completed");
const OPEN = spec("b", "in_progress");
const BLOCKED = spec("c", "pending", "b");
const GIVEN_UP = spec("d", "cancelled");

it.each<[string, EpicPlan, Record<string, DriveEnd>, DriveEnd | undefined, string]>([
  ["every spec is back", plan(DONE, DONE), {}, undefined, "finished"],
  ["what is cancelled does not count", plan(DONE, GIVEN_UP), {}, undefined, "finished"],
  ["an epic without specs is not done", plan(), {}, undefined, "stuck"],
  ["all are cancelled", plan(GIVEN_UP), {}, undefined, "stuck"],
  ["one is stuck", plan(DONE, OPEN, BLOCKED), { b: STUCK }, undefined, "stuck"],
  ["one waits for the user", plan(DONE, OPEN, BLOCKED), { b: WAITS }, undefined, "waits"],
  ["one waits, one is stuck", plan(OPEN, DONE), { b: WAITS, a: STUCK }, undefined, "stuck"],
  ["nothing can be begun", plan(BLOCKED), {}, undefined, "stuck"],
  ["a budget", plan(OPEN), {}, { status: "budget", text: "" }, "budget"],
  ["stopped when all was done", plan(DONE), {}, { status: "stopped", text: "" }, "finished"],
])("ends as it should: %s", (_, epic, left, fatal, status) => {
  expect(judgeEpic(epic, new Map(Object.entries(left)), fatal).status).toBe(status);
});

it("says which spec waits for what", () => {
  const { text } = judgeEpic(plan(DONE, OPEN, BLOCKED), new Map([["b", STUCK]]), undefined);
  expect(text).toBe("b: no luck; c waits for b");
  expect(tellEpic("big", plan(DONE, OPEN, BLOCKED))).toBe(
    "epic big, 1 done: ready: b; c waits for b",
  );
});

it("begins what is open, not blocked, and not begun already", () => {
  const all = plan(DONE, OPEN, BLOCKED, GIVEN_UP, spec("e", "pending"));
  expect(listReady(all, ["b"]).map(({ name }) => name)).toEqual(["e"]);
});
