import {
  anything,
  array,
  assert,
  constantFrom,
  json,
  oneof,
  property,
  record,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf, provenIn, ranWith, tasksOf } from "../../test/support/journal.ts";
import { agreeToAll, commandsOf } from "../run/agreement.ts";
import { fitEvidence } from "../run/claim/verification.ts";
import type { Entry } from "../run/journal.ts";
import type { Task } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { formatReceipt, parseReceiptFile, receiptSchema } from "./receipt.ts";

const TEXT = `- [x] 1.1 proven
  - **Verify**: \`npm test\`
- [x] 1.2 green before
  - **Verify**: \`npm test\`
- [x] 1.3 without a Verify
- [x] 1.4 accepted
  - **Verify**: \`npm test\`
- [x] 1.5 [GUARD] a guard
  - **Verify**: \`npm test\`
- [x] 1.6 nothing changed
  - **Verify**: \`npm test\`
- [x] 1.7 by hand
- [x] 1.8 does not hold
  - **Verify**: \`npm test\`
- [ ] 1.9 open
- [x] 2.1 not committed
  - **Verify**: \`npm test\`
`;
const list = parseTasks(TEXT);
const green = (task: string, more: Partial<Entry> = {}): Entry[] => [
  entryOf("before", task, { evidence: [ranWith("passed")] }),
  entryOf("done", task, { evidence: [ranWith("passed")], commits: ["abcdef0123456789"], ...more }),
];
const ENTRIES = [
  entryOf("continue", "1.1"),
  entryOf("refused", "1.1", { note: "no" }),
  ...provenIn("1.1"),
  ...green("1.2"),
  entryOf("done", "1.3", { note: "no Verify" }),
  entryOf("accepted", "1.4", { note: "accepted by the user" }),
  ...green("1.5"),
  ...green("1.6", { commits: [], noChange: "done in 1.1" }),
  ...green("1.8"),
  entryOf("checked", "1.8", { evidence: [ranWith("failed")], note: "it broke" }),
  ...green("2.1", { evidence: [ranWith("passed", { tree: "uncommitted" })], commits: [] }),
];
const agreed = { ...agreeToAll(list), given: [] };
const tasks = tasksOf(list, ENTRIES, { agreed });
const text = formatReceipt("demo", tasks, []);

