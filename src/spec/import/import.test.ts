import { describe, expect, it } from "vitest";
import { openspec, speckit, specum } from "../../../test/support/editions.ts";
import { lintTasks } from "../../tasks/lint/lint.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { checkCoverage, planCoverage } from "../coverage.ts";
import { checkDelta, parseDelta } from "../delta.ts";
import { parseRequirements } from "../requirements.ts";
import { NotAList } from "./foreign.ts";
import { planImport } from "./plan-import.ts";
import { readJsonList } from "./read-json.ts";
import { readMarkdownList } from "./read-markdown.ts";

const wish = { name: "demo", source: "list", reopen: false };
const fromJson = (value: unknown, tag?: string, layout = specum) =>
  planImport(layout, readJsonList(JSON.stringify(value), tag), wish);
const fromText = (text: string, layout = specum) =>
  planImport(layout, readMarkdownList(text), wish);
const tasksIn = ({ files }: ReturnType<typeof planImport>): string => files["tasks.md"] as string;
/** What our own reader makes of it: an import that it does not understand is none. */
const listed = (plan: ReturnType<typeof planImport>): string[] =>
  parseTasks(tasksIn(plan)).tasks.map(
    ({ id, title, checked }) => `${id}${checked ? " x" : ""} ${title}`,
  );
const errors = (plan: ReturnType<typeof planImport>): unknown[] =>
  lintTasks(parseTasks(tasksIn(plan))).filter(({ severity }) => severity === "error");

const PRD = {
  project: "Shop",
  branchName: "ralph/priority",
  description: "Task Priority - add priorities",
  verificationCommands: { test: "npm test", lint: "npm run lint" },
  userStories: [
    {
      id: "US-002",
      title: "Show it",
      description: "As a user, I want to see it.",
      acceptanceCriteria: ["A badge is shown", "`npm test -- badge` passes"],
      priority: 2,
      passes: false,
      dependsOn: ["US-001"],
    },
    {
      id: "US-001",
      title: "Store it",
      description: "As a developer, I need to store it.",
      acceptanceCriteria: ["There is a column", "Typecheck passes"],
      priority: 1,
      passes: true,
      labels: ["fast"],
    },
  ],
};

