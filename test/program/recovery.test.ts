import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { ordersFor, send } from "./agents.ts";
import { end, expectSilence } from "./claims.ts";
import { expectRefusal, IN_SESSION, makePlace, type Place, startPlace } from "./support.ts";

const recover = (layout = specum, files: Readonly<Record<string, string>> = {}): Place => {
  const place = makePlace(layout, files);
  expect(place.slash(["implement", "demo", "--recovery-mode"]).code).toBe(0);
  return place;
};

const fail = (place: Place, id: string, reason: string) =>
  place.json(["fail", id, "--reason", reason]);
const done = (place: Place, id: string) => place.json(["done", id, "--report", "TASK_COMPLETE"]);
const nextIds = (place: Place): string[] =>
  (place.json(["next"])["tasks"] as { id: string }[]).map((task) => task.id);
const progress = (place: Place): string => readFileSync(join(place.folder, ".progress.md"), "utf8");

describe("in recovery mode", () => {
  const layout = specum;
  it("fixes a failed task, tries it again, and gets to the end", () => {
    const place = recover(layout);
    expect(fail(place, "1.1", "no such table")).toMatchObject({
      code: 0,
      failed: 1,
      left: 4,
      repeated: false,
      fix: "1.1.1",
      notes: [],
    });
    expect(place.tasks()).toContain("- [ ] 1.1.1 [FIX 1.1] Fix: First\n");
    expect(place.state()).toMatchObject({
      totalTasks: 4,
      taskIndex: 1,
      fixTaskMap: {
        "1.1": { attempts: 1, fixTaskIds: ["1.1.1"], lastError: "no such table" },
      },
    });
    expect(progress(place)).toMatch(
      /^## Fix Task History\n\n- 1\.1\.1 \[FIX 1\.1\], after failure 1 of 5: no such table\n/m,
    );
    expect(place.entries().map(({ event }) => event)).toEqual([
      "start",
      "failed",
      "fix-added",
      "ready",
    ]);
    expect(place.stop().reason).toMatch(/\(Task 2\/4, Iter 2\)[\s\S]*\nTask 1\.1\.1 →/);
    expect(done(place, "1.1.1")).toMatchObject({ code: 0, next: ["1.1"] });
    expect(place.stop().reason).toMatch(/\nTask 1\.1 → [^\n]*\(attempt 2 of 5/);
    for (const id of ["1.1", "1.2"]) expect(done(place, id)).toMatchObject({ code: 0 });
    place.run(["done", "1.3", "--report", "VERIFICATION_PASS"]);
    expect(place.stop().systemMessage).toMatch(/all 4 tasks done/);
  });

  it("adds nothing for a failure that is reported twice", () => {
    const place = recover(layout);
    fail(place, "1.1", "no");
    const before = [place.tasks(), place.state(), place.entries(), progress(place)];
    expect(fail(place, "1.1", "no")).toMatchObject({ code: 0, repeated: true, fix: "1.1.1" });
    expect([place.tasks(), place.state(), place.entries(), progress(place)]).toEqual(before);
  });
});

describe("a check that does not pass", () => {
  const layout = specum;
  const TASKS =
    "- [x] 1.1 First\n- [ ] 1.2 [VERIFY] Criteria\n  - **Do**: read the code: each limit is kept\n- [ ] 1.3 Next\n";
  const REPORT = `${"Looked at each file, and this one is as it should be. ".repeat(20)}\n\nVERIFICATION_FAIL\nsrc/limit.ts:18 counts in seconds.`;
  const start = (): Place =>
    startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: TASKS });

  it("is fixed by an executor and checked again, without recovery mode", () => {
    const place = start();
    expect(send(place, "1.2", { agent: "qa-engineer" }).denied).toBeUndefined();
    const qa = { agent_type: `${layout.plugin}:qa-engineer`, last_assistant_message: REPORT };
    expectSilence(end(place, qa));
    // The coordinator passes it on in its own words.
    expect(fail(place, "1.2", "seconds")).toMatchObject({ repeated: true, fix: "1.2.1" });
    const { reason = "" } = place.stop();
    expect(reason).toContain(`Task 1.2.1 → ${layout.voice.agent("spec-executor")}: Fix: Criteria`);
    expect(ordersFor(place, "1.2.1")).toContain("VERIFICATION_FAIL src/limit.ts:18 counts in sec");
    expect(done(place, "1.2.1")).toMatchObject({ code: 0, next: ["1.2"] });
    const again = place.stop().reason ?? "";
    expect(again).toContain(`Task 1.2 → ${layout.voice.agent("qa-engineer")}: Criteria (attempt 2`);
    expect(again).toMatch(
      /; last: …\S.* VERIFICATION_FAIL src\/limit\.ts:18 counts in seconds\.\)/,
    );
    const orders = ordersFor(place, "1.2", { agent: "qa-engineer" });
    expect(orders).not.toContain("not accepted");
    expect(orders).toContain("It was checked before and did not pass; check all of it again:\n> ");
    expect(orders).toContain("src/limit.ts:18 counts in seconds.");
    place.run(["done", "1.2", "--report", "VERIFICATION_PASS"]);
    expect(nextIds(place)).toEqual(["1.3"]);
  });

  it("is fixed if the coordinator reports it", () => {
    const place = start();
    expect(fail(place, "1.2", REPORT)).toMatchObject({ failed: 1, fix: "1.2.1" });
    expect(place.tasks()).toContain("VERIFICATION_FAIL src/limit.ts:18 counts in seconds. Fix the");
  });
});

