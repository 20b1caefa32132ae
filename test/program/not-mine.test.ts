import { describe, expect, it } from "vitest";
import { ordersFor, send } from "./agents.ts";
import { IDLE, report } from "./claims.ts";
import { begin, refusalOf, TWO } from "./commit-run.ts";

const LEAVE =
  " If something is not yours, leave it and say `NOT_MINE: path, path` on a line of the report.";

describe("a file that is not the task's", () => {
  it("is not named if it was there when its first agent was started", () => {
    const { place, write, commit, git } = begin();
    write({ "late.txt": "theirs\n", "mine.txt": "theirs\n" });
    expect(send(place, "1.1").denied).toBeUndefined();
    write({ "a.txt": "1" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: a\.txt\./);
    git("add", "a.txt");
    git("commit", "-qm", "it");
    expect(report(place)).toMatchObject({ ok: true });
    // Nor is it a later task's, nor a change.
    expect(refusalOf(place, "1.2")).toContain("nothing has changed");
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
    commit();
  });

  it.each(["NOT_MINE: notes.txt", "I left notes.txt alone."])(
    "is left alone if the report says %j, and that is enough",
    (said) => {
      const { place, write, git } = begin();
      write({ "a.txt": "1", "notes.txt": "theirs\n" });
      const refusal = refusalOf(place);
      expect(refusal).toMatch(/^1\.1 is not committed: a\.txt, notes\.txt\./);
      expect(refusal).toContain(LEAVE);
      git("add", "a.txt");
      git("commit", "-qm", "it");
      expect(report(place, `${said}\nTASK_COMPLETE`)).toMatchObject({
        ok: true,
        notes: expect.arrayContaining([
          "left alone: notes.txt (uncommitted, not the task's)",
        ]) as string[],
        evidence: [{ tree: "dirty", dirty: ["notes.txt"] }],
      });
      expect(place.entries().find(({ event }) => event === "done")).toMatchObject({
        left: ["notes.txt"],
      });
      expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
      expect(place.stop().systemMessage).toContain("all 2 tasks done");
      expect(git("status", "--porcelain", "notes.txt")).toBe("?? notes.txt");
    },
  );

  it("need not be disowned again if something else is refused first, and the receipt still names it", () => {
    const { place, write, git } = begin();
    write({ "b.txt": "1", "notes.txt": "theirs\n" });
    git("add", "b.txt");
    git("commit", "-qm", "it");
    expect(refusalOf(place)).toContain("notes.txt");
    expect(report(place, "NOT_MINE: notes.txt\nTASK_COMPLETE")["refusal"]).toContain("failed");
    write({ "a.txt": "1" });
    git("add", "a.txt");
    git("commit", "-qm", "it");
    expect(report(place)["notes"]).toContain("left alone: notes.txt (uncommitted, not the task's)");
  });

  it("is not one that its Files name", () => {
    const { place, write } = begin(TWO.replace("Write it\n", "Write it\n  - **Files**: a.txt\n"));
    write({ "a.txt": "1" });
    const refusal = refusalOf(place);
    expect(refusal).not.toContain(LEAVE);
    expect(report(place, "NOT_MINE: a.txt\nTASK_COMPLETE")["refusal"]).toBe(refusal);
  });

  it("is not shown to the next agent as an attempt's once it is committed", () => {
    const { place, write, commit } = begin();
    write({ "half.txt": "1" });
    place.run(["fail", "1.1", "--reason", "no"]);
    place.stop();
    expect(ordersFor(place, "1.1")).toContain("Uncommitted from that attempt: half.txt");
    commit();
    expect(ordersFor(place, "1.1", { call: "again" })).not.toContain("Uncommitted from");
  });
});

describe("the last task", () => {
  it("answers for what an attempt left, and not for what its user wrote meanwhile", () => {
    const { place, write, git } = begin();
    write({ "left.txt": "" });
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: left\.txt\./);
    write({ "user.txt": "" });
    expect(place.slash(["accept", "1.1"]).code).toBe(0);
    write({ "a.txt": "1" });
    git("add", "a.txt");
    git("commit", "-qm", "it");
    expect(refusalOf(place, "1.2")).toMatch(/^1\.2 is not committed: left\.txt\./);
    git("add", "left.txt");
    git("commit", "-qm", "left");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
  });
});