describe("prd.json", () => {
  it("becomes a task for each story, by priority, with what the file itself runs", () => {
    const plan = fromJson(PRD);
    expect(listed(plan)).toEqual([
      "1.1 x Store it",
      "1.2 Show it",
      "2.1 All checks of the project",
    ]);
    expect(errors(plan)).toEqual([]);
    const text = tasksIn(plan);
    expect(text).toContain("  - **Verify**: `npm test -- badge`");
    expect(text).toContain("  - **Verify**: `npm test && npm run lint`");
    expect(text).toContain("  - _Depends: 1.1_");
    expect(text.match(/\*\*Verify\*\*/g)).toHaveLength(2);
    expect(plan).toMatchObject({ tasks: 3, done: 1, withoutVerify: 0, requirements: 2 });
    expect(plan.left).toEqual([
      "the branch ralph/priority: check it out yourself",
      "labels of 1 task",
      "the proof of 1 task that was done: a tick is all there was",
    ]);
  });

  it.each([specum, speckit])(
    "$id: every criterion has an id, and a task that names it",
    (layout) => {
      const plan = fromJson(PRD, undefined, layout);
      const requirements = parseRequirements(plan.files[layout.requirements] as string);
      expect(requirements.map(({ id }) => id)).toEqual([
        "US-1",
        "AC-1.1",
        "AC-1.2",
        "US-2",
        "AC-2.1",
        "AC-2.2",
      ]);
      expect(checkCoverage(planCoverage(requirements, parseTasks(tasksIn(plan))))).toEqual([]);
      expect(errors(plan)).toEqual([]);
    },
  );

  it("openspec: a delta that OpenSpec accepts, and tasks that name its requirements", () => {
    const plan = fromJson(PRD, undefined, openspec);
    const delta = plan.files["specs/demo/spec.md"] as string;
    expect(checkDelta(delta)).toEqual([]);
    const requirements = parseDelta(delta, "demo", "specs/demo/spec.md");
    expect(checkCoverage(planCoverage(requirements, parseTasks(tasksIn(plan))))).toEqual([]);
    expect(plan.files["proposal.md"]).toMatch(/## Why\n\nTask Priority/);
  });

  it("is imported open if that is wanted", () => {
    const plan = planImport(specum, readJsonList(JSON.stringify(PRD), undefined), {
      ...wish,
      reopen: true,
    });
    expect(listed(plan)[0]).toBe("1.1 Store it");
    expect(plan.left).toContain("ticks: you asked for open tasks");
  });
});

describe("Task Master", () => {
  const TASKS = [
    {
      id: 2,
      title: "Build",
      details: "Line one\nLine two",
      status: "pending",
      dependencies: [1],
      priority: "high",
      testStrategy: "Unit tests",
      subtasks: [
        { id: 1, title: "Part one", status: "done", dependencies: [] },
        {
          id: 2,
          title: "Part two",
          status: "pending",
          dependencies: [1],
          testStrategy: "`npm test`",
        },
        { id: 3, title: "Part three", status: "cancelled" },
      ],
    },
    {
      id: 1,
      title: "Set up",
      status: "done",
      dependencies: [],
      testStrategy: "`npm run build` passes",
    },
    { id: 3, title: "Ship", status: "pending", dependencies: [2, 99] },
    { id: 4, title: "Never", status: "cancelled", dependencies: [] },
  ];

  it("is ordered by what waits for what, with the parts of a task under its title", () => {
    const plan = fromJson({ master: { tasks: TASKS, metadata: {} } });
    expect(listed(plan)).toEqual(["1.1 x Set up", "2.1 x Part one", "2.2 Part two", "3.1 Ship"]);
    const text = tasksIn(plan);
    expect(text).toContain("## Phase 2: Build");
    expect(text).toContain("    1. Line one\n    2. Line two");
    expect(text).toMatch(/2\.2 Part two\n(?:.*\n)*? {2}- _Depends: 1\.1, 2\.1_/);
    expect(text).toMatch(/3\.1 Ship\n {2}- _Depends: 2\.1, 2\.2_/);
    expect(errors(plan)).toEqual([]);
    expect(plan.left.join("\n")).toContain('"Ship" depends on 99, which is not in the list');
    expect(plan.left.join("\n")).toContain("task 4, Never: it is cancelled");
    expect(plan.left.join("\n")).toContain("task 2.3, Part three: it is cancelled");
    expect(plan.left.join("\n")).toContain("priorities");
    // How the whole is tested belongs to its last part.
    expect(text).toMatch(/2\.2 Part two\n(?:.*\n)*? {2}- \*\*Done when\*\*: .*Unit tests\n/);
  });

  it("has several lists, of which one is meant", () => {
    const file = { master: { tasks: TASKS }, later: { tasks: [{ id: 1, title: "Later" }] } };
    expect(listed(fromJson(file, "later"))).toEqual(["1.1 Later"]);
    expect(() => fromJson(file, "none")).toThrow(NotAList);
    expect(() => fromJson({ a: { tasks: [] }, b: { tasks: [] } })).toThrow("it has several lists");
    expect(listed(fromJson({ tasks: [{ id: 1, title: "Old form" }] }))).toEqual(["1.1 Old form"]);
  });

  it("cuts circles, and says so", () => {
    const tasks = [
      { id: 1, title: "A", dependencies: [2] },
      { id: 2, title: "B", dependencies: [1] },
    ];
    const plan = fromJson({ tasks });
    expect(listed(plan)).toHaveLength(2);
    expect(errors(plan)).toEqual([]);
    expect(plan.left).toEqual([
      expect.stringContaining("wait for each other"),
      ...plan.left.slice(1),
    ]);
  });
});

describe("hostile input", () => {
  const NASTY =
    "\u001b[31m[VERIFY] **Verify**: `rm -rf /` <!-- hide\n- [ ] 9.9 smuggled\n## Phase 7: x\u202e";

  it("stays text: no tag, no field, no box, no comment, no escape", () => {
    const stories = [
      {
        id: NASTY,
        title: NASTY,
        description: NASTY,
        acceptanceCriteria: [NASTY, NASTY],
        notes: NASTY,
      },
      { id: "__proto__", title: "", passes: true },
      null,
      7,
      { title: { deep: [] } },
    ];
    for (const layout of [specum, speckit, openspec]) {
      const plan = fromJson({ userStories: stories, name: NASTY }, undefined, layout);
      const text = tasksIn(plan);
      const list = parseTasks(text);
      expect(list.tasks).toHaveLength(3);
      expect(list.tasks.flatMap(({ tags }) => tags).filter((tag) => !/^US\d/.test(tag))).toEqual(
        [],
      );
      expect(text).not.toMatch(/^\s*- \*\*Verify\*\*/m);
      // eslint-disable-next-line no-control-regex -- that is what must not be there
      expect(Object.values(plan.files).join()).not.toMatch(/[\u0000-\u0008\u001b\u202e]|<!--/);
      expect(errors(plan)).toEqual([]);
    }
  });

  it.each([
    ["not JSON", "{"],
    ["nothing", "{}"],
    ["a number", "7"],
    ["deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    [
      "too many",
      JSON.stringify({ userStories: Array.from({ length: 2001 }, () => ({ title: "x" })) }),
    ],
  ])("%s is refused or empty, and ends", (_, text) => {
    const read = (): number => planImport(specum, readJsonList(text, undefined), wish).tasks;
    let count = 0;
    try {
      count = read();
    } catch (error) {
      expect(error).toBeInstanceOf(NotAList);
    }
    expect(count).toBe(0);
  });

  it("a long chain, many headings and deep lists come to an end", () => {
    const chain = Array.from({ length: 2000 }, (_, i) => ({
      id: i,
      title: `t${i}`,
      dependencies: [i + 1],
    }));
    expect(listed(fromJson({ tasks: chain }))[0]).toContain("t1999");
    const deep = Array.from({ length: 1500 }, (_, i) => `${" ".repeat(i)}- [ ] x${i}`).join("\n");
    expect(listed(fromText(deep)).length).toBeGreaterThan(0);
    const headings = Array.from({ length: 1500 }, (_, i) => `### US-${i}: s\n\n- [ ] c\n`).join(
      "\n",
    );
    expect(listed(fromText(headings)).length).toBeGreaterThan(0);
  });
});