describe("fail in recovery mode", () => {
  it("says when there are no more fixes, and keeps counting", () => {
    const place = recover();
    for (const reason of ["a", "b", "c"]) fail(place, "1.1", reason);
    expect(place.run(["fail", "1.1", "--reason", "d"]).out).toBe(
      "Attempt 4 of 5 at 1.1 failed. End your turn to get it again. (1.1 has had its 3 fix tasks.)\n",
    );
    expect(place.run(["fail", "1.1", "--reason", "e"]).out).toMatch(
      /All 5 attempts at 1\.1 failed/,
    );
    expect(place.state()).toMatchObject({ totalTasks: 6, fixTaskMap: { "1.1": { attempts: 3 } } });
    expect(progress(place).match(/^- .*, after failure/gm)).toHaveLength(3);
    for (const id of ["1.1.1", "1.1.2", "1.1.3"]) done(place, id);
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining("task 1.1 failed in all 5 attempts (e)") as string,
    });
  });

  it("nests, and hands out the innermost first", () => {
    const place = recover();
    for (const id of ["1.1", "1.1.1", "1.1.1.1", "1.1.1.1.1"]) fail(place, id, `${id} broke`);
    expect(place.tasks().match(/\[FIX /g)).toHaveLength(3);
    expect(nextIds(place)).toEqual(["1.1.1.1.1"]);
    for (const id of ["1.1.1.1.1", "1.1.1.1", "1.1.1"]) done(place, id);
    expect(nextIds(place)).toEqual(["1.1"]);
  });

  it("in a parallel group fixes one and lets the others continue", () => {
    const tasks = "- [ ] 1.1 [P] a\n- [ ] 1.2 [P] b\n- [ ] 1.3 [P] c\n- [ ] 1.4 d\n";
    const place = recover(specum, { "specs/demo/tasks.md": tasks });
    fail(place, "1.2", "no");
    expect(nextIds(place)).toEqual(["1.1", "1.2.1", "1.3"]);
    for (const id of ["1.1", "1.3", "1.2.1"]) done(place, id);
    expect(nextIds(place)).toEqual(["1.2"]);
  });

  it("keeps what .progress.md says, and survives one that it cannot write", () => {
    const place = recover(specum, { "specs/demo/.progress.md": "# Notes\n\nkeep\n" });
    fail(place, "1.1", "a");
    expect(progress(place)).toMatch(/^# Notes\n\nkeep\n\n[^]*\n## Fix Task History\n\n- 1\.1\.1 /);

    const folder = recover();
    rmSync(join(folder.folder, ".progress.md"));
    mkdirSync(join(folder.folder, ".progress.md"));
    expect(fail(folder, "1.1", "a")).toMatchObject({
      code: 0,
      fix: "1.1.1",
      notes: [expect.stringMatching(/\.progress\.md cannot be used/) as string],
    });

    const linked = recover();
    const outside = join(linked.env["HOME"] as string, "outside.md");
    writeFileSync(outside, "theirs");
    rmSync(join(linked.folder, ".progress.md"));
    symlinkSync(outside, join(linked.folder, ".progress.md"));
    expect(fail(linked, "1.1", "a")["notes"]).toEqual([
      expect.stringMatching(/link out of the project/),
    ]);
    expect(readFileSync(outside, "utf8")).toBe("theirs");
  });

  it("adds no fix without recovery mode", () => {
    const place = startPlace(specum);
    expect(fail(place, "1.1", "no")).toMatchObject({ fix: null, notes: [] });
    expect(place.tasks()).not.toContain("FIX");
  });
});

