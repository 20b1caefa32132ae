import { expect, it } from "vitest";
import { makeRunLog } from "../../test/support/run-log.ts";
import { paint } from "../apps/cli/paint.ts";
import { reportLines } from "../apps/run/report-lines.ts";
import type { ReceiptLine } from "../run/claim/receipt.ts";
import type { Entry } from "../run/journal.ts";
import { renderReport } from "./render-report.ts";
import { planReport } from "./report.ts";
import { reduceAll } from "./view/reduce.ts";

const log = makeRunLog();
const { now } = log.until("end");
const model = reduceAll(log.events);
const report = planReport(model, [], Date.parse(now));

it("is the receipt of a night, in Markdown and in a terminal", async () => {
  await expect(`${renderReport(report)}\n`).toMatchFileSnapshot(
    "../apps/run/view/frames/report-markdown.txt",
  );
  const lines = reportLines(report, paint(false), 100);
  await expect(`${lines}\n`).toMatchFileSnapshot("../apps/run/view/frames/report.txt");
});

it("says for each task who did it, in how many attempts, and what proves it", () => {
  expect(report.tasks.find(({ id }) => id === "2.3")).toMatchObject({
    state: "done",
    agents: ["codex"],
    attempts: 3,
    before: "failed",
    after: "passed",
    refusals: [
      { attempt: 1, reason: "codex said nothing for too long and was ended" },
      { attempt: 2, reason: expect.stringContaining("nothing was committed") },
    ],
    sources: ["prices"],
  });
});

it("counts what no Verify has proven", () => {
  const done = report.tasks.filter(({ state }) => state === "done");
  const [first, ...rest] = done;
  const word = { ...first, after: "unknown" } as (typeof done)[number];
  const other = { ...report, tasks: [word, ...rest] };
  expect(renderReport(report)).not.toContain("without one");
  expect(renderReport(other)).toContain(
    `, ${rest.length} proven by their Verify and 1 without one, `,
  );
});

it("takes what the spec's own files know for more than the events", () => {
  const evidence = { command: "npm test", outcome: "passed" };
  const receipt = {
    id: "1.1",
    title: "",
    done: true,
    attempts: 4,
    before: ["passed"],
    evidence: [evidence],
    commit: "abcdef",
    spent: null,
  };
  const cost = {
    role: "spec-executor",
    tokens: 7,
    toolUses: null,
    ms: 1,
    model: "m",
    agent: "gemini",
  };
  const facts = {
    name: "user-export",
    receipt: [receipt as unknown as ReceiptLine],
    entries: [{ event: "returned", task: "1.1", cost } as Entry],
    assumptions: ["Semicolons, as in the old export"],
  };
  const known = planReport(model, [facts], Date.parse(now));
  expect(known.tasks[0]).toMatchObject({
    attempts: 4,
    before: "passed",
    commands: ["npm test"],
    commit: "abcdef",
    agents: ["gemini", "claude"],
    models: ["m", "claude-opus-4-8"],
  });
  expect(renderReport(known)).toContain("## Assumed for you\n\n- Semicolons, as in the old export");
});

it("names what waits for the user, and what to type", () => {
  const { events, now: then } = log.until("question");
  const open = planReport(reduceAll(events), [], Date.parse(then));
  expect(open.waiting[0]).toEqual({
    what: "Question 1 (2.2): The list has two layouts. Should the button be in both, or only in the table? [both / table]",
    todo: "smart-ralph answer 1 both",
  });
  expect(report.waiting.map(({ todo }) => todo)).toEqual([
    "smart-ralph logs --run 2026-11-16-0200-ab12 --task 3.2",
    "smart-ralph inbox",
    "smart-ralph run user-export",
    "smart-ralph take user-export",
  ]);
});

it("cannot be broken by a title", () => {
  const events = JSON.parse(
    JSON.stringify(log.events).replaceAll("Write rows as CSV", "a | b\\n# c `x`\\u001b[2J"),
  ) as typeof log.events;
  const text = renderReport(planReport(reduceAll(events), [], Date.parse(now)));
  const row = text.split("\n").find((line) => line.startsWith("| 1.2"));
  expect(row).toMatch(/^\| 1\.2 a \\\| b # c `x`\[2J/);
  expect(text).not.toContain("\u001b");
});
