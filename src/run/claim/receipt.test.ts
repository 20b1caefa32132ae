import { array, assert, boolean, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTasks } from "../../tasks/parse.ts";
import type { Entry, EventName } from "../journal.ts";
import { startLoop } from "../loop.ts";
import { OUTCOMES } from "./evidence.ts";
import { parseReceipt, planReceipt, renderReceipt } from "./receipt.ts";

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

it("says for each task what it took and what proves it", () => {
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

it("keeps a command with backticks in one code span", () => {
  const [line] = receipt as [(typeof receipt)[number]];
  const evidence = [{ ...proof, command: "echo `date`" }];
  expect(renderReceipt([{ ...line, evidence }])).toContain("| `` echo `date` `` | passed |");
});

it("says that a task has no Verify only if that is true", () => {
  const tasks = parseTasks("- [x] 1.1 one\n  - **Verify**: `npm test`\n- [x] 1.2 two\n");
  const notes = planReceipt(tasks, [entry(1, "done", "1.1"), entry(2, "done", "1.2")]);
  expect(notes.map(({ note }) => note)).toEqual(["its Verify was not run", "no Verify"]);
});

describe("parseReceipt", () => {
  it("reads back what the program left", () => {
    const progress = `# Progress\n\n| task | done |\n\n## Receipt\n\n${renderReceipt(receipt)}\n\nSeen:\n\n| 9.9 | yes |\n\n## Notes\n\n| x | yes |\n`;
    const rows = [
      {
        id: "1.1",
        done: true,
        evidence: [{ command: "npm test | tee x", outcome: "passed" }],
        commit: "abcdef012",
        note: null,
      },
      {
        id: "1.2",
        done: true,
        evidence: [],
        commit: null,
        note: "its Verify is prose and cannot be run",
      },
      { id: "1.3", done: false, evidence: [], commit: null, note: null },
      { id: "1.4", done: true, evidence: [], commit: null, note: "ticked by hand" },
    ];
    expect(parseReceipt(progress)).toEqual(rows);
    expect(parseReceipt(progress.replaceAll("\n", "\r\n"))).toEqual(rows);
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
      commit: constantFrom(null, "0123456789abcdef"),
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
          lines.map(({ id, done, evidence, commit, note }) => ({
            id,
            done,
            evidence: evidence.map((own) => ({ ...own, command: plain(own.command) })),
            commit: commit?.slice(0, 9) ?? null,
            note: evidence.length > 0 ? null : plain(note) || null,
          })),
        );
      }),
    );
  });
});