describe("split", () => {
  const parts = ["--into", "the parser", "--into", "its tests"];

  it("and add say at once what to start", () => {
    const place = startPlace(specum);
    expect(place.run(["split", "1.1", ...parts], IN_SESSION).out).toMatch(
      /^1\.1 is split into 1\.1\.1, 1\.1\.2\.\nStart this agent, with the prompt "1\.1\.1":\nTask 1\.1\.1 → /,
    );
    expect(place.run(["add", "Set up", "--before", "1.1.1"], IN_SESSION).out).toContain(
      "Start this agent",
    );
  });

  it("hands out the parts, then the whole", () => {
    const place = startPlace(specum);
    expect(place.run(["split", "1.1", ...parts, "--reason", "too large"]).out).toBe(
      "1.1 is split into 1.1.1, 1.1.2. Next is 1.1.1; the run does it at its next turn.\n",
    );
    expect(place.json(["split", "1.1", ...parts])).toMatchObject({
      code: 0,
      already: true,
      added: ["1.1.1", "1.1.2"],
      total: 5,
    });
    expect(place.entries().map(({ event }) => event)).toEqual(["start", "split", "ready"]);
    expect(place.state()).toMatchObject({
      totalTasks: 5,
      modificationMap: { "1.1": { count: 1, modifications: [{ reason: "too large" }, {}] } },
    });
    for (const id of ["1.1.1", "1.1.2", "1.1"]) {
      expect(nextIds(place)).toEqual([id]);
      done(place, id);
    }
    expect(nextIds(place)).toEqual(["1.2"]);
  });

  it.each<[argv: string[], code: number, says: RegExp]>([
    [["split", "1.1"], EXIT.usage, /split needs 2 to 5 different parts, not 0/],
    [["split", "1.1", "--into", "a"], EXIT.usage, /not 1/],
    [["split", "1.1", "--into", "a", "--into", "a"], EXIT.usage, /the same one twice/],
    [["split", "1.1", "--into", "a", "--into", " "], EXIT.usage, /--into is empty/],
    [
      ["split", "1.1", ..."abcdef".split("").flatMap((part) => ["--into", part])],
      EXIT.usage,
      /not 6/,
    ],
    [["split", "9.9", ...parts], EXIT.missing, /there is no task "9\.9"/],
    [["add", "more"], EXIT.usage, /either --before <task> or --after <task>/],
    [["add", "more", "--before", "1.1", "--after", "1.1"], EXIT.usage, /either --before/],
    [["add", "--before", "1.1"], EXIT.usage, /add needs <title>/],
    [["add", " ", "--before", "1.1"], EXIT.usage, /<title> is empty/],
    [["add", "more", "--after", "1.1", "--verify", "a\nb"], EXIT.usage, /--verify takes one line/],
    [["add", "more", "--before", "9.9"], EXIT.missing, /there is no task "9\.9"/],
  ])("%j is refused in one line", (argv, code, says) => {
    const place = startPlace(specum);
    const before = [place.tasks(), place.state(), place.entries()];
    expectRefusal(place.run(argv), code, says);
    expect([place.tasks(), place.state(), place.entries()]).toEqual(before);
  });

  it("and add are refused at the limit", () => {
    const place = startPlace(specum);
    const add = (title: string) => place.json(["add", title, "--after", "1.1"]);
    for (const title of ["a", "b", "c"]) expect(add(title).code).toBe(0);
    const before = place.tasks();
    expect(add("d")).toEqual({
      code: EXIT.refused,
      ok: false,
      task: "1.1",
      refusal:
        "1.1 has been changed 3 times, which is the limit: do it as it is, or report it with fail.",
    });
    expect(place.json(["split", "1.1", ...parts]).code).toBe(EXIT.refused);
    expect(place.tasks()).toBe(before);
  });
});

describe("add", () => {
  it("puts a task with its fields before another, which waits for it", () => {
    const place = startPlace(specum);
    const fields = [
      "--do",
      "- the\n  schema",
      "--files",
      "db/schema.sql",
      "--verify",
      "echo `id`",
    ].concat(["--requirements", "FR-1, AC-1.2"]);
    expect(place.json(["add", "Create the table", "--before", "1.2", ...fields])).toMatchObject({
      code: 0,
      added: ["1.2.1"],
      total: 4,
      next: ["1.1"],
    });
    expect(place.tasks()).toContain(
      "- [ ] 1.2.1 Create the table\n  - **Do**: - the schema\n  - **Files**: db/schema.sql\n  - **Verify**: `` echo `id` ``\n  - **Requirements**: FR-1, AC-1.2\n- [ ] 1.2 Second\n",
    );
    expect(place.entries().at(-1)).toMatchObject({
      event: "added",
      task: "1.2",
      note: "1.2.1: before: Create the table",
    });
    done(place, "1.1");
    expect(nextIds(place)).toEqual(["1.2.1"]);
  });

  it("runs the Verify that it was given", () => {
    const place = startPlace(specum);
    place.run(["add", "Check", "--before", "1.1", "--verify", "exit 3"]);
    expect(done(place, "1.1.1")).toMatchObject({ code: EXIT.refused });
  });

  it("needs a run", () => {
    expectRefusal(
      makePlace(specum).run(["add", "more", "--before", "1.1"]),
      EXIT.missing,
      /spec "demo" is not running/,
    );
  });
});
