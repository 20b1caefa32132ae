import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { GIT_ENV, type Repository } from "../support/repository.ts";
import { ordersFor, send } from "./agents.ts";
import { IDLE, report, tickByHand } from "./claims.ts";
import { begin, refusalOf, TWO } from "./commit-run.ts";
import { IN_SESSION, SESSION } from "./support.ts";

const layout = specum;

describe("a claim", () => {
  it("is accepted once its work is committed, with the very line that the refusal names", () => {
    const { place, write, git } = begin(TWO, {}, layout);
    write({ "a.txt": "1", "it's new/b c.txt": "2" });
    const refusal = refusalOf(place);
    expect(refusal).toMatch(/^1\.1 is not committed: a\.txt, "it's new\/b c\.txt"\. Run `git add/);
    const line = /Run `(.*)`, then report/.exec(refusal)?.[1] ?? "";
    execFileSync("sh", ["-c", line], {
      cwd: place.root,
      env: { PATH: process.env["PATH"], ...GIT_ENV },
    });
    expect(git("log", "-1", "--format=%s")).toBe("feat(demo): it's here");
    const commit = git("rev-parse", "HEAD");
    expect(report(place)["evidence"]).toMatchObject([{ commit, tree: "clean", outcome: "passed" }]);
  });

  it("names only what is missing if half of it is committed", () => {
    const { place, commit, write } = begin(TWO, {}, layout);
    commit({ "a.txt": "1" });
    write({ "b.txt": "2" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: b\.txt\./);
  });
});

describe("what its user has not committed", () => {
  const before = ({ write }: Repository): void => write({ "mine.txt": "new\n", "own.txt": "" });

  it("is not blamed on a task, and the evidence names it", () => {
    const { place, write, git } = begin(TWO, { before });
    write({ "mine.txt": "newer\n", "a.txt": "1" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: a\.txt\./);
    git("add", "a.txt");
    git("commit", "-q", "-m", "it");
    expect(report(place)["evidence"]).toMatchObject([
      { tree: "dirty", dirty: ["mine.txt", "own.txt"] },
    ]);
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
    expect(git("status", "--porcelain", "mine.txt", "own.txt")).toBe(" M mine.txt\n?? own.txt");
  });

  it("is not confused with what trying the Verify leaves behind", () => {
    const { place, commit, write } = begin(
      "- [ ] 1.1 a\n  - **Verify**: `touch log.txt && test -f a.txt`\n- [ ] 1.2 b\n",
    );
    commit({ "a.txt": "1" });
    // Committed with the rest, or not: it is nobody's.
    write({ "log.txt": "again" });
    expect(report(place)).toMatchObject({ ok: true });
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
  });

  it("is not held against a task that was added, either", () => {
    const { place, commit } = begin(TWO, { before, settings: "files: enforce" });
    const add = ["add", "First this", "--before", "1.1", "--files", "a.txt"];
    expect(place.run(add, IN_SESSION).code).toBe(0);
    expect(place.json(["undo", "1.1.1", "--discard-changes"], IN_SESSION)).toMatchObject({
      task: "1.1.1",
    });
    expect(report(place, IDLE, "1.1.1")).toMatchObject({ ok: true });
    commit({ "a.txt": "1" });
    expect(report(place)).toMatchObject({ ok: true });
  });
});

describe("the end of a spec", () => {
  it("waits for what earlier attempts left uncommitted", () => {
    const { place, write, commit, git } = begin();
    commit({ "a.txt": "1" });
    expect(report(place)).toMatchObject({ ok: true });
    // As if another tool had left it there before the next task was handed out.
    write({ "late.txt": "" });
    place.run(["fail", "1.2", "--reason", "no"]);
    place.stop();
    expect(refusalOf(place, "1.2")).toMatch(/^1\.2 is not committed: late\.txt\./);
    git("add", "late.txt");
    git("commit", "-q", "-m", "late");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
  });

  it("notices a commit that was taken back after its task was done", () => {
    const { place, commit, git } = begin();
    commit({ "a.txt": "1" });
    report(place);
    commit({ "b.txt": "2" });
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
    git("reset", "-q", "HEAD~1");
    const { decision, reason, systemMessage } = place.stop();
    expect(decision).toBe("block");
    expect(reason).toMatch(/last: 1\.2 is not committed: .*b\.txt/);
    expect(ordersFor(place, "1.2")).toMatch(/> 1\.2 is not committed: .*b\.txt/);
    expect(systemMessage).toContain("1.2 did not pass the check, so it is open again");
    git("add", "-A");
    git("commit", "-q", "-m", "again");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
  });

  it("is not held up by our own files, even where git tracks them", () => {
    const state = `specs/demo/${specum.stateFile}`;
    const { place, commit } = begin(TWO, {
      files: { [state]: "{}", "specs/.current-spec": "demo\n", "specs/demo/.progress.md": "# P\n" },
    });
    commit({ "a.txt": "1" });
    expect(report(place)).toMatchObject({ ok: true });
    place.stop();
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
  });
});

describe("members of a parallel group", () => {
  const GROUP = [1, 2]
    .map(
      (n) =>
        `- [ ] 1.${n} [P] Part ${n}\n  - **Files**: \`${n}.txt\`\n  - **Verify**: \`test -f ${n}.txt\`\n`,
    )
    .join("");

  it("answer for their own files while the other works, and the last one for the rest", () => {
    const { place, write, git } = begin(GROUP);
    write({ "1.txt": "", "2.txt": "", "both.txt": "" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: 1\.txt\. Run `git add -- 1\.txt &&/);
    git("add", "2.txt");
    git("add", "--", "1.txt");
    git("commit", "-q", "-m", "one", "--", "1.txt");
    expect(git("show", "--format=", "--name-only")).toBe("1.txt");
    expect(report(place)).toMatchObject({ ok: true });
    expect(refusalOf(place, "1.2")).toMatch(/^1\.2 is not committed: 2\.txt, both\.txt\./);
  });
});

describe("evidence", () => {
  it("says so where commits are not asked for", () => {
    const { place, write } = begin(TWO, { settings: "commit: off" });
    write({ "a.txt": "1" });
    expect(report(place)["evidence"]).toMatchObject([{ tree: "uncommitted", dirty: ["a.txt"] }]);
    const { ok, problems } = place.json(["trace", "--check"]);
    expect([ok, problems]).toMatchObject([false, [{ code: "uncommitted-evidence" }]]);
  });

  it("asks for commits all the same if the agent switches them off during the run", () => {
    const { place, write } = begin();
    write({ "a.txt": "1", "../.config/smart-ralph/ralph-specum.md": "---\ncommit: off\n---\n" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: a\.txt\./);
  });

  it("of a box that was ticked by hand is bound to a commit as well", () => {
    const { place, write } = begin();
    write({ "a.txt": "1" });
    tickByHand(place, "1.1");
    expect(place.stop({ session_id: SESSION }).reason).toContain(
      "last: 1.1 is not committed: a.txt.",
    );
    expect(ordersFor(place, "1.1")).toContain("> 1.1 is not committed: a.txt.");
    expect(place.tasks()).toContain("- [ ] 1.1 ");
  });
});

describe("a session that was killed", () => {
  const OTHER = { session_id: "session-2" };

  it("has its half-done work named to the next agent, and not taken for the user's", () => {
    const { place, write, git } = begin();
    expect(send(place, "1.1").denied).toBeUndefined();
    write({ "test.js": "half" });
    place.slash(["resume"], "session-2");
    expect(ordersFor(place, "1.1", OTHER)).toMatch(
      /1\.1 was started at \d{4}-\d\d-\d\d \d\d:\d\d UTC and not finished; uncommitted: test\.js/,
    );
    write({ "a.txt": "1" });
    git("add", "a.txt");
    git("commit", "-q", "-m", "it");
    const done = place.json(["done", "1.1", "--report", "TASK_COMPLETE"], {
      env: { CLAUDE_CODE_SESSION_ID: "session-2" },
    });
    expect(done["refusal"]).toMatch(/^1\.1 is not committed: test\.js\./);
  });

  it("leaves no member of a group with another's excuse", () => {
    const group = [1, 2].map((n) => `- [ ] 1.${n} [P] Part ${n}\n  - **Files**: \`${n}.txt\`\n`);
    const { place, write } = begin(group.join(""));
    write({ "2.txt": "half" });
    place.slash(["resume"], "session-2");
    expect(ordersFor(place, "1.2", OTHER)).toContain("1.2 was started at");
    const done = place.json(["done", "1.2", "--report", "TASK_COMPLETE"], {
      env: { CLAUDE_CODE_SESSION_ID: "session-2" },
    });
    expect(done["refusal"]).toMatch(/^1\.2 is not committed: 2\.txt\./);
  });

  it("is not mentioned where the task was reported on", () => {
    const { place, commit } = begin();
    commit({ "a.txt": "1" });
    report(place);
    writeFileSync(join(place.root, "x"), "");
    place.slash(["resume"], "session-2");
    for (const id of ["1.1", "1.2"])
      expect(ordersFor(place, id, OTHER)).not.toContain("1.1 was started");
  });
});
