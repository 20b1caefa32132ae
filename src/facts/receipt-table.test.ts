import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf, provenIn, ranWith, tasksOf } from "../../test/support/journal.ts";
import { OUTCOMES } from "../run/claim/evidence.ts";
import { NOTHING } from "../run/cost.ts";
import { parseTasks } from "../tasks/parse.ts";
import { parseCode, parseReceipt, renderReceipt } from "./receipt-table.ts";
import type { TaskFacts } from "./task-facts.ts";

const list = parseTasks("- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 three\n");
const tasks = tasksOf(list, [
  ...provenIn("1.1", "npm test | tee x"),
  entryOf("done", "1.2", { note: "its Verify is prose | and cannot be run" }),
]);
const [first] = tasks as [TaskFacts];

describe("the table for people", () => {
  it("has the class of each task, and a pipe does not break it", () => {
    expect(renderReceipt(tasks)).toBe(
      [
        "| task | class | attempts | verify | before | result | commit | time |",
        "|---|---|---:|---|---|---|---|---:|",
        "| 1.1 | proven | 1 | `npm test \\| tee x` | failed | passed | abcdef012 |  |",
        "| 1.2 | reported | 1 |  |  | its Verify is prose \\| and cannot be run |  |  |",
        "| 1.3 | open | 0 |  |  |  |  |  |",
      ].join("\n"),
    );
  });

  it("says why a task is less than proven, and what was uncommitted", () => {
    const weakness = "its Verify proves nothing: it is vacuous";
    const row = renderReceipt([{ ...first, class: "checked", weakness, tree: "dirty" }]);
    expect(row).toContain(`| checked: ${weakness} | 1 | `);
    expect(row).toContain("| abcdef012 (dirty) |");
    expect(renderReceipt([{ ...first, commit: null, tree: "no-git" }])).toContain("| no git |");
  });

  it("has a column for what each task cost, if the client said so for any", () => {
    const spent = { ...NOTHING, tokens: 41_000, ms: 130_000 };
    expect(renderReceipt([{ ...first, spent }, ...tasks.slice(1)]).split("\n")).toMatchObject([
      expect.stringMatching(/\| time \| cost \|$/),
      "|---|---|---:|---|---|---|---|---:|---|",
      expect.stringMatching(/\| 41k tokens, 2 min 10 s \|$/),
      expect.stringMatching(/\| {2}\| {2}\|$/),
      expect.anything(),
    ]);
  });

  it("keeps a command with backticks in one code span, with what is expected of it", () => {
    const evidence = [ranWith("passed", { command: "echo `date`", expects: "prints `1`" })];
    expect(renderReceipt([{ ...first, evidence }])).toContain(
      "| `` echo `date` `` (prints '1') | failed | passed |",
    );
  });

  it("lists how Verify commands were changed", () => {
    const change = { task: "1.1", old: "a | b", new: "c", reason: "it was\nwrong" };
    expect(renderReceipt([first], [change])).toMatch(
      /\n\nChanged during the run:\n\n- 1\.1: `a \\\| b` became `c`: it was wrong$/,
    );
  });
});

/** As versions 4.4 to 5.0 wrote it. */
const OLD = `## Receipt

| task | done | attempts | verify | before | result | commit | time |
|---|---|---:|---|---|---|---|---:|
| 1.1 | yes | 2 | \`npm test \\| tee x\` | failed | passed | abcdef012 (dirty) | 8 s |
| 1.2 | yes | 1 |  |  | its Verify is prose and cannot be run |  | 0 s |
| 1.3 |  | 1 |  |  |  |  |  |
| 1.4 | yes | 1 |  |  | ticked by hand |  |  |
`;

const RULE = "|---|---|---:|---|---|---|---|---:|";
const HEAD = "| task | done | attempts | verify | before | result | commit | time |";
const table = (row: string): string => `## Receipt\n\n${HEAD}\n${RULE}\n| ${row} |\n`;

