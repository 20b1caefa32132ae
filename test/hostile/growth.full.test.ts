import { expect, it } from "vitest";
import { splitWords } from "../../src/apps/cli/arguments.ts";
import { renderReceipt } from "../../src/facts/receipt-table.ts";
import { claimsCompletion, judgeClaim } from "../../src/run/claim/judge-claim.ts";
import { parseJournal } from "../../src/run/journal-lines.ts";
import { parseSettings } from "../../src/run/settings.ts";
import { ALL_TASKS_COMPLETE, hasSignal } from "../../src/run/signal.ts";
import { parseState } from "../../src/run/state.ts";
import { copyFields } from "../../src/tasks/edit/fix-task.ts";
import { applyOrder } from "../../src/tasks/edit/reorder.ts";
import { parseFields } from "../../src/tasks/fields.ts";
import { lintTasks } from "../../src/tasks/lint/lint.ts";
import type { Task } from "../../src/tasks/model.ts";
import { planOrder } from "../../src/tasks/order/plan-order.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { judgeRun } from "../../src/tasks/verify/expectation.ts";
import { parseVerify } from "../../src/tasks/verify/verify.ts";
import { oneLine } from "../../src/text/template.ts";
import { tasksOf } from "../support/journal.ts";
import { findGrowth } from "./growth.ts";

/** Whole readers: an expression may be quick and what calls it again and again may not. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  settings: (text) => parseSettings(`---\n${text}`),
  state: parseState,
  signal: (text) => hasSignal(`${text}\n${ALL_TASKS_COMPLETE}x`, ALL_TASKS_COMPLETE),
  report: (text) => {
    const list = parseTasks("- [ ] 1.1 a\n");
    const [task] = list.tasks as [Task];
    const facts = { ticked: 0, peers: [], uncommitted: [], outside: [] };
    return [claimsCompletion(text), judgeClaim({ task, report: text, list, ...facts })];
  },
  verify: parseVerify,
  said: (text) => parseVerify(`\`npm test\` ${text}`),
  script: (text) => parseVerify(`\`\`\`\nnpm test ${text}\n\`\`\``),
  output: (text) => {
    const run = { exitCode: 0, stdout: text, stderr: "" };
    return [
      judgeRun({ kind: "silent" }, run),
      judgeRun({ kind: "prints", text: "a" }, run),
      judgeRun({ kind: "number", is: "=", value: 1 }, run),
      judgeRun({ kind: "lines", is: "=", value: 1 }, run),
    ];
  },
  words: splitWords,
  line: (text) => oneLine(text, 100),
  fields: (text) => {
    const list = parseTasks(`- [ ] 1.1 a\n  - **Files**: ${text.replaceAll("\n", "\n  ")}`);
    return list.tasks.map((task) => parseFields(list, task));
  },
  copies: (text) => {
    const list = parseTasks(
      `- [ ] 1.1 ${"a".repeat(text.length)}\n  ${text.replaceAll("\n", "\n  ")}`,
    );
    const [task] = list.tasks as [Task];
    return copyFields(list, task, ["do", "files", "verify"]);
  },
  order: (text) => {
    const list = parseTasks(`- [ ] 1.1 might maybe ${text}\n- [ ] 1.2 b\n`);
    return [
      lintTasks(list),
      applyOrder(list, planOrder(list, { byScore: true }), { renumber: true }),
    ];
  },
};

const UNITS = [
  ..."a1 *_`~#:.,;!|/\\[](){}<>\"'-+=@$\n\t\r\u2028",
  ..."- |[ |a: |a: [|- a\n|a: b\n|`a` |``a`|*a* |\n\n|[a](b)|1.1 |1.1, |depends on 1.1 |after T001 ".split(
    "|",
  ),
  ...'Task a |FAILED |<!-- |<pre>|```\n|~~~\n|[FIX 1.1] |[P]|run `a` |npm |\\"|_a: b_ |**A**: '.split(
    "|",
  ),
  "- [ ] a\n",
  "cat <<EOF\n",
  "<<'A'\n",
  "EOF\n",
  "<<A\nA\n",
  '`a -m "',
  "-[ ]1.1 a\n",
  "1.1a.",
  "- [ ] 1.1 a\n",
  "🎉",
  "is a ",
  ..."returns 1, |returns |no |no a |not |or |and |→ |exit with |no errors |fails |`a -b` or |`a -b`: ".split(
    "|",
  ),
  ..."|| a |&& a |; a |$(|do |for a; |«0» |“|1:1\n|# a".split(/(?<=[^|])\|(?=[^|])/),
];

it.each(Object.entries(READERS))(
  "%s reads long runs in linear time",
  { timeout: 120_000 },
  (_, read) => {
    const slow = UNITS.filter((unit) => {
      const job = (length: number) => () =>
        void read(unit.repeat(Math.ceil(length / unit.length)) + "x");
      return findGrowth(job) !== undefined;
    });
    expect(slow).toEqual([]);
  },
);

/** What has to come first before some of a command's expressions are tried at all. */
const BEGINNINGS = [
  "/a",
  "./a",
  "~/a",
  "a/b",
  "bin/a",
  "A=",
  'A="',
  "npm ",
  "make ",
  "cat ",
  "a ",
  "if a",
  "run ",
  "```sh\n$ ",
  "- ",
];

it.each(BEGINNINGS)(
  "a command that begins with %j is read in linear time",
  { timeout: 120_000 },
  (beginning) => {
    const slow = [...UNITS, "a=", "-a ", 'a="b" ', "a/", ";then", "; "].flatMap((unit) =>
      ["", "x", " !"]
        .filter((end) => {
          const job = (length: number) => () =>
            void parseVerify(beginning + unit.repeat(Math.ceil(length / unit.length)) + end);
          return findGrowth(job) !== undefined;
        })
        .map((end) => [unit, end]),
    );
    expect(slow).toEqual([]);
  },
);

it("the receipt of a long run takes linear time", () => {
  const loop =
    '"loop":{"run":"r","began":"","session":null,"iteration":1,"maxIterations":9,"maxAttempts":5,"continued":0,"stalled":0,"mark":"","furthest":0,"total":1,"ticked":0,"head":"","task":"1.1","attempts":{},"lastError":null,"told":null,"open":true}';
  const list = parseTasks("- [x] 1.1 a\n");
  const line = `{"at":"2026-01-01","event":"refused","task":"1.1",${loop}}\n`;
  const entries = parseJournal(line.repeat(60_000));
  expect(entries).toHaveLength(60_000);
  const job = (length: number) => () => void renderReceipt(tasksOf(list, entries.slice(0, length)));
  expect(findGrowth(job)).toBeUndefined();
});
