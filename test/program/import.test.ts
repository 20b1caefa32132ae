import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { makeFlow } from "./flow.ts";
import { expectRefusal, IN_SESSION, type Place } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const PRD = JSON.stringify({
  name: "Task Priority",
  branchName: "ralph/task-priority",
  description: "Add priorities to tasks",
  userStories: [
    {
      id: "US-001",
      title: "Store it",
      description: "As a developer, I need to store it.",
      acceptanceCriteria: ["There is a column"],
      priority: 1,
      passes: true,
    },
    {
      id: "US-002",
      title: "Show it",
      description: "As a user, I want to see it.",
      acceptanceCriteria: ["A badge is shown", "`npm test -- badge` passes"],
      priority: 2,
      dependsOn: ["US-001"],
    },
  ],
});

const specsOf = (place: Place): string[] => {
  const folder = join(place.root, place.layout.specsDirs[0]);
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
};

describe.each(layouts)("$plugin import", (layout) => {
  const name = layout.numbered ? "001-task-priority" : "task-priority";

  it("makes a spec that lint, check of coverage and trace understand, and starts nothing", () => {
    const flow = makeFlow(layout, { "docs/prd.json": PRD });
    expect(flow.json(["import", "docs/prd.json"])).toMatchObject({
      code: 0,
      spec: name,
      format: "prd.json",
      tasks: 2,
      done: 1,
      withoutVerify: 0,
      requirements: 2,
    });
    expect(specsOf(flow)).toEqual([name]);
    const spec = join(flow.root, layout.specsDirs[0], name);
    expect(existsSync(join(spec, layout.stateFile))).toBe(false);
    expect(flow.json(["tasks", "lint", name])).toMatchObject({ code: 0 });
    const { problems, counts } = flow.json(["trace", name]) as unknown as {
      problems: { code: string }[];
      counts: { covered: number; required: number };
    };
    // The tick of the other tool proves nothing, and that is all that is wrong.
    expect(problems.map(({ code }) => code)).toEqual(["no-evidence"]);
    expect(counts.required).toBeGreaterThan(0);
    expect(counts.covered).toBe(counts.required);
    const notes = readFileSync(join(spec, ".progress.md"), "utf8");
    expect(notes).toMatch(
      /## Imported\n\nFrom docs\/prd\.json\. Not carried over:\n\n- the branch /,
    );
    expect(notes).toContain("Add priorities to tasks");
    expect(readFileSync(join(flow.root, "docs/prd.json"), "utf8")).toBe(PRD);
    if (layout.requirements.endsWith("/"))
      expect(flow.json(["check", "specs", "--spec", name])).toMatchObject({ code: 0 });
  });

  it("overwrites nothing, and can be given another name", () => {
    const flow = makeFlow(layout, { "prd.json": PRD });
    expect(flow.run(["import", "prd.json"]).code).toBe(0);
    expectRefusal(flow.run(["import", "prd.json"]), EXIT.refused, /already.*--name gives/);
    expectRefusal(
      flow.run(["import", "prd.json", "--name", "../x"]),
      EXIT.usage,
      /not a valid name/,
    );
    expect(flow.run(["import", "prd.json", "--name", "again"]).code).toBe(0);
    expect(specsOf(flow)).toHaveLength(2);
  });
});

describe("import", () => {
  it("says what to do about tasks that nothing proves", () => {
    const flow = makeFlow(specum, { "todo.md": "# Shop\n\n- [ ] Sell\n- [ ] Ship\n" });
    const { out } = flow.run(["import", "todo.md"]);
    expect(out).toContain(
      'Spec "shop" imported from a list of tasks into ./specs/shop: 2 tasks, 0 done',
    );
    expect(out).toMatch(
      /2 open tasks have no Verify.*`tasks lint`.*; then \/ralph-specum:implement shop/,
    );
    expect(readFileSync(join(flow.root, "specs/shop/tasks.md"), "utf8")).not.toContain("Verify");
  });

  it("writes nothing with --dry-run", () => {
    const flow = makeFlow(specum, { "prd.json": PRD });
    const { code, out } = flow.run(["import", "prd.json", "--dry-run"]);
    expect(code).toBe(0);
    expect(out).toContain("task-priority/tasks.md\n");
    expect(out).toContain("task-priority/requirements.md\n");
    expect(existsSync(join(flow.root, "specs"))).toBe(false);
  });

  it.each<[what: string, text: string, says: RegExp]>([
    ["broken JSON", "{", /it is not valid JSON/],
    ["other JSON", '{"a": 1}', /neither userStories nor tasks/],
    ["deep JSON", `${'{"tasks":['.repeat(20_000)}`, /cannot be imported/],
    ["nothing", "", /is empty/],
    ["bytes", "\0\0", /is not text/],
    [
      "more than anybody does",
      `[${'{"title":"x"},'.repeat(2500)}{"title":"x"}]`,
      /more than 2000 tasks/,
    ],
    ["a novel", `{"userStories":[{"title":"${"x".repeat(5 << 20)}"}]}`, /too long for a list/],
  ])("refuses %s in a line, and leaves nothing behind", (_, text, says) => {
    const flow = makeFlow(specum, { "list.json": text });
    expectRefusal(flow.run(["import", "list.json"]), EXIT.usage, says);
    expect(existsSync(join(flow.root, "specs"))).toBe(false);
  });

  it("follows no link out of the project, and an agent imports nothing from outside", () => {
    const flow = makeFlow(specum, {});
    fillFolder(join(flow.root, ".."), { "outside.json": PRD });
    symlinkSync(join(flow.root, "../outside.json"), join(flow.root, "inside.json"));
    expect(flow.run(["import", "inside.json"]).code).toBe(EXIT.broken);
    expectRefusal(
      flow.run(["import", "../outside.json"], IN_SESSION),
      EXIT.refused,
      /outside of the project/,
    );
    expect(specsOf(flow)).toEqual([]);
    expect(flow.run(["import", "../outside.json"]).code).toBe(0);
    const notes = readFileSync(join(flow.root, "specs/task-priority/.progress.md"), "utf8");
    expect(notes).toContain("From outside.json");
    expect(notes).not.toContain(flow.root);
  });

  it("runs as far as it can be run: the imported list is a list like any other", () => {
    const list = "# Demo\n\n- [ ] Make it\n  - Verify: `test -f made.txt`\n- [ ] Say so\n";
    const flow = makeFlow(specum, { "todo.md": list });
    flow.run(["import", "todo.md"]);
    expect(flow.slashJson(["implement", "demo"])).toMatchObject({ ok: true, total: 2 });
    expect(flow.json(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION)["code"]).toBe(
      EXIT.refused,
    );
    fillFolder(flow.root, { "made.txt": "" });
    expect(flow.json(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION)["code"]).toBe(0);
  });
});
