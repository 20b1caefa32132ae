import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openspec, speckit, specum } from "../../../test/support/editions.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { checkDelta } from "../delta.ts";
import type { Foreign } from "./foreign.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { readJsonList } from "./read-json.ts";
import { readMarkdownList } from "./read-markdown.ts";

const plan = (foreign: Foreign, layout = specum): ImportPlan =>
  planImport(layout, foreign, { name: "demo", source: "list", reopen: false });
const json = (value: unknown): Foreign => readJsonList(JSON.stringify(value), undefined);
const listed = ({ files }: ImportPlan): string[] =>
  parseTasks(files["tasks.md"] as string).tasks.map(
    ({ id, title, checked }) => `${id}${checked ? " x" : ""} ${title}`,
  );

describe("ids that the file gives twice, or not at all", () => {
  it("boxes that are numbered again below each heading", () => {
    const text = [
      "## Backend",
      "- [ ] 1. create table",
      "- [ ] 2. create api",
      "## Frontend",
      "- [x] 1. create page",
      "- [ ] 2. create form (depends on 1)",
    ].join("\n");
    const made = plan(readMarkdownList(text));
    expect(listed(made).map((one) => one.slice(0, 16))).toEqual([
      "1.1 create table",
      "1.2 create api",
      "2.1 x create pag",
      "2.2 create form ",
    ]);
    expect(made).toMatchObject({ tasks: 4, done: 1 });
    expect(made.left.join("\n")).toContain("depends on 1, which is the id of more than one task");
    expect(made.files["tasks.md"]).not.toContain("_Depends");
  });

  it("boxes below two headings of the same text", () => {
    const text = "## A\n\n- [ ] one\n\n## A\n\n  - [ ] two\n";
    expect(listed(plan(readMarkdownList(text)))).toEqual(["1.1 one", "1.2 two"]);
  });

  it("stories of prd.json, each with its own requirements", () => {
    const story = (id: string | undefined, title: string) => ({
      ...(id === undefined ? {} : { id }),
      title,
      acceptanceCriteria: [`${title} works`],
    });
    const made = plan(
      json({
        userStories: [
          story("US-1", "first"),
          story("US-1", "second"),
          story(undefined, "third"),
          story("story 3", "fourth"),
        ],
      }),
    );
    expect(listed(made)).toEqual(["1.1 first", "1.2 second", "1.3 third", "1.4 fourth"]);
    expect(made.requirements).toBe(4);
    const document = made.files["requirements.md"] as string;
    for (const one of ["first", "second", "third", "fourth"])
      expect(document.split(`${one} works`)).toHaveLength(2);
    expect(made.files["tasks.md"]).toContain("_Requirements: US-2, AC-2.1_");
  });

  it("two headings of the same story", () => {
    const text =
      "# PRD\n\n### Story 1\n\n- [x] criterion one\n\n### Story 1\n\n- [ ] criterion two\n";
    const made = plan(readMarkdownList(text), openspec);
    expect(listed(made)).toEqual(["1.1 x Story 1", "1.2 Story 1"]);
    const tasks = made.files["tasks.md"] as string;
    expect(tasks.split("criterion one")).toHaveLength(2);
    expect(tasks).toContain("_Requirements: Story 1 (2)_");
    expect(checkDelta(made.files["specs/demo/spec.md"] as string)).toEqual([]);
  });

  it("tasks and subtasks of Task Master, whose own parts stay clear", () => {
    const part = (id: unknown, title: string, dependencies: unknown[] = []) => ({
      id,
      title,
      dependencies,
    });
    const made = plan(
      json({
        tasks: [
          { id: 1, title: "A", subtasks: [part(1, "a1"), part(2, "a2", [1])] },
          { id: 1, title: "B", subtasks: [part(1, "b1"), part(1, "b2"), part(3, "b3", [1])] },
          { title: "C" },
          { title: "D", dependencies: [1] },
        ],
      }),
    );
    expect(listed(made).map((one) => one.split(" ")[1])).toEqual("a1 a2 b1 b2 b3 C D".split(" "));
    expect(made.files["tasks.md"]).toMatch(/1\.2 a2\n {2}- _Depends: 1\.1_/);
    expect(made.files["tasks.md"]?.split("_Depends")).toHaveLength(2);
    expect(made.left).toEqual([
      '"b3" depends on 1, which is the id of more than one task',
      '"D" depends on 1, which is the id of more than one task',
    ]);
  });
});

describe("whatever the ids, as many tasks come out as went in", () => {
  const id = fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    0,
    1,
    2,
    "1",
    "2",
    "1.1",
    "US-1",
    "story 3",
    "__proto__",
  );
  const dependencies = fc.array(id, { maxLength: 3 });
  const item = fc.record({ id, dependencies, status: fc.constantFrom("done", "pending") });
  const layout = fc.constantFrom(specum, speckit, openspec);
  const titles = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `work ${String(i).padStart(3, "0")}`);
  const found = (made: ImportPlan): string[] =>
    [...(made.files["tasks.md"] as string).matchAll(/^- \[.\].*(work \d{3})/gm)]
      .map(([, title]) => title as string)
      .sort();

  it("prd.json", () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), layout, (items, own) => {
        const all = titles(items.length);
        const userStories = items.map((one, i) => ({
          ...one,
          title: all[i],
          acceptanceCriteria: [`criterion ${i}`],
        }));
        const made = plan(json({ userStories }), own);
        expect(found(made)).toEqual(all);
        expect(made).toMatchObject({ tasks: all.length, requirements: all.length });
      }),
    );
  });

  it("Task Master", () => {
    const whole = fc.tuple(item, fc.array(item, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(whole, { minLength: 1, maxLength: 8 }), layout, (wholes, own) => {
        let count = 0;
        const next = (): string => titles(count + 1)[count++] as string;
        const tasks = wholes.map(([one, parts]) =>
          parts.length === 0
            ? { ...one, title: next() }
            : {
                ...one,
                title: "group",
                subtasks: parts.map((part) => ({ ...part, title: next() })),
              },
        );
        const made = plan(json({ tasks }), own);
        expect(found(made)).toEqual(titles(count));
        expect(made.tasks).toBe(count);
      }),
    );
  });

  it("Markdown", () => {
    const number = fc.constantFrom("", "1. ", "2. ", "1.1 ", "T001 ", "#3 ", "US-1: ");
    const heading = fc.constantFrom("", "## A\n\n", "## B\n\n");
    const on = fc.constantFrom("", " (depends on 1)", " (after 1.1 and 2)");
    const box = fc.tuple(heading, number, on, fc.boolean());
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 12 }), layout, (boxes, own) => {
        const all = titles(boxes.length);
        const text = boxes
          .map(
            ([above, name, after, isDone], i) =>
              `${above}- [${isDone ? "x" : " "}] ${name}${all[i]}${after}\n`,
          )
          .join("");
        const made = plan(readMarkdownList(text), own);
        expect(found(made)).toEqual(all);
        expect(made).toMatchObject({
          tasks: all.length,
          done: boxes.filter(([, , , isDone]) => isDone).length,
        });
      }),
    );
  });
});
