import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, makePlace } from "./support.ts";

const layout = specum;

const UNORDERED = `## Phase 1

- [ ] 1.1 Tidy up
- [ ] 1.2 [RISKY] Explore what might work
- [ ] 1.3 Use it, depends on 1.2
`;

describe("tasks", () => {
  it("list shows every task, by spec and by path", () => {
    const place = makePlace(layout);
    const list = place.json(["tasks", "list"]);
    expect(list).toMatchObject({
      ok: true,
      total: 3,
      done: 0,
      tasks: [
        {
          id: "1.1",
          title: "First",
          checked: false,
          tags: [],
          line: 5,
          phase: "Phase 1: Make it work",
        },
        { id: "1.2" },
        { id: "1.3", tags: ["VERIFY"] },
      ],
    });
    expect(place.json(["tasks", "list", "demo"])).toEqual(list);
    expect(place.json(["tasks", "list", join(place.folder, "tasks.md")])).toEqual(list);
  });

  it("show gives one task with its fields", () => {
    const place = makePlace(layout);
    expect(place.json(["tasks", "show", "1.1"])).toMatchObject({
      task: { id: "1.1", fields: { do: "the first thing" } },
    });
    expect(place.run(["tasks", "show", "1.1", "demo"]).out).toContain(
      "  - **Do**: the first thing\n",
    );
    expectRefusal(place.run(["tasks", "show", "9.9"]), 3, "9.9");
  });
});

describe("tasks lint", () => {
  it("passes a sound list and fails on errors, each with line and fix", () => {
    const place = makePlace(specum);
    expect(place.run(["tasks", "lint"]).code).toBe(0);
    const broken = makePlace(specum, {
      "specs/demo/tasks.md": "- [ ] 1.1 a\n- [ ] 1.1 b, depends on 7.7\n",
    });
    const { code, out } = broken.run(["tasks", "lint"]);
    expect(code).toBe(1);
    expect(out).toContain("specs/demo/tasks.md:2: error duplicate-id");
    expect(out).toContain("specs/demo/tasks.md:2: error unknown-dependency");
    expect(out).toContain("    → ");
    expect(broken.json(["tasks", "lint"])).toMatchObject({ code: 1, ok: false });
    const empty = makePlace(specum, { "specs/demo/tasks.md": "# Tasks\n" });
    expect(empty.run(["tasks", "lint"])).toMatchObject({ code: 1 });
  });

  it("ends with how many tasks there are, and how many have a command", () => {
    const place = makePlace(specum, {
      "specs/demo/tasks.md":
        "- [x] 1.1 a\n  - **Verify**: `npm test`\n-[ ] 1.2 b\n  - **Verify**: look at it\n- [ ] 1.3 c\n",
    });
    expect(place.run(["tasks", "lint"]).out.trimEnd().split("\n").at(-1)).toBe(
      "specs/demo/tasks.md: 3 tasks, 1 with a command; 0 errors, 3 other findings",
    );
    expect(place.json(["tasks", "lint"])).toMatchObject({ ok: true, tasks: 3, withCommand: 1 });
  });

  it("says what is missing", () => {
    const place = makePlace(specum);
    expectRefusal(place.run(["tasks", "lint", "nowhere"]), 3, "nowhere");
  });
});