describe("tables of older versions", () => {
  it("are read, with nothing around them", () => {
    const progress = `# Progress\n\n| task | done |\n\n${OLD}\nSeen:\n\n| 9.9 | yes |\n\n## Notes\n\n| x | yes |\n`;
    const none = { verify: [], before: [], commit: null, tree: null };
    const rows = [
      {
        id: "1.1",
        verify: [{ command: "npm test | tee x", after: "passed" }],
        before: ["failed"],
        commit: "abcdef012",
        tree: "dirty",
        note: null,
      },
      { ...none, id: "1.2", note: "its Verify is prose and cannot be run" },
      { ...none, id: "1.4", note: "ticked by hand" },
    ];
    expect(parseReceipt(progress)).toEqual(rows);
    expect(parseReceipt(progress.replaceAll("\n", "\r\n"))).toEqual(rows);
  });

  it("of 4.3 do not say what was uncommitted", () => {
    const old =
      "## Receipt\n\n| task | done | attempts | verify | result | commit | time |\n|---|---|---:|---|---|---|---:|\n| 1.1 | yes | 1 | `npm test` | passed | abcdef012 | 8 s |\n";
    expect(parseReceipt(old)).toMatchObject([
      { id: "1.1", verify: [{ after: "passed" }], before: [], commit: "abcdef012", tree: null },
    ]);
  });

  it("may have a column for the cost", () => {
    const old = `## Receipt\n\n${HEAD} cost |\n${RULE}---|\n| 1.1 | yes | 1 | \`npm test\` |  | passed | abcdef012 | 2 s | 41k tokens, 2 min 10 s |\n`;
    expect(parseReceipt(old)).toMatchObject([
      { id: "1.1", verify: [{ after: "passed" }], commit: "abcdef012", tree: "clean" },
    ]);
  });

  it.each([
    [
      "a command that cannot fail",
      "1.1 | yes | 1 | `true` | passed | passed (proves nothing) | abcdef012 | 1 s",
      { verify: [{ command: "true", after: "passed" }], before: ["passed"] },
    ],
    [
      "several commands, one with words",
      "1.1 | yes | 1 | `` echo `a` `` (prints 'a')<br>`b` | failed<br>unrun | passed<br>timed-out | abcdef012 (uncommitted) | 1 s",
      {
        verify: [
          { command: "echo `a`", expects: "prints 'a'", after: "passed" },
          { command: "b", after: "timed-out" },
        ],
        before: ["failed", "unrun"],
        tree: "uncommitted",
      },
    ],
    [
      "no git",
      "1.1 | yes | 1 | `a` |  | passed | no git | 1 s",
      { verify: [{ after: "passed" }], tree: "no-git" },
    ],
    [
      "the user's word",
      "1.1 | yes | 1 |  |  | accepted by the user |  | ",
      { verify: [], note: "accepted by the user" },
    ],
  ])("have %s", (_, row, expected) => {
    expect(parseReceipt(table(row))).toMatchObject([expected]);
  });

  it.each([
    "",
    "# Progress\n",
    "## Receipt\n\nold\n\n## Notes\n\n| a |\n",
    "## Receipt\n| a | b |\n| 1 | yes |\n",
    `## Receipt\n\n${renderReceipt(tasks)}\n`,
  ])("there are none in %j", (text) => {
    expect(parseReceipt(text)).toEqual([]);
  });
});

it("reads back every command, whatever it contains", () => {
  const piece = constantFrom("a", " ", "|", "\\", "`", "``", "<br>", "\n", "\t", "&&", "#", "é");
  const command = array(piece, { maxLength: 12 })
    .map((pieces) => pieces.join(""))
    .filter((one) => one.trim() !== "");
  const ran = record({ command, outcome: constantFrom(...OUTCOMES) });
  const plain = (one: string): string => one.replace(/\s+/g, " ").trim();
  assert(
    property(array(ran, { maxLength: 3 }), (evidence) => {
      const commands = evidence.map((one) => one.command);
      expect(parseCode(commands)).toEqual(commands.map(plain));
      expect(parseCode(parseCode(commands))).toEqual(commands.map(plain));
      const facts = {
        ...first,
        evidence: evidence.map((one) => ranWith(one.outcome, { command: plain(one.command) })),
      };
      // The row is the same in old tables, but for the second column and spaces.
      const row = renderReceipt([facts]).split("\n")[2]?.replace("| proven |", "| yes |") ?? "";
      expect(parseReceipt(`## Receipt\n\n${HEAD}\n${RULE}\n${row}\n`)).toMatchObject([
        { verify: evidence.map((one) => ({ command: plain(one.command), after: one.outcome })) },
      ]);
    }),
  );
});
