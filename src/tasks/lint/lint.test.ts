import { describe, expect, it } from "vitest";
import { parseTasks } from "../parse.ts";
import { lintTasks } from "./lint.ts";

const lintAll = (text: string) => lintTasks(parseTasks(text));
/** Without what is said about the list as a whole. */
const lint = (text: string) =>
  lintAll(text).filter(({ code }) => code !== "tasks-without-verify" && code !== "no-tasks");
const brief = (text: string): string[] =>
  lint(text).map(({ severity, code, line }) => `${line} ${severity} ${code}`);

const GOOD = `---
title: x
---
# Tasks

## Phase 1

- [x] 1.1 [P] One
  - **Do**: it
  - **Files**: \`a.ts\`
  - **Verify**: manual, and done
- [ ] 1.2 [P] Two
  - **Files**: \`b.ts\`
  - **Verify**: \`npm test\`
- [ ] 1.3 [VERIFY] Three, depends on 1.1 and 1.2
  - **Verify**: npm test

## Phase 2

- [ ] T001 [P] [US1] Model in src/m.ts
- [ ] T002 Service in src/s.ts (depends on T001)
- [ ] A box of its own
`;

const DOUBTFUL = [
  "`a -b || true`",
  "`a -b; echo`",
  "`a -b | wc -l`",
  "`a -b | head`",
  "`echo a.b`",
  "`git status`",
  "`a -b` looks nice",
]
  .map((verify, i) => `- [ ] 1.${i + 1} a\n  - **Verify**: ${verify}\n`)
  .join("");

it("a good list has nothing to say", () => {
  expect(lint(GOOD)).toEqual([]);
  expect(lint(GOOD.replaceAll("\n", "\r\n"))).toEqual([]);
});

