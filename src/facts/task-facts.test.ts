import { describe, expect, it } from "vitest";
import { entryOf, provenIn, ranWith, tasksOf } from "../../test/support/journal.ts";
import { agreeToAll } from "../run/agreement.ts";
import type { Entry } from "../run/journal.ts";
import { parseTasks } from "../tasks/parse.ts";

const at = (second: number): { at: string } => ({
  at: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
});
const proof = ranWith("passed", { tree: "dirty" });
const list = parseTasks("- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 three\n- [x] 1.4 four\n");

it("says for each task what it took and what proves it", () => {
  const tasks = tasksOf(list, [
    entryOf("continue", "1.1", at(1)),
    entryOf("before", "1.1", { ...at(1), evidence: [ranWith("failed")] }),
    entryOf("refused", "1.1", at(2)),
    entryOf("failed", "1.1", at(3)),
    entryOf("done", "1.1", { ...at(9), evidence: [proof] }),
    entryOf("done", "1.2", { ...at(10), note: "its Verify is prose and cannot be run" }),
    entryOf("failed", "1.3", at(11)),
  ]);
  expect(tasks).toMatchObject([
    {
      id: "1.1",
      class: "proven",
      done: true,
      attempts: 2,
      refused: 1,
      commit: proof.commit,
      commits: null,
      tree: "dirty",
      evidence: [proof],
      before: [{ outcome: "failed" }],
      milliseconds: 8000,
    },
    {
      id: "1.2",
      class: "reported",
      done: true,
      attempts: 1,
      evidence: [],
      note: "its Verify is prose and cannot be run",
    },
    { id: "1.3", class: "open", done: false, attempts: 1, note: null, finishedAt: null },
    { id: "1.4", class: "reported", done: true, evidence: [], note: "ticked by hand" },
  ]);
});

it.each([
  ["accepted", "accepted by the user", "accepted"],
  ["accepted", "accepted from a terminal that is not the client's", "accepted"],
  ["ticked", "ticked by hand, nothing to run", "reported"],
] as const)("a box counts when it was %s: %s", (event, note, is) => {
  const [one] = tasksOf(list, [entryOf("refused", "1.1"), entryOf(event, "1.1", { note })]);
  expect(one).toMatchObject({ class: is, done: true, note, evidence: [] });
});

it("says that a task has no Verify only if that is true", () => {
  const two = parseTasks("- [x] 1.1 one\n  - **Verify**: `npm test`\n- [x] 1.2 two\n");
  const tasks = tasksOf(two, [entryOf("done", "1.1"), entryOf("done", "1.2")]);
  expect(tasks.map(({ note }) => note)).toEqual(["its Verify was not run", "no Verify"]);
});

it("adds up what the agents of each task used, if the client said so", () => {
  const spent = (tokens: number): Partial<Entry> => ({
    agent: "a",
    cost: { role: "spec-executor", tokens, toolUses: null, ms: 65_000, model: "m" },
  });
  const tasks = tasksOf(list, [
    entryOf("returned", "1.1", spent(40_000)),
    entryOf("done", "1.1", { evidence: [proof] }),
    entryOf("returned", "1.1", spent(1000)),
    entryOf("done", "1.2"),
  ]);
  expect(tasks.map((task) => task.spent)).toMatchObject([
    { tokens: 41_000, ms: 130_000 },
    null,
    null,
    null,
  ]);
  expect(tasks[0]?.models).toEqual(["m"]);
});

describe("a task that was ticked before the run", () => {
  const given = entryOf("checked", "1.1", {
    evidence: [proof],
    note: "ticked before the run, and",
  });
  const agreed = agreeToAll(list);
  const taskOf = (...entries: readonly Entry[]): object =>
    tasksOf(list, entries, { agreed })[0] ?? {};

  it("has what the last check found, and its own proof if that still holds", () => {
    expect(taskOf(given)).toMatchObject({
      class: "accepted",
      evidence: [proof],
      note: given.note,
      finishedAt: null,
    });
    const done = entryOf("done", "1.1", { ...at(2), evidence: [proof], note: "proven" });
    const later = { ...given, ...at(3) };
    expect(taskOf(given, done, later)).toMatchObject({ note: "proven", finishedAt: done.at });
    const failed = { ...later, evidence: [ranWith("failed")] };
    expect(taskOf(done, failed)).toMatchObject({
      class: "failed",
      done: false,
      evidence: failed.evidence,
      note: given.note,
    });
    expect(taskOf(done, failed, { ...done, ...at(4) })).toMatchObject({ note: "proven" });
  });

  it("is nobody's word if the user did not start from it", () => {
    expect(tasksOf(list, [])[0]).toMatchObject({ class: "reported", note: "ticked by hand" });
    expect(taskOf()).toMatchObject({ class: "accepted", note: "ticked before the run" });
  });
});

describe("the class of a task", () => {
  const one = (line: string): ReturnType<typeof parseTasks> =>
    parseTasks(`${line}\n  - **Verify**: \`npm test\`\n`);

  it("stays what it was when the task was settled", () => {
    const verdict = { class: "checked", weakness: "as it was", design: null } as const;
    const [before, done] = provenIn("1.1") as [Entry, Entry];
    const settled = { ...done, verdict };
    expect(tasksOf(one("- [x] 1.1 a"), [before, settled])[0]).toMatchObject(verdict);
    // What the last check finds overrules it.
    const last = entryOf("checked", "1.1", { evidence: [ranWith("failed")] });
    expect(tasksOf(one("- [x] 1.1 a"), [before, settled, last])[0]).toMatchObject({
      class: "failed",
    });
  });

  it("is failed once no attempt is left, and skipped if the user says so", () => {
    const open = one("- [ ] 1.1 a");
    const failed = entryOf("failed", "1.1");
    const loop = { ...failed.loop, maxAttempts: 2, attempts: { "1.1": 3 } };
    const classIn = (...sources: Parameters<typeof tasksOf>) => tasksOf(...sources)[0]?.class;
    expect(classIn(open, [failed])).toBe("open");
    expect(classIn(open, [{ ...failed, loop }])).toBe("failed");
    expect(classIn(open, [{ ...failed, loop }], { skipped: new Set(["1.1"]) })).toBe("skipped");
  });

  it("counts tags as they stood when the user agreed", () => {
    const [before, done] = provenIn("1.1") as [Entry, Entry];
    const green = { ...before, evidence: [ranWith("passed")] };
    const tagged = one("- [x] 1.1 [GUARD] a");
    const plain = one("- [x] 1.1 a");
    const now = { agreed: agreeToAll(tagged) };
    const earlier = { agreed: agreeToAll(plain) };
    expect(tasksOf(tagged, [green, done], now)[0]).toMatchObject({
      class: "checked",
      design: "guard",
      weakness: "a regression guard by design",
    });
    expect(tasksOf(tagged, [green, done], earlier)[0]).toMatchObject({
      class: "checked",
      design: null,
      weakness: "its Verify passed before the work",
    });
  });
});
