import { array, assert, boolean, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import type { Entry, EventName } from "../journal.ts";
import { startLoop } from "../loop.ts";
import { OUTCOMES, TREES } from "./evidence.ts";
import { parseReceipt, renderReceipt } from "./receipt-table.ts";
import { isGiven, isSettled, planReceipt } from "./receipt.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
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
  tree: "dirty",
  tail: "",
} as const;
const list = parseTasks("- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 three\n- [x] 1.4 four\n");
const receipt = planReceipt(list, [
  entry(1, "continue", "1.1"),
  entry(1, "before", "1.1", { evidence: [{ ...proof, outcome: "failed" }] }),
  entry(2, "refused", "1.1"),
  entry(3, "failed", "1.1"),
  entry(9, "done", "1.1", { evidence: [proof] }),
  entry(10, "done", "1.2", { note: "its Verify is prose and cannot be run" }),
  entry(11, "failed", "1.3"),
]);

it("says for each task what it took and what proves it", () => {
  expect(receipt).toMatchObject([
    {
      id: "1.1",
      done: true,
      attempts: 2,
      refused: 1,
      commit: proof.commit,
      tree: "dirty",
      evidence: [proof],
      before: ["failed"],
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

it.each([
  ["accepted", "accepted by the user"],
  ["ticked", "ticked by hand, nothing to run"],
] as const)("a box counts when it was %s", (event, note) => {
  const [line] = planReceipt(list, [entry(1, "refused", "1.1"), entry(2, event, "1.1", { note })]);
  expect(line).toMatchObject({ done: true, note, evidence: [] });
  expect(isSettled([entry(2, event, "1.1")], list.tasks[0] as Task)).toBe(true);
});

it("is a table that a pipe in a command does not break", () => {
  expect(renderReceipt(receipt).split("\n")[2]).toBe(
    "| 1.1 | yes | 2 | `npm test \\| tee x` | failed | passed | abcdef012 (dirty) | 8 s |",
  );
});

it("does not let a command that cannot fail look like proof, and reads it back", () => {
  const [line] = receipt as [(typeof receipt)[number]];
  const table = renderReceipt([{ ...line, evidence: [{ ...proof, doubt: "it is vacuous" }] }]);
  expect(table).toContain("| failed | passed (proves nothing) |");
  expect(parseReceipt(`## Receipt\n\n${table}\n`)).toMatchObject([
    { evidence: [{ outcome: "passed" }] },
  ]);
});

it("has a column for what each task cost, if the client said so for any", () => {
  const spent = (tokens: number) => ({
    agent: "a",
    cost: { role: "spec-executor", tokens, toolUses: null, ms: 65_000, model: null },
  });
  const lines = planReceipt(list, [
    entry(1, "continue", "1.1"),
    entry(2, "returned", "1.1", spent(40_000)),
    entry(3, "done", "1.1", { evidence: [{ ...proof, tree: "clean" }] }),
    entry(4, "returned", "1.1", spent(1000)),
    entry(5, "done", "1.2"),
  ]);
  expect(lines.map((line) => line.spent)).toMatchObject([
    { tokens: 41_000, ms: 130_000, usd: null, by: ["sub-agents"] },
    null,
    null,
    null,
  ]);
  const table = renderReceipt(lines);
  expect(table.split("\n").slice(0, 4)).toEqual([
    "| task | done | attempts | verify | before | result | commit | time | cost |",
    "|---|---|---:|---|---|---|---|---:|---|",
    "| 1.1 | yes | 1 | `npm test \\| tee x` |  | passed | abcdef012 | 2 s | 41k tokens, 2 min 10 s |",
    "| 1.2 | yes | 1 |  |  | no Verify |  | 0 s |  |",
  ]);
  expect(parseReceipt(`## Receipt\n\n${table}\n`)).toMatchObject([
    { id: "1.1", evidence: [{ outcome: "passed" }], commit: "abcdef012", tree: "clean" },
    { id: "1.2", note: "no Verify" },
    { id: "1.3", done: false },
    { id: "1.4" },
  ]);
});

it("keeps a command with backticks in one code span", () => {
  const [line] = receipt as [(typeof receipt)[number]];
  const evidence = [{ ...proof, command: "echo `date`" }];
  expect(renderReceipt([{ ...line, evidence }])).toContain(
    "| `` echo `date` `` | failed | passed |",
  );
});

it("says that a task has no Verify only if that is true", () => {
  const tasks = parseTasks("- [x] 1.1 one\n  - **Verify**: `npm test`\n- [x] 1.2 two\n");
  const notes = planReceipt(tasks, [entry(1, "done", "1.1"), entry(2, "done", "1.2")]);
  expect(notes.map(({ note }) => note)).toEqual(["its Verify was not run", "no Verify"]);
});

describe("a task that was ticked before the run", () => {
  const given = entry(1, "checked", "1.1", {
    evidence: [proof],
    note: "ticked before the run, and",
  });
  const lineOf = (...entries: readonly Entry[]): object => planReceipt(list, entries)[0] ?? {};

  it("has what the last check found, and its own proof if that still holds", () => {
    expect(lineOf(given)).toMatchObject({ evidence: [proof], note: given.note, finishedAt: null });
    const done = entry(2, "done", "1.1", { evidence: [proof], note: "proven" });
    const later = { ...given, at: entry(3, "checked", "1.1").at };
    expect(lineOf(given, done, later)).toMatchObject({ note: "proven", finishedAt: done.at });
    const failed = { ...later, evidence: [{ ...proof, outcome: "failed" as const }] };
    expect(lineOf(done, failed)).toMatchObject({ evidence: failed.evidence, note: given.note });
    expect(lineOf(done, failed, { ...done, at: entry(4, "done", "1.1").at })).toMatchObject({
      note: "proven",
    });
  });

  it("is the user's word until something is said about it in that run", () => {
    const task = { id: "1.1" };
    const closed = entry(3, "finished", undefined, { loop: { ...loop, open: false } });
    expect(
      isGiven(["1.1"], [entry(1, "failed", "1.1"), closed, entry(4, "start", "1.2")], task),
    ).toBe(true);
    expect(isGiven(["1.1"], [entry(1, "start", "1.2"), entry(2, "failed", "1.1")], task)).toBe(
      false,
    );
    expect(isGiven(["1.2"], [], task)).toBe(false);
    expect(isGiven(undefined, [], task)).toBe(false);
  });
});

describe("parseReceipt", () => {
  it("reads back what the program left", () => {
    const progress = `# Progress\n\n| task | done |\n\n## Receipt\n\n${renderReceipt(receipt)}\n\nSeen:\n\n| 9.9 | yes |\n\n## Notes\n\n| x | yes |\n`;
    const rows = [
      {
        id: "1.1",
        done: true,
        evidence: [{ command: "npm test | tee x", outcome: "passed" }],
        before: ["failed"],
        commit: "abcdef012",
        tree: "dirty",
        note: null,
      },
      {
        id: "1.2",
        done: true,
        evidence: [],
        before: [],
        commit: null,
        tree: null,
        note: "its Verify is prose and cannot be run",
      },
      { id: "1.3", done: false, evidence: [], before: [], commit: null, tree: null, note: null },
      {
        id: "1.4",
        done: true,
        evidence: [],
        before: [],
        commit: null,
        tree: null,
        note: "ticked by hand",
      },
    ];
    expect(parseReceipt(progress)).toEqual(rows);
    expect(parseReceipt(progress.replaceAll("\n", "\r\n"))).toEqual(rows);
  });

  it("reads a receipt of 4.3, which did not look at what was uncommitted", () => {
    const old =
      "## Receipt\n\n| task | done | attempts | verify | result | commit | time |\n|---|---|---:|---|---|---|---:|\n| 1.1 | yes | 1 | `npm test` | passed | abcdef012 | 8 s |\n";
    expect(parseReceipt(old)).toMatchObject([
      { id: "1.1", evidence: [{ outcome: "passed" }], before: [], commit: "abcdef012", tree: null },
    ]);
  });

  it.each([
    "",
    "# Progress\n",
    "## Receipt\n\nold\n\n## Notes\n\n| a |\n",
    "## Receipt\n| a | b |\n| 1 | yes |\n",
  ])("finds nothing in %j", (text) => {
    expect(parseReceipt(text)).toEqual([]);
  });

  it("returns every command, result and commit, whatever they contain", () => {
    const piece = constantFrom("a", " ", "|", "\\", "`", "``", "<br>", "\n", "\t", "&&", "#", "é");
    const text = array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const command = text.filter((one) => one.trim() !== "");
    const outcome = constantFrom(...OUTCOMES);
    const line = record({
      id: constantFrom("1.1", "T012", "#3", "VF"),
      done: boolean(),
      evidence: array(record({ command, outcome }), { maxLength: 3 }),
      before: array(outcome, { maxLength: 3 }),
      commit: constantFrom(null, "0123456789abcdef"),
      tree: constantFrom(...TREES),
      note: text,
    });
    const plain = (one: string): string => one.replace(/\s+/g, " ").trim();
    assert(
      property(array(line, { maxLength: 4 }), (lines) => {
        const full = lines.map((one) => ({
          ...(receipt[0] as (typeof receipt)[number]),
          ...one,
          evidence: one.evidence.map((own) => ({ ...proof, ...own })),
        }));
        expect(parseReceipt(`## Receipt\n\n${renderReceipt(full)}\n`)).toEqual(
          lines.map(({ id, done, evidence, before, commit, tree, note }) => ({
            id,
            done,
            evidence: evidence.map((own) => ({ ...own, command: plain(own.command) })),
            before,
            commit: commit?.slice(0, 9) ?? null,
            tree: commit === null && tree !== "no-git" ? null : tree,
            note: evidence.length > 0 ? null : plain(note) || null,
          })),
        );
      }),
    );
  });
});
