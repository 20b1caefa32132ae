import { describe, expect, it } from "vitest";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { claimsCompletion, judgeClaim } from "./judge-claim.ts";

const list = parseTasks("- [x] 1.1 one\n- [ ] 1.2 two\n- [ ] 1.3 [VERIFY] three\n- [x] 1.4 four\n");
const claim = (report: string, more: object = {}) =>
  judgeClaim({
    task: list.tasks[1] as Task,
    report,
    list,
    ticked: 2,
    peers: [],
    uncommitted: [],
    outside: [],
    ...more,
  });

describe("a claim is refused", () => {
  it.each([
    ["This requires manual testing.\n\nTASK_COMPLETE", "requires manual"],
    ["I could not complete the second half.\n\nTASK_COMPLETE", "could not complete"],
    ["It couldn't be completed.\n\nTASK_COMPLETE", "couldn't be complete"],
    ["Unable to complete step 3.\n\nTASK_COMPLETE", "Unable to complete"],
    ["This needs human intervention.\n\nTASK_COMPLETE", "needs human intervention"],
  ])("when it contradicts itself: %j", (report, phrase) => {
    expect(claim(report)).toContain(`"${phrase}"`);
  });

  it.each(["All done!", "TASK_COMPLETE is what I would say.", "```\nTASK_COMPLETE\n```", ""])(
    "without the signal: %j",
    (report) => expect(claim(report)).toContain("does not say TASK_COMPLETE"),
  );

  it("in git's own words, if it could not be committed for the agent", () => {
    const why = claim("TASK_COMPLETE", { uncommitted: ["a.ts"], fault: "fatal: no space left" });
    expect(why).toMatch(/a\.ts\. We tried, and git said "fatal: no space left"\. Run `git add/);
  });

  it("when files of the spec are not committed", () => {
    expect(claim("TASK_COMPLETE", { uncommitted: ["design.md"] })).toContain("design.md");
  });

  it("and offers to disown only what may be somebody else's", () => {
    const uncommitted = ["a.ts"];
    expect(claim("TASK_COMPLETE", { uncommitted })).toContain("say `NOT_MINE: path, path`");
    const edited = new Set(uncommitted);
    expect(claim("TASK_COMPLETE", { uncommitted, edited })).not.toContain("NOT_MINE");
  });

  it("when nothing has changed, unless it says why", () => {
    const isUnchanged = true;
    expect(claim("TASK_COMPLETE", { isUnchanged })).toContain("nothing has changed since");
    expect(claim("NO_CHANGE: 1.1 did it\nTASK_COMPLETE", { isUnchanged })).toBeUndefined();
    expect(claim("Hm.", { isUnchanged })).toContain("does not say TASK_COMPLETE");
  });

  it("when a link takes the place of a file", () => {
    const links = [
      { name: "a.ts", target: "/tmp/a.ts", isOutside: true },
      { name: "b.ts", target: "dist/b.ts", isOutside: false },
    ];
    expect(claim("TASK_COMPLETE", { links })).toBe(
      "1.2 made a.ts a link to /tmp/a.ts, which is outside of the repository or an absolute path: a commit would not have it. The same goes for b.ts. Put the file itself there, or link to a file that is committed, then report again.",
    );
    expect(claim("TASK_COMPLETE", { links: links.slice(1) })).toContain(
      "b.ts a link to dist/b.ts, which git does not track",
    );
  });

  it("when it changed files that it does not name, if that is enforced", () => {
    expect(claim("TASK_COMPLETE", { outside: ["src/other.ts"] })).toContain("src/other.ts");
  });

  it("when Other boxes are ticked that nobody reported, and names them", () => {
    expect(claim("TASK_COMPLETE", { ticked: 1 })).toContain("1.4");
    expect(claim("TASK_COMPLETE", { ticked: null })).toBeUndefined();
    // An agent that works at the same time ticked its own box, and has yet to report.
    expect(claim("TASK_COMPLETE", { ticked: 1, peers: ["1.4"] })).toBeUndefined();
  });

  it("for a [VERIFY] task without its own signal", () => {
    const ready = parseTasks("- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 [VERIFY] three\n");
    const task = ready.tasks[2] as Task;
    expect(claim("Looks fine.", { task, list: ready })).toContain("VERIFICATION_PASS");
    expect(claim("VERIFICATION_PASS", { task, list: ready })).toBeUndefined();
    expect(claim("VERIFICATION_FAIL", { task, list: ready })).toContain("VERIFICATION_FAIL");
    expect(claim("TASK_COMPLETE", { task, list: ready })).toContain("VERIFICATION_PASS");
  });

  it("before its turn: a check with open tasks before it, a task with an open fix or part", () => {
    expect(claim("VERIFICATION_PASS", { task: list.tasks[2] })).toContain("1.3 waits for 1.2");
    const fixed = parseTasks("- [ ] 1.1 one\n- [ ] 1.1.1 [FIX 1.1] fix\n");
    expect(claim("TASK_COMPLETE", { task: fixed.tasks[0], list: fixed, ticked: 0 })).toContain(
      "1.1 waits for 1.1.1",
    );
  });
});

it("is accepted when it says so and nothing speaks against it", () => {
  expect(claim("Added it.\n\n**TASK_COMPLETE**")).toBeUndefined();
});

it("knows a claim of either agent", () => {
  expect([claimsCompletion("TASK_COMPLETE"), claimsCompletion("VERIFICATION_PASS")]).toEqual([
    true,
    true,
  ]);
  expect(claimsCompletion("VERIFICATION_FAIL")).toBe(false);
});
