import { execSync } from "node:child_process";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { entryOf } from "../../test/support/journal.ts";
import { AT, commitIn, makeGround } from "../../test/support/trees.ts";
import { formatEntry } from "../run/journal-lines.ts";
import { renderAside } from "./aside-line.ts";
import type { Job } from "./jobs.ts";
import { noteStart, rewindTo } from "./trees/attempt-start.ts";
import { keepHalfDone } from "./trees/half-done.ts";
import { openTrunk } from "./trees/open-trunk.ts";
import { openTaskTree } from "./trees/task-tree.ts";
import type { Trunk } from "./trees/trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const JOB = { id: "1.1", attempt: 1 } as Job;

/** Commits half of it in two commits, and leaves only notes uncommitted. */
function leaveHalf(top: string): void {
  commitIn(top, { "one.txt": "the first half\n" }, "one");
  commitIn(top, { "two.txt": "the second half\n" }, "two");
  writeFileSync(join(top, "specs/demo/.progress.md"), "- only a note\n");
}

/** What the command shows that the next agent is told. */
function shownIn(top: string, { spec }: Trunk): string {
  const [line = ""] = renderAside(spec, JOB);
  const command = /`(.+)`/.exec(line)?.[1] ?? "false";
  return execSync(command, { cwd: top, encoding: "utf8" });
}

describe("the unfinished work of an earlier attempt", () => {
  it("is all shown by the command that its next agent is told, also once others were merged", () => {
    const trunk = openTrunk(makeGround().home, AT);
    noteStart(trunk.spec, JOB);
    leaveHalf(trunk.top);
    rewindTo(trunk.spec, "1.1");
    commitIn(trunk.top, { "other.txt": "another task's\n" }, "other");
    const shown = shownIn(trunk.top, trunk);
    expect(shown).toContain("+the first half");
    expect(shown).toContain("+the second half");
    expect(shown).not.toContain("another task's");
  });

  it("is shown so in a task's own tree", () => {
    const trunk = openTrunk(makeGround().home, AT);
    leaveHalf(openTaskTree(trunk, "1.1", 1).top);
    commitIn(trunk.top, { "other.txt": "another task's\n" }, "other");
    const { top } = openTaskTree(trunk, "1.1", 2);
    const shown = shownIn(top, trunk);
    expect(shown).toContain("+the first half");
    expect(shown).not.toContain("another task's");
  });

  it("is not mentioned once the tree has the same", () => {
    const trunk = openTrunk(makeGround().home, AT);
    noteStart(trunk.spec, JOB);
    leaveHalf(trunk.top);
    rewindTo(trunk.spec, "1.1");
    commitIn(trunk.top, { "one.txt": "the first half\n" }, "one");
    expect(renderAside(trunk.spec, JOB)).toHaveLength(1);
    commitIn(trunk.top, { "two.txt": "the second half\n" }, "two");
    expect(renderAside(trunk.spec, JOB)).toEqual([]);
  });

  it("is shown to the task that was out when `take` kept it, and to no other", () => {
    const trunk = openTrunk(makeGround().home, AT);
    const entry = entryOf("delegated", "1.1", { at: "2020-01-01T00:00:00.000Z" });
    appendFileSync(trunk.spec.journal, formatEntry(entry));
    writeFileSync(join(trunk.top, "half.txt"), "the half\n");
    keepHalfDone(trunk);
    rmSync(join(trunk.top, "half.txt"));
    expect(shownIn(trunk.top, trunk)).toContain("+the half");
    expect(renderAside(trunk.spec, { ...JOB, id: "1.2" })).toEqual([]);
  });

  it("is not mentioned if there is none", () => {
    expect(renderAside(openTrunk(makeGround().home, AT).spec, JOB)).toEqual([]);
  });
});
