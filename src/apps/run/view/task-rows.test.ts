import { expect, it } from "vitest";
import { NOTHING } from "../../../run/cost.ts";
import { type AttemptView, EMPTY } from "../../../runner/view/model.ts";
import { paint } from "../../cli/paint.ts";
import { taskRows } from "./task-rows.ts";

const AT = "2026-11-16T09:00:00.000Z";

const attempt = (task: string, title: string): AttemptView => ({
  spec: "shop",
  task,
  attempt: 1,
  of: 5,
  role: task === title ? "planning" : "execution",
  title,
  agent: "claude",
  model: null,
  began: AT,
  last: AT,
  action: "",
  verifying: null,
  spent: NOTHING,
  ending: null,
  verdict: "done",
  reason: null,
});

it("names a document once, and does not indent the tasks by its name", () => {
  const attempts = [attempt("requirements.md", "requirements.md"), attempt("1.1", "Write it")];
  const drawing = { width: 60, now: Date.parse(AT), style: paint(false), isRoomy: false };
  const rows = taskRows({ model: { ...EMPTY, attempts }, ...drawing }).map(({ text }) => text);
  expect(rows).toEqual([
    expect.stringMatching(/^. requirements\.md (?!requirements)/),
    expect.stringMatching(/^. 1\.1 Write it/),
  ]);
});