describe("tasks prioritize", () => {
  const unordered = () => makePlace(specum, { "specs/demo/tasks.md": UNORDERED });

  it("shows what would move, and changes nothing", () => {
    const place = unordered();
    const { code, out } = place.run(["tasks", "prioritize"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^↑ 1\.2 \[RISKY\] Explore what might work\n↓ 1\.1 Tidy up$/m);
    expect(out).toContain("could be in a better order");
    expect(place.tasks()).toBe(UNORDERED);
    expect(place.run(["tasks", "prioritize", "--check"]).code).toBe(1);
  });

  it("writes the order, and a second run finds nothing to do", () => {
    const place = unordered();
    expect(place.run(["tasks", "prioritize", "--write"]).code).toBe(0);
    const after = place.tasks();
    expect(after.match(/1\.\d/g)?.slice(0, 1)).toEqual(["1.2"]);
    expect(after).not.toContain("> Uncertain");
    expect(place.run(["tasks", "prioritize", "--check"]).code).toBe(0);
    place.run(["tasks", "prioritize", "--write"]);
    expect(place.tasks()).toBe(after);
  });

  it("only suggests what words and files hint at", () => {
    const hints =
      "- [ ] 1.1 a\n- [ ] 1.2 Explore src/a.ts\n- [ ] 1.3 src/a.ts\n- [ ] 1.4 src/a.ts\n";
    const place = makePlace(specum, { "specs/demo/tasks.md": hints });
    const { code, out } = place.run(["tasks", "prioritize", "--check", "--write"]);
    expect({ code, out: out.trimEnd().split("\n") }).toEqual({
      code: 0,
      out: [
        "suggested: [BLOCKER] 1.2: 1.3 and 1.4 name src/a.ts after it",
        'suggested: [RISKY] 1.2: says "explore"',
        "specs/demo/tasks.md is in order",
      ],
    });
    expect(place.tasks()).toBe(hints);
    expect(place.json(["tasks", "prioritize"])).toMatchObject({
      moves: false,
      suggestions: [
        { id: "1.2", tag: "BLOCKER", reason: "1.3 and 1.4 name src/a.ts after it" },
        { id: "1.2", tag: "RISKY", reason: 'says "explore"' },
      ],
    });
    expect(place.run(["tasks", "prioritize", "--by-score", "--check"]).code).toBe(1);
  });

  it("by score, shows the sums, and says why in the file", () => {
    const place = unordered();
    const args = ["tasks", "prioritize", "--by-score"];
    expect(place.run(args).out).toMatch(/↑ .*1\.2 .*unblocks 1, uncertainty 3, impact 1, tags 4/);
    expect(place.run([...args, "--write"]).out).toContain("is rearranged");
    expect(place.tasks()).toContain('> Uncertain: says "explore" and "might"');
    expect(place.run([...args, "--write"]).out).toContain("is in order");
  });

  it("by score, tags to add are not a better order", () => {
    const tasks = "- [ ] 1.1 a\n- [ ] 1.2 depends on 1.1\n- [ ] 1.3 depends on 1.1\n";
    const place = makePlace(specum, { "specs/demo/tasks.md": tasks });
    const { code, out } = place.run(["tasks", "prioritize", "--by-score", "--check"]);
    expect(code).toBe(0);
    expect(out).toMatch(/is in order; --write adds tags and notes$/m);
    const written = place.run(["tasks", "prioritize", "--by-score", "--write"]);
    expect(written.out).toMatch(/keeps its order; ids, tags or notes are changed$/m);
    expect(place.tasks()).toContain("1.1 [BLOCKER] a\n  > Unblocks: 1.2, 1.3\n");
  });

  it("leaves a file alone that a link out of the project leads to", () => {
    const place = unordered();
    const outside = join(place.root, "../outside.md");
    renameSync(join(place.folder, "tasks.md"), outside);
    symlinkSync(outside, join(place.folder, "tasks.md"));
    expectRefusal(
      place.run(["tasks", "prioritize", "demo", "--write"]),
      4,
      "a link out of the project",
    );
    expect(readFileSync(outside, "utf8")).toBe(UNORDERED);
  });

  it("says that it wrote if only numbers changed", () => {
    const place = makePlace(specum, { "specs/demo/tasks.md": "- [ ] 1.2 a\n- [ ] 1.5 b\n" });
    const args = ["tasks", "prioritize", "--write", "--renumber"];
    expect(place.json(args)).toMatchObject({ written: true });
    expect(place.tasks()).toBe("- [ ] 1.1 a\n- [ ] 1.2 b\n");
    expect(place.json(args)).toMatchObject({ written: false });
  });

  it("names the lines that mention a renumbered task", () => {
    const tasks = "- [ ] 1.2 a\n- [ ] 1.5 b, like 1.2\n\nSee 1.5 and 1.2.\n";
    const args = ["tasks", "prioritize", "--write", "--renumber"];
    const { out } = makePlace(specum, { "specs/demo/tasks.md": tasks }).run(args);
    expect(out).toMatch(
      /These lines mention renumbered tasks; check them: \S+tasks\.md:2, \S+tasks\.md:4$/m,
    );
    const place = makePlace(specum, { "specs/demo/tasks.md": tasks });
    expect(place.json(args)).toMatchObject({
      mentions: [
        { line: 2, id: "1.2" },
        { line: 4, id: "1.5" },
        { line: 4, id: "1.2" },
      ],
    });
    expect(place.tasks()).toContain("See 1.5 and 1.2.");
  });

  it("renumbers tags and dependencies, but not what is unclear or under way", () => {
    const place = unordered();
    place.run(["tasks", "prioritize", "--write", "--renumber"]);
    expect(place.tasks()).toContain("- [ ] 1.1 [RISKY] Explore");
    expect(place.tasks()).toContain("depends on 1.1");
    place.slash(["implement"]);
    expectRefusal(place.run(["tasks", "prioritize", "--write", "--renumber"]), 1, "a run of");
    const twice = makePlace(specum, { "specs/demo/tasks.md": "- [ ] 1.1 a\n- [ ] 1.1 b\n" });
    expectRefusal(twice.run(["tasks", "prioritize", "--write", "--renumber"]), 1, "1.1");
  });

  it("uses the weights in the settings", () => {
    const place = makePlace(specum, {
      "specs/demo/tasks.md": UNORDERED,
      ".claude/ralph-specum.local.md": "---\nweight_uncertainty: 9\nweight_risky: -1\n---\n",
    });
    const plan = place.json(["tasks", "prioritize"]) as unknown as { tasks: { total: number }[] };
    expect(plan.tasks[1]?.total).toBe(3 + 27 + 1 - 1);
    expect(readFileSync(join(place.folder, "tasks.md"), "utf8")).toBe(UNORDERED);
  });
});

describe("tasks", () => {
  it("lists in a shell, begins nothing, and says how the phase begins", () => {
    const place = makePlace(layout);
    const { code, out } = place.run(["tasks"]);
    expect(code).toBe(0);
    expect(out).toContain("· 1.1 First");
    expect(out).toContain(`/${layout.plugin}:tasks in the client writes them again`);
    expect(place.json(["tasks", "demo"])).toMatchObject({ total: 3, done: 0 });
    expect(place.state()).toBeUndefined();
    rmSync(join(place.folder, "tasks.md"));
    const says = new RegExp(`does not exist; /${layout.plugin}:tasks in the client writes it`);
    expectRefusal(place.run(["tasks"]), EXIT.missing, says);
  });

  it("is the phase in a client, and with --write", () => {
    const typed = makePlace(layout);
    typed.slash(["tasks"]);
    expect(typed.state()).toMatchObject({ phase: "tasks" });
    const scripted = makePlace(layout);
    scripted.run(["tasks", "--write"]);
    expect(scripted.state()).toMatchObject({ phase: "tasks" });
  });
});
