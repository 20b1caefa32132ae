import { expect, it } from "vitest";
import { HEAD, makeRunLog } from "../../../test/support/run-log.ts";
import { isRunEvent, type RunEvent } from "../events.ts";
import { isCurrent, openQuestions, type ViewModel } from "./model.ts";
import { reduceAll } from "./reduce.ts";

const log = makeRunLog();
const at = (moment: Parameters<typeof log.until>[0]): ViewModel =>
  reduceAll(log.until(moment).events);
const stateOf = ({ specs }: ViewModel, id: string): string | undefined =>
  specs[0]?.tasks.find((task) => task.id === id)?.state;

it("shows who works on what at the same time", () => {
  const model = at("parallel");
  expect(
    model.attempts.filter(isCurrent).map(({ task, agent, action }) => [task, agent, action]),
  ).toEqual([
    ["2.1", "codex", "apply_patch src/routes/export.ts"],
    ["2.2", "codex", "npm run storybook -- --ci"],
  ]);
  expect(model.limits).toMatchObject([{ agent: "claude" }]);
  expect(model.refusals).toBe(1);
});

it("does not count an attempt that ended with a question as current", () => {
  const model = at("question");
  expect(stateOf(model, "2.2")).toBe("waits");
  expect(openQuestions(model)).toMatchObject([{ id: 1, task: "2.2", options: ["both", "table"] }]);
  expect(model.attempts.filter(isCurrent).map(({ task }) => task)).toEqual(["2.1"]);
});

it("gets the same result if the question comes before the agent ends", () => {
  const events = [...log.until("question").events];
  const ended = events.findLastIndex(({ kind }) => kind === "attempt-ended");
  const [end] = events.splice(ended, 1);
  const model = reduceAll([...events, end as RunEvent]);
  expect(model.attempts.filter(isCurrent).map(({ task }) => task)).toEqual(["2.1"]);
});

it("keeps a task's proof when the list is read again", () => {
  const model = at("end");
  expect(model.specs[0]?.tasks[0]).toMatchObject({
    state: "done",
    before: "failed",
    after: "passed",
  });
  expect(model.specs[0]?.tasks[0]?.commit).toMatch(/^11f3a91c1/);
});

it("knows everything that happened at the end", () => {
  const model = at("end");
  expect(model.ended).toMatchObject({ status: "budget", done: 7, total: 12 });
  expect(model.attempts.filter(isCurrent)).toEqual([]);
  expect(openQuestions(model)).toEqual([]);
  expect(model.questions).toMatchObject([{ answer: "both" }]);
  expect([model.waiting, model.paused, model.refusals]).toEqual([null, false, 2]);
  expect(model.news.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      "refused",
      "conflict",
      "merged",
      "swept",
      "trouble",
      "changed",
      "budget",
      "note",
    ]),
  );
});

it("frees a task once its question is answered", () => {
  const answered: RunEvent = {
    ...HEAD,
    at: "t",
    kind: "answered",
    spec: "user-export",
    id: 1,
    answer: "both",
  };
  const model = reduceAll([answered], at("question"));
  expect(stateOf(model, "2.2")).toBe("open");
});

it("keeps an attempt that a limit cut short apart from the one that continued it", () => {
  const own = at("end").attempts.filter(({ task }) => task === "1.3");
  expect(own.map(({ agent, attempt, verdict }) => [agent, attempt, verdict])).toEqual([
    ["claude", 1, "over"],
    ["codex", 1, "done"],
  ]);
});

it("accepts events in any order, and about unknown tasks", () => {
  const shuffled = [...log.events].reverse();
  expect(reduceAll(shuffled).run).toBe("2026-11-16-0200-ab12");
  const stray: RunEvent = {
    ...HEAD,
    at: "t",
    kind: "action",
    spec: "no",
    task: "such",
    attempt: 9,
    text: "x",
  };
  expect(reduceAll([stray]).attempts).toEqual([]);
});

const started = (task: string, role: "planning" | "execution" | "merge"): RunEvent => ({
  ...HEAD,
  at: "2026-11-16T01:00:00Z",
  kind: "attempt-started",
  spec: "user-export",
  task,
  attempt: 1,
  of: 5,
  role,
  title: task,
  agent: "claude",
});
const turned = (task: string): RunEvent => ({
  ...HEAD,
  at: "2026-11-16T01:01:00Z",
  kind: "attempt-ended",
  spec: "user-export",
  task,
  attempt: 1,
  ending: { kind: "turn" },
  ms: 60_000,
  spent: { tokens: { input: 1, cached: 0, output: 1 }, usd: null, source: "unknown" },
});

it("counts a document as done unless it is refused", () => {
  const written = reduceAll([started("design", "planning"), turned("design")]);
  expect(written.attempts).toMatchObject([{ verdict: "done" }]);
  const about = { spec: "user-export", task: "design", attempt: 1 };
  const refused: RunEvent = { ...HEAD, at: "t", kind: "refused", ...about, reason: "no headings" };
  expect(reduceAll([refused], written).attempts).toMatchObject([{ verdict: "refused" }]);
});

it("has one current attempt at a task, even while another agent resolves its conflict", () => {
  const model = reduceAll([started("2.1", "execution"), turned("2.1"), started("2.1", "merge")]);
  expect(model.attempts.map(({ verdict }) => verdict)).toEqual(["over", null]);
});

it("a task is skipped as soon as that is said, and for as long as the list says so", () => {
  const { spec, branch, tree } = { spec: "user-export", branch: null, tree: "" };
  const plan = (state: "skipped" | "open"): RunEvent => ({
    ...HEAD,
    at: "t",
    kind: "plan",
    spec,
    branch,
    tree,
    tasks: [{ id: "3.1", title: "", state }],
  });
  const skip: RunEvent = { ...HEAD, at: "t", kind: "skipped", spec, task: "3.1" };
  expect(stateOf(reduceAll([plan("open"), skip]), "3.1")).toBe("skipped");
  expect(stateOf(reduceAll([plan("open"), skip, plan("skipped")]), "3.1")).toBe("skipped");
  expect(stateOf(reduceAll([plan("skipped"), plan("open")]), "3.1")).toBe("open");
});

it("counts a task that needed no agent", () => {
  const about = { spec: "user-export", task: "2.4", attempt: 0 };
  const done: RunEvent = {
    ...HEAD,
    at: "t",
    kind: "done",
    ...about,
    before: "failed",
    after: "passed",
    commit: null,
  };
  expect(isRunEvent(done)).toBe(true);
  expect(stateOf(reduceAll([done], at("question")), "2.4")).toBe("done");
});

it("forgets a limit once its agent works again, and a wait once any agent does", () => {
  const limited = reduceAll([
    { ...HEAD, at: "t", kind: "limit", agent: "claude", until: null, text: "" },
    { ...HEAD, at: "t", kind: "limit", agent: "codex", until: null, text: "" },
    {
      ...HEAD,
      at: "t",
      kind: "waiting",
      until: "2026-11-16T02:00:00Z",
      why: "both are at their limits",
    },
  ]);
  expect([limited.limits.length, limited.waiting?.why]).toEqual([2, "both are at their limits"]);
  const resumed = reduceAll([started("1.1", "execution")], limited);
  expect([resumed.limits.map(({ agent }) => agent), resumed.waiting]).toEqual([["codex"], null]);
});
