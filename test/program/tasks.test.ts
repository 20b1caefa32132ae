import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, makePlace, startPlace } from "./support.ts";

const layout = specum;

const REPORT = "It works.\n\nTASK_COMPLETE\n";
const report = (text: string): string[] => ["--report", text];

describe(specum.plugin, () => {
  it("next shows the next task", () => {
    const place = startPlace(layout);
    const { code, out } = place.run(["next"]);
    expect(code).toBe(0);
    expect(out).toBe(
      `## Task 1.1 → ${layout.plugin}:spec-executor\n- [ ] 1.1 First\n  - **Do**: the first thing\n`,
    );
    expect(place.json(["next"])).toMatchObject({
      ok: true,
      spec: "demo",
      open: 3,
      total: 3,
      tasks: [{ id: "1.1", agent: "spec-executor", attempt: 1 }],
      exhausted: [],
    });
  });

  it("done ticks, advances, and can be repeated", () => {
    const place = startPlace(layout);
    const { code, out } = place.run(["done", "1.1", "--report", "-"], { input: REPORT });
    expect({ code, out }).toEqual({
      code: 0,
      out: "1.1 is done, 1 of 3. Next is 1.2; end your turn to get it.\n",
    });
    const after = place.tasks();
    expect(after).toContain("- [x] 1.1 First\n");
    expect(place.state()).toMatchObject({ taskIndex: 1, taskIteration: 1 });
    const entries = place.entries().length;
    expect(place.json(["done", "1.1", ...report(REPORT)])).toEqual({
      code: 0,
      ok: true,
      task: "1.1",
      already: true,
    });
    expect(place.json(["done", "1.1"])).toMatchObject({ code: 0, already: true });
    expect(place.tasks()).toBe(after);
    expect(place.entries()).toHaveLength(entries);
  });

  it("done takes a run to its end, and survives a late repetition", () => {
    const place = startPlace(layout);
    for (const id of ["1.1", "1.2"])
      expect(place.json(["done", id, ...report(REPORT)]).code).toBe(0);
    const last = place.run(["done", "1.3", ...report("VERIFICATION_PASS")]);
    expect(last.out).toMatch(/All 3 tasks are done\. Say ALL_TASKS_COMPLETE/);
    expect(place.json(["next"])).toMatchObject({ ok: true, open: 0, tasks: [] });
    expect(place.stop({ last_assistant_message: "ALL_TASKS_COMPLETE" })).toEqual({
      systemMessage: expect.stringContaining("all 3 tasks done") as string,
    });
    expect(place.state()).toBeUndefined();
    expect(place.json(["done", "1.3", ...report(REPORT)])).toMatchObject({
      code: 0,
      already: true,
    });
  });

  it("done takes a report that begins with a dash", () => {
    const place = startPlace(layout);
    expect(place.json(["done", "1.1", ...report("- did it\n\nTASK_COMPLETE")])).toMatchObject({
      code: 0,
    });
  });

  it("fail counts an attempt, once for one failure", () => {
    const place = startPlace(layout);
    const fail = (reason: string) => place.json(["fail", "1.1", "--reason", reason]);
    expect(fail("no test")).toMatchObject({
      code: 0,
      ok: true,
      failed: 1,
      left: 4,
      repeated: false,
    });
    expect(fail("no test")).toMatchObject({ code: 0, failed: 1, left: 4, repeated: true });
    expect(place.entries().filter(({ event }) => event === "failed")).toHaveLength(1);
    expect(fail("- still none\nat all")).toMatchObject({ failed: 2, left: 3, repeated: false });
    expect(place.state()).toMatchObject({ taskIteration: 3 });
    expect(place.json(["next"])).toMatchObject({ tasks: [{ id: "1.1", attempt: 3 }] });
    for (const reason of ["a", "b"]) fail(reason);
    expect(place.run(["fail", "1.1", "--reason", "c"]).out).toMatch(
      /All 5 attempts at 1\.1 failed/,
    );
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining("failed in all 5 attempts (c)") as string,
    });
    expect(place.stop()).toEqual({});
  });

  it("fail refuses a task that is ticked", () => {
    const place = startPlace(layout);
    place.run(["done", "1.1", ...report(REPORT)]);
    expect(place.json(["fail", "1.1", "--reason", "x"])).toMatchObject({
      code: EXIT.refused,
      ok: false,
    });
  });
});