describe.each([
  [
    "unknown-field",
    "- [ ] 1.1 a\n  - **Verfy**: `npm test`\n  - **Notes**: b\n",
    ["2 warning unknown-field"],
  ],
  [
    "verify-is-inverted",
    ["`npm test` fails", "`! npm test`", "`a -b && ! node x.js`", "`npm test` exits 1"]
      .map((verify, i) => `- [ ] 1.${i + 1} a\n  - **Verify**: ${verify}\n`)
      .join(""),
    [2, 4, 6, 8].map((line) => `${line} warning verify-is-inverted`),
  ],
  ["verify-is-inverted, RED", "- [ ] 1.1 [RED] a\n  - **Verify**: `! npm test`\n", []],
  [
    "verify-is-inverted, an absence",
    "- [ ] 1.1 a\n  - **Verify**: `! grep -rq old src && ! test -e old.ts && ! git grep old`\n",
    [],
  ],
  ["duplicate-id", "- [ ] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.1 c\n", ["3 error duplicate-id"]],
  [
    "duplicate-id, three times",
    "- [ ] T001 a\n- [x] T001 b\n- [ ] T001 c\n",
    ["2 error duplicate-id", "3 error duplicate-id"],
  ],
  ["unknown-dependency", "- [ ] 1.1 a\n  - depends on 1.9\n", ["2 error unknown-dependency"]],
  [
    "dependency-cycle",
    "- [ ] 1.1 depends on 1.2\n- [ ] 1.2 depends on 1.1\n",
    ["1 error dependency-cycle"],
  ],
  ["dependency-cycle of one", "- [ ] 1.1 a\n  - depends on 1.1\n", ["2 error dependency-cycle"]],
  [
    "two cycles",
    "- [ ] 1.1 depends on 1.2\n- [ ] 1.2 depends on 1.1\n- [ ] 1.3 depends on 1.4\n- [ ] 1.4 depends on 1.3\n",
    ["1 error dependency-cycle", "3 error dependency-cycle"],
  ],
  ["late-dependency", "- [ ] 1.1 depends on 1.2\n- [ ] 1.2 b\n", ["1 warning late-dependency"]],
  ["late-dependency, done", "- [ ] 1.1 depends on 1.2\n- [x] 1.2 b\n", []],
  ["missing-verify", "- [ ] 1.1 a\n  - **Do**: it\n", ["1 warning missing-verify"]],
  ["missing-verify, one-liner", "- [ ] 1.1 a\n- [ ] 1.2 b\n  _Requirements: 1_\n", []],
  ["missing-verify, a check", "- [ ] 1.1 [VERIFY] all tests pass\n", ["1 warning missing-verify"]],
  ["missing-verify, a guard", "- [ ] 1.1 [GUARD] a\n", ["1 warning missing-verify"]],
  ["missing-verify, Spec Kit", "- [ ] T001 a\n  - **Files**: `a.ts`\n", []],
  ["missing-verify, done", "- [x] 1.1 a\n  - **Do**: it\n", []],
  [
    "verify-is-prose",
    "- [ ] 1.1 a\n  - **Do**: it\n  - **Verify**: Check that it works\n",
    ["3 warning verify-is-prose"],
  ],
  [
    "verify-is-prose, empty",
    "- [ ] 1.1 a\n  - **Verify**:\n  - **Do**: it\n",
    ["2 warning verify-is-prose"],
  ],
  [
    "verify-is-manual",
    "- [ ] 1.1 a\n  - **Verify**: Manual test: run `npm start` and look at the page\n",
    ["2 warning verify-is-manual"],
  ],
  [
    "verify-is-manual, slash command",
    "- [ ] 1.1 a\n  - **Verify**: run `/plugin:status` and read it\n",
    ["2 warning verify-is-manual"],
  ],
  [
    "verify-cannot-fail",
    "- [ ] 1.1 a\n  - **Verify**: `npm test | tail -5`\n",
    ["2 warning verify-cannot-fail"],
  ],
  [
    "verify-cannot-fail, with an expectation",
    "- [ ] 1.1 a\n  - **Verify**: `grep TODO src/a.ts | wc -l` returns 0\n",
    [],
  ],
  [
    "verify-unclear",
    "- [ ] 1.1 a\n  - **Verify**: `npm test` and `cat out.log` shows the new layout\n",
    ["2 warning verify-unclear"],
  ],
  ["verify-unclear, done", "- [x] 1.1 a\n  - **Verify**: `cat out.log` shows the layout\n", []],
  [
    "parallel-shares-file",
    "- [ ] 1.1 [P] a\n  - **Files**: `a.ts`\n  - **Verify**: `make a`\n- [ ] 1.2 [P] b\n  - **Files**: `b.ts`, `a.ts`\n  - **Verify**: `make b`\n",
    ["4 warning parallel-shares-file"],
  ],
  [
    "parallel, not adjacent",
    "- [ ] T001 [P] src/a.ts\n- [ ] T002 b\n- [ ] T003 [P] src/a.ts\n",
    [],
  ],
  ["parallel, other phase", "- [ ] T001 [P] src/a.ts\n\n## B\n\n- [ ] T002 [P] src/a.ts\n", []],
  ["numbering-gap", "- [ ] 1.1 a\n- [ ] 1.3 b\n", ["2 info numbering-gap"]],
  ["numbering-gap, out of order is none", "- [ ] 1.2 a\n- [ ] 1.1 b\n", []],
  ["numbering-gap at the start", "- [ ] 2.2 a\n", ["1 info numbering-gap"]],
  ["numbering from 0", "- [ ] 1.0 a\n- [ ] 1.1 b\n", []],
  ["numbering-gap, Spec Kit", "- [ ] T004 a\n- [ ] T009 b\n", ["2 info numbering-gap"]],
  ["box-in-fence", "- [ ] 1.1 a\n\n```\n- [ ] 1.2 b\n- [ ] 1.3 c\n```\n", ["4 info box-in-fence"]],
  ["box-in-fence, comment", "<!--\n- [ ] 1.2 b\n-->\n", ["2 info box-in-fence"]],
  ["box-in-fence, no id", "```\n- [ ] step\n```\n", []],
  ["box-in-fence, indented code", "text\n\n    - [ ] 1.2 b\n", ["3 info box-in-fence"]],
  [
    "unclosed-fence",
    "- [ ] 1.1 a\n\n```bash\nnpm test\n\n- [ ] 1.2 b\n- [ ] c\n",
    ["3 warning unclosed-fence"],
  ],
  ["unclosed-fence, comment", "<!-- note\n\n- [ ] 1.2 b\n", ["1 warning unclosed-fence"]],
  ["unclosed-fence, no boxes", "- [ ] 1.1 a\n\n```\nnpm test\n", []],
  [
    "unclosed-heredoc",
    "- [ ] 1.1 a\n  cat <<EOF\n- [ ] b\n- [ ] 1.2 c\n",
    ["2 warning unclosed-heredoc"],
  ],
  ["unclosed-heredoc, nothing quoted", "- [ ] 1.1 a\n  <<EOF\n- [ ] 1.2 c\n- [ ] d\n", []],
  ["unclosed-fence, quoted", "- [ ] 1.1 a\n  <<EOF\n```\n- [ ] b\nEOF\n- [ ] 1.2 c\n", []],
  ["unclosed-heredoc, closed", "- [ ] 1.1 a\n  <<EOF\n- [ ] b\nEOF\n- [ ] 1.2 c\n", []],
  ["malformed-box, empty", "- [] 1.1 x\n", ["1 warning malformed-box"]],
  ["malformed-box, no space after", "- [ ]1.1 x\n", ["1 warning malformed-box"]],
  ["malformed-box, no space before", "-[ ] 1.1 x\n", ["1 warning malformed-box"]],
  ["malformed-box, done", "- [x]1.1 x\n", ["1 warning malformed-box"]],
  ["malformed-box, wide", "- [ x ] 1.1 x\n", ["1 warning malformed-box"]],
  [
    "malformed-box, drawn",
    "- [✓] 1.1 x\n* [✔] 1.2 y\n",
    ["1 warning malformed-box", "2 warning malformed-box"],
  ],
  [
    "malformed-box, not read",
    "- [] x\n\n- [ ]x\n\n-[ ] x\n\n- [-] x\n",
    [
      "1 error malformed-box",
      "3 error malformed-box",
      "5 error malformed-box",
      "7 error malformed-box",
    ],
  ],
  [
    "malformed-box, no box",
    "- ☐ 1.1 x\n- ☐ x\n",
    ["1 error malformed-box", "2 error malformed-box"],
  ],
  [
    "malformed-box, no bullet",
    "[ ] 1.1 x\n\n• [ ] 1.2 x\n",
    ["1 error malformed-box", "3 error malformed-box"],
  ],
  ["malformed-box, escaped", "- \\[ ] 1.1 x\n", ["1 error malformed-box"]],
  ["malformed-box, a step", "- [ ] 1.1 x\n  - [] y\n  - [ ]z\n  - ☐ a\n  - [-] b\n  - [ ] c\n", []],
  [
    "malformed-box, not meant",
    "- [P] x\n- [](u)\n- [x](u)\n- [ ]\n- [ ]: u\n[x] y\n- ✅ 1.1 x\n",
    [],
  ],
  ["malformed-box, in a fence", "```\n- [] x\n```\n", []],
  [
    "optional-task",
    "- [ ]* 1.1 x\n- [ ]\\* 1.2 x\n",
    ["1 info optional-task", "2 info optional-task"],
  ],
  ["boxes-without-ids", "# A\n- [ ] 1.1 x\n- [ ] 1.2 x\n# Done\n- [x] a\n- [ ] b\n- [ ] c\n", []],
  [
    "boxes-without-ids, most have ids",
    "# A\n- [ ] 1.1 x\n- [ ] 1.2 x\n# Done\n- [ ] b\n- [ ] c\n",
    ["5 info boxes-without-ids"],
  ],
  ["numbering-gap, letters", "- [ ] 3.1 a\n- [ ] 3.2a b\n- [ ] 3.2b c\n- [ ] 3.3 d\n", []],
  ["duplicate-id, letters", "- [ ] 3.1a a\n- [ ] 3.1A b\n", ["2 error duplicate-id"]],
  [
    "unknown-dependency, letters",
    "- [ ] 3.1a a\n  _Depends: 3.1b_\n",
    ["2 error unknown-dependency"],
  ],
  ["unknown-dependency, a time", "- [ ] 3.1 a\n  - depends on 1.5s\n", []],
  ["empty-title", "- [ ] 1.1 [P]\n- [ ] 1.2 b\n", ["1 warning empty-title"]],
] satisfies [string, string, string[]][])("%s", (_, text, expected) => {
  it("is found on its line", () => {
    expect(brief(text)).toEqual(expected);
    expect(brief(text.replaceAll("\n", "\r\n"))).toEqual(expected);
  });
});