describe("receipt.json", () => {
  it("has every task with its class, what was run, and the counts", () => {
    const file = JSON.parse(text) as { spec: string; counts: object; tasks: { class: string }[] };
    expect(file).toMatchObject({
      spec: "demo",
      counts: {
        total: 10,
        done: 8,
        proven: 1,
        checked: 4,
        accepted: 1,
        reported: 2,
        failed: 1,
        open: 1,
        skipped: 0,
      },
      amendments: [],
    });
    expect(file.tasks.map((one) => one.class)).toEqual(tasks.map((one) => one.class));
    expect(file.tasks[0]).toMatchObject({
      class: "proven",
      weakness: null,
      attempts: 2,
      refused: 1,
      verify: [{ command: "npm test", before: "failed", after: "passed" }],
      commit: "abcdef0123456789",
      commits: ["abcdef0123456789"],
      tree: "clean",
    });
  });

  it("says the same in a fresh clone, which has no journal", () => {
    const cloned = tasksOf(list, [], { receipt: parseReceiptFile(text) });
    const said = ({
      class: is,
      weakness,
      design,
      attempts,
      refused,
      commits,
      noChange,
    }: object & (typeof tasks)[number]) => ({
      is,
      weakness,
      design,
      attempts,
      refused,
      commits,
      noChange,
    });
    expect(cloned.map(said)).toEqual(tasks.map(said));
    expect(formatReceipt("demo", cloned, [])).toBe(text);
  });

  it("counts only for ticked boxes that the journal says nothing about", () => {
    const receipt = parseReceiptFile(text);
    const cleared = parseTasks(TEXT.replace("[x] 1.1", "[ ] 1.1"));
    expect(tasksOf(cleared, [], { receipt })[0]?.class).toBe("open");
    expect(tasksOf(list, [entryOf("undone", "1.1")], { receipt })[0]?.class).toBe("reported");
    expect(tasksOf(list, [entryOf("continue", "1.1")], { receipt })[0]?.class).toBe("proven");
  });

  it("does not make a task proven by saying so", () => {
    const lie = (change: (task: Record<string, unknown>) => void): unknown => {
      const file = JSON.parse(text) as { tasks: Record<string, unknown>[] };
      for (const task of file.tasks) change(task);
      const receipt = parseReceiptFile(JSON.stringify(file));
      return tasksOf(list, [], { receipt }).map((one) => one.class);
    };
    const classes = tasks.map((one) => one.class);
    expect(lie((task) => void Object.assign(task, { class: "proven", weakness: null }))).toEqual(
      // An open box stays open.
      classes,
    );
    const never = lie((task) => void Object.assign(task, { verify: [], class: "proven" }));
    expect(never).not.toContain("proven");
    const elsewhere = lie((task) => void Object.assign(task, { commit: "1234567" }));
    expect(elsewhere).not.toContain("proven");
  });

  it("does not let a tag become a design that nobody agreed to", () => {
    const plain = parseTasks(TEXT.replace("[GUARD] ", ""));
    const made = tasksOf(plain, ENTRIES, { agreed: agreeToAll(plain) });
    const receipt = parseReceiptFile(formatReceipt("demo", made, []));
    expect(tasksOf(list, [], { receipt })[4]).toMatchObject({
      class: "checked",
      design: null,
      weakness: "its Verify passed before the work",
    });
  });

  it.each([
    "a | b \\| c",
    "test `date`",
    "a\n\nb",
    "a  b",
    `x ${"y".repeat(20_000)}`,
    "``a`` <br> |",
  ])("knows a task's own Verify again: %j", (command) => {
    const own = parseTasks(
      `- [x] 1.1 a\n  - **Verify**:\n    ~~~sh\n    ${command.replaceAll("\n", "\n    ")}\n    ~~~\n`,
    );
    const [run = ""] = commandsOf(own, own.tasks[0] as Task);
    const ran = fitEvidence([ranWith("passed", { command: run })]);
    const entries = [
      entryOf("before", "1.1", { evidence: [ranWith("failed")] }),
      entryOf("done", "1.1", { evidence: ran }),
    ];
    const made = tasksOf(own, entries);
    const receipt = parseReceiptFile(formatReceipt("demo", made, []));
    expect(tasksOf(own, [], { receipt })[0]).toMatchObject({ class: "proven", weakness: null });
  });

  it("knows again what is expected of a Verify", () => {
    const own = parseTasks("- [x] 1.1 a\n  - **Verify**: `npm test` prints `ok <1>`\n");
    const [expects] = commandsOf(own, own.tasks[0] as Task);
    expect(expects).toContain("<1>");
    const words = expects?.slice("npm test (".length, -1) ?? "";
    const [before, done] = provenIn("1.1") as [Entry, Entry];
    const made = tasksOf(own, [
      before,
      { ...done, evidence: [ranWith("passed", { expects: words })] },
    ]);
    const judged = (given: string): unknown =>
      tasksOf(own, [], { receipt: parseReceiptFile(given) })[0]?.class;
    const receipt = formatReceipt("demo", made, []);
    expect(judged(receipt)).toBe("proven");
    expect(judged(receipt.replace("<1>", "<2>"))).toBe("reported");
  });

  it("is what its schema says", () => {
    expect(Object.keys(JSON.parse(text) as object)).toEqual(
      Object.keys((receiptSchema() as { properties: object }).properties),
    );
  });
});

describe("a file that somebody else wrote", () => {
  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"tasks":{}}',
    '{"tasks":[null,1,{"id":"1.1","class":"proven"}]}',
  ])("is no receipt: %j", (given) => {
    expect(parseReceiptFile(given)).toEqual([]);
  });

  it("loses only the rows that cannot be read", () => {
    const file = JSON.parse(text) as { tasks: object[] };
    const [one, two, ...rest] = file.tasks as [object, object, ...object[]];
    const given = JSON.stringify({
      tasks: [one, { ...two, verify: [{ after: "great" }] }, ...rest],
    });
    expect(parseReceiptFile(given).map(({ id }) => id)).toEqual(
      parseReceiptFile(text).flatMap(({ id }) => (id === "1.2" ? [] : id)),
    );
  });

  it("breaks nothing, whatever is in it", () => {
    const [row] = (JSON.parse(text) as { tasks: Record<string, unknown>[] }).tasks;
    const broken = record({ key: constantFrom(...Object.keys(row ?? {})), value: anything() }).map(
      ({ key, value }) => JSON.stringify({ tasks: [{ ...row, [key]: value }] }, plainly),
    );
    assert(
      property(
        oneof(
          string(),
          json(),
          array(json()).map((all) => `{"tasks":[${all.join()}]}`),
          broken,
        ),
        (given) => {
          const receipt = parseReceiptFile(given);
          const found = tasksOf(list, [], { receipt });
          expect(found).toHaveLength(list.tasks.length);
          expect(parseReceiptFile(formatReceipt("demo", found, []))).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

/** JSON has no big numbers. */
const plainly = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? String(value) : value;