describe("done and fail", () => {
  it.each([
    ["1.1", "It works.", /does not say TASK_COMPLETE on a line of its own/],
    ["1.1", "I will say TASK_COMPLETE later.", /does not say TASK_COMPLETE/],
    ["1.1", "", /does not say TASK_COMPLETE/],
    ["1.1", `It requires manual steps.\n${REPORT}`, /claims completion but says "requires manual"/],
    ["1.3", "VERIFICATION_FAIL", /VERIFICATION_(?:PASS|FAIL)/],
  ])("done refuses %s with the report %j", (id, text, says) => {
    const place = startPlace(specum);
    const before = place.tasks();
    const ran = place.run(["done", id, ...report(text)]);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: EXIT.refused, err: "" });
    expect(ran.out).toMatch(says);
    expect(place.json(["done", id, ...report(text)])).toMatchObject({
      code: EXIT.refused,
      ok: false,
      task: id,
    });
    expect(place.tasks()).toBe(before);
    expect(place.entries().at(-1)).toMatchObject({ event: "refused", task: id });
  });

  it.each<[argv: string[], code: number, says: RegExp]>([
    [
      ["done", "9.9", ...report(REPORT)],
      EXIT.missing,
      /there is no task "9\.9" in tasks\.md; open tasks: 1\.1, 1\.2, 1\.3/,
    ],
    [["fail", "9.9", "--reason", "x"], EXIT.missing, /there is no task "9\.9"/],
    [["done", "1.1"], EXIT.usage, /done 1\.1 needs --report; pass on what the executor reported/],
  ])("%j is refused in one line", (argv, code, says) => {
    const place = startPlace(specum);
    const before = place.entries();
    expectRefusal(place.run(argv), code, says);
    expect(place.entries()).toEqual(before);
  });

  it.each([["next"], ["done", "1.1", ...report(REPORT)], ["fail", "1.1", "--reason", "x"]])(
    "%s needs a run",
    (...argv) => {
      const place = makePlace(specum);
      expectRefusal(
        place.run(argv),
        EXIT.missing,
        /spec "demo" is not running; start it with ralph-specum implement demo/,
      );
      expect(place.tasks()).not.toContain("[x]");
    },
  );

  it.each([
    ["next"],
    ["done", "1.1", ...report(REPORT)],
    ["fail", "1.1", "--reason", "x"],
    ["pause"],
    ["approve"],
  ])("%s names a corrupt state and how to fix it", (...argv) => {
    const place = makePlace(specum, { "specs/demo/.ralph-state.json": "{" });
    expectRefusal(
      place.run(argv),
      EXIT.broken,
      /\.\/specs\/demo\/\.ralph-state\.json cannot be used: it is not valid JSON; ralph-specum repair rebuilds it/,
    );
  });

  it.each([["next"], ["done", "1.1", ...report(REPORT)], ["fail", "1.1", "--reason", "x"]])(
    "%s names a tasks.md that is lost",
    (...argv) => {
      const place = startPlace(specum);
      rmSync(join(place.folder, "tasks.md"));
      expectRefusal(place.run(argv), EXIT.missing, /tasks\.md does not exist/);
    },
  );

  it("done changes no other byte of tasks.md", () => {
    const bytes = Buffer.from(
      "* [ ] 1.1 caf\u00e9\r\n\t- [ ] step\r\n\r\n```\n- [ ] 1.1 no\n```",
      "latin1",
    );
    const place = makePlace(specum);
    writeFileSync(join(place.folder, "tasks.md"), bytes);
    place.run(["implement"]);
    expect(place.json(["done", "1.1", ...report(REPORT)])).toMatchObject({ code: 0, open: 0 });
    const text = bytes.toString("latin1").replace("* [ ] 1.1", "* [x] 1.1");
    expect(readFileSync(join(place.folder, "tasks.md")).toString("latin1")).toBe(text);
  });

  it("a parallel group comes together, and shrinks as it is done", () => {
    const tasks = "- [ ] 1.1 [P] a\n- [ ] 1.2 [P] b\n- [ ] 1.3 [P] c\n- [ ] 1.4 d\n";
    const place = startPlace(specum, { "specs/demo/tasks.md": tasks });
    expect(place.state()).toMatchObject({ parallelGroup: { taskIndices: [0, 1, 2] } });
    expect(place.json(["done", "1.2", ...report(REPORT)])).toMatchObject({ next: ["1.1", "1.3"] });
    expect(place.json(["fail", "1.3", "--reason", "x"])).toMatchObject({ failed: 1 });
    expect(place.json(["done", "1.1", ...report(REPORT)])).toMatchObject({ next: ["1.3"] });
    expect(place.json(["next"])).toMatchObject({ tasks: [{ id: "1.3", attempt: 2 }] });
  });
});