describe("messages", () => {
  const messages = (text: string) => lint(text).map(({ message }) => message);

  it("name what they are about", () => {
    expect(messages("- [ ] 1.1 a\n- [ ] 1.1 b\n")[0]).toContain("line 1");
    expect(messages("- [ ] T001 [P] src/a.ts\n- [ ] T002 [P] src/a.ts\n")).toEqual([
      "T001 and T002 are both marked [P] but share src/a.ts.",
    ]);
    expect(messages("- [ ] 1.1 a\n- [ ] 1.3 b\n")).toEqual(["1.2 is missing before 1.3."]);
    expect(messages("- [ ] T001 a\n- [ ] T011 b\n")).toEqual([
      "T002 to T010 are missing before T011.",
    ]);
    expect(messages("```\n- [ ] 1.2 b\n- [ ] 1.3 c\n```\n")[0]).toMatch(/^1\.2 and 1 more/);
  });

  it("a cycle is shown the shortest way around, from its first task", () => {
    const text =
      "- [ ] 1.1 depends on 1.2\n- [ ] 1.2 depends on 1.3\n- [ ] 1.3 depends on 1.4, 1.1\n- [ ] 1.4 depends on 1.1\n";
    expect(messages(text)).toContain(
      "These tasks depend on each other in a cycle: 1.1 → 1.2 → 1.3 → 1.1.",
    );
  });

  it("each has a fix of one sentence", () => {
    const text = `${GOOD}\n- [ ] 1.1 twice\n- [ ] 2.9\n  - **Do**: depends on 9.9\n\`\`\`\n- [ ] 1.4 x\n`;
    for (const { fix } of [...lint(text), ...lint(DOUBTFUL)]) {
      expect(fix).toMatch(/^[A-Z][^\n]+\.$/);
    }
    expect(lint(DOUBTFUL)).toHaveLength(7);
    expect(lint(text).length).toBeGreaterThan(4);
  });

  it("a malformed box comes with the line as it should be", () => {
    const found = lint(
      "- [] 1.6 x\n- [x]1.7 x\n-[ ] 2.0 x\n- [✓] 2.1 x\n- ☐ 2.2 x\n\n• [ ] 2.3 x\n",
    );
    const boxes = found.filter(({ code }) => code === "malformed-box");
    expect(boxes.map(({ message, fix }) => [message, fix])).toEqual([
      [
        "This looks like a task, but its box is written []. It is read as one.",
        "Write it as `- [ ] 1.6 x`.",
      ],
      [
        "This looks like a task, but there is no space after its box. It is read as one.",
        "Write it as `- [x] 1.7 x`.",
      ],
      [
        "This looks like a task, but there is no space between its bullet and its box. It is read as one.",
        "Write it as `- [ ] 2.0 x`.",
      ],
      [
        "This looks like a task, but its box is written [✓]. It is read as one.",
        "Write it as `- [x] 2.1 x`.",
      ],
      [
        "This looks like a task, but its box is written ☐. It is not read as one.",
        "Write it as `- [ ] 2.2 x`.",
      ],
      [
        "This looks like a task, but it has no bullet. It is not read as one.",
        "Write it as `- [ ] 2.3 x`.",
      ],
    ]);
  });

  it("a Verify that proves nothing is told why, and how to write it", () => {
    const [found] = lint("- [ ] 1.1 a\n  - **Verify**: `npm test || true`\n");
    expect(found?.message).toBe(
      'The Verify of 1.1 proves nothing, because it ends with `|| true`, which passes when the rest fails: "npm test || true".',
    );
    expect(found?.fix).toMatch(/^Remove `\|\| true`, or say after it what it must print/);
  });

  it("come in the order of the lines", () => {
    const text = "- [ ] 1.4\n- [ ] 1.1 depends on 1.9\n- [ ] 1.1 b\n  - **Do**: it\n";
    expect(brief(text)).toEqual([
      "1 info numbering-gap",
      "1 warning empty-title",
      "2 error unknown-dependency",
      "3 error duplicate-id",
      "3 warning missing-verify",
    ]);
  });
});
