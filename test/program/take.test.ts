import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { holdSpec } from "../../src/runner/hold-spec.ts";
import { closeTrunk, openTrunk } from "../../src/runner/trees/open-trunk.ts";
import type { Trunk } from "../../src/runner/trees/trunk.ts";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { AT, commitIn, specIn } from "../support/trees.ts";
import { report } from "./claims.ts";
import { expectRefusal, makePlace, openPlace, type Place } from "./support.ts";

const FILES = {
  "specs/demo/tasks.md": `- [ ] 1.1 One
  - **Verify**: \`test -f one.txt\`
- [ ] 1.2 Two
  - **Verify**: \`test -f two.txt\`
`,
  "a.txt": "a\n",
};

interface Stage {
  readonly place: Place;
  readonly git: Repository;
  readonly trunk: Trunk;
  /** The program in the run's own work tree. */
  readonly inTree: Place;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A spec begun in a client; then a run in its own work tree does and proves the first of two tasks. */
function runOne(): Stage {
  const place = makePlace(specum, FILES);
  const home = place.env["HOME"] as string;
  const git = openRepository(place.root, home);
  git.git("init", "-q", "-b", "main");
  git.commit();
  expect(place.slash(["implement", "demo"]).code).toBe(EXIT.ok);
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", "");
  const trunk = openTrunk(specIn(place.root), AT);
  const inTree = openPlace(specum, trunk.top, trunk.spec.folder, home);
  commitIn(trunk.top, { "one.txt": "1\n" }, "feat: one");
  expect(report(inTree, "TASK_COMPLETE", "1.1").code).toBe(EXIT.ok);
  closeTrunk(trunk);
  return { place, git, trunk, inTree };
}

describe("take", () => {
  it("waits for nobody who has the spec, and takes nothing from them", async () => {
    const { place, trunk } = runOne();
    await holdSpec(trunk.home, "discard", () => {
      expect(place.run(["take", "--yes"])).toMatchObject({
        code: EXIT.refused,
        err: expect.stringMatching(/discard of "demo" is at work .*wait until it has ended/s),
      });
      expect(existsSync(trunk.top)).toBe(true);
    });
    expect(place.run(["take", "--yes"]).code).toBe(EXIT.ok);
  });

  it("takes an unfinished run, and a client continues it", () => {
    const { place, git, trunk } = runOne();
    // While the run has the spec, no client continues it in the user's tree.
    expect(place.stop().decision).toBeUndefined();
    expect(place.tasks()).toContain("- [ ] 1.1");
    const { code, out, err } = place.run(["take", "--yes"]);
    expect(err).toBe("");
    expect(out).toMatch(
      /^Took demo \(1 of 2 tasks done: 1 proven\): main is at [0-9a-f]{9} now, 2 commits further\. As a whole it has not passed in a clean checkout; smart-ralph prove demo checks it\.\n1 task to go: \S+ run demo, or \/ralph-specum:resume in a client\.\n$/,
    );
    expect(code).toBe(EXIT.ok);
    expect(place.tasks()).toContain("- [x] 1.1");
    expect(existsSync(trunk.top)).toBe(false);
    expect(git.git("branch", "--format=%(refname:short)")).toBe("main");

    const resumed = place.slash(["resume"]);
    expect(resumed.out).toContain("1.2");
    expect(place.stop()).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("1.2"),
    });
    git.commit({ "two.txt": "2\n" });
    expect(report(place, "TASK_COMPLETE", "1.2").code).toBe(EXIT.ok);
    expect(place.stop().decision).toBeUndefined();
    git.commit();
    const proof = place.json(["prove"]) as unknown as { specs: { tasks: { verdict: string }[] }[] };
    expect(proof.specs[0]?.tasks.map(({ verdict }) => verdict)).toEqual([
      "proven-again",
      "proven-again",
    ]);
  });

  it("can be undone, because the checkpoints come along", () => {
    const { place, git } = runOne();
    place.run(["take", "--yes"]);
    git.git("stash", "-q");
    git.git("stash", "drop", "-q");
    const undone = place.run(["undo", "1.1", "--yes", "--discard-changes"]);
    expect(undone.err).toBe("");
    expect(existsSync(join(place.root, "one.txt"))).toBe(false);
  });

  it("says that a merge is not verified", () => {
    const { place, git } = runOne();
    git.commit({ "mine.txt": "m" });
    const { out } = place.run(["take", "demo", "--yes"]);
    expect(out).toContain("smart-ralph prove demo checks it");
    expect(git.read("one.txt")).toBe("1\n");
  });

  it("refuses without a trace, and says what to do", () => {
    const { place, git } = runOne();
    const before = git.git("rev-parse", "HEAD");
    writeFileSync(join(place.root, "one.txt"), "mine\n");
    expectRefusal(
      place.run(["take", "--yes"]),
      EXIT.refused,
      /uncommitted changes in what the run changed: one\.txt/,
    );
    git.git("add", "one.txt");
    git.git("commit", "-q", "-m", "mine", "--", "one.txt");
    expectRefusal(
      place.run(["take", "--yes"]),
      EXIT.refused,
      /both changed one\.txt; nothing has changed/,
    );
    git.git("reset", "-q", "--hard", before);
    expect(place.json(["take", "--keep", "--yes"])).toMatchObject({
      ok: true,
      spec: "demo",
      how: "fast-forward",
      done: 1,
      total: 2,
    });
    expect(git.git("branch", "--list", "smart-ralph/demo")).not.toBe("");
  });

  it("of a run that is not finished is refused without a terminal, with the option that does it", () => {
    const { place, git, trunk } = runOne();
    const before = git.git("rev-parse", "HEAD");
    expectRefusal(
      place.run(["take"]),
      EXIT.refused,
      "1 of 2 tasks is done on branch smart-ralph/demo",
      "smart-ralph take demo --yes takes it as it is",
    );
    expect(git.git("rev-parse", "HEAD")).toBe(before);
    expect(existsSync(trunk.top)).toBe(true);
  });

  it("is refused to an agent", () => {
    const { place } = runOne();
    const { code, out, err } = place.run(["take"], {
      env: { CLAUDE_CODE_SESSION_ID: "session-1", CLAUDECODE: "1" },
    });
    expect(code).toBe(EXIT.refused);
    expect(out + err).toContain("only the user can run take");
    expect(place.tasks()).toContain("- [ ] 1.1");
  });

  it("has nothing to take if there was no run", () => {
    const place = makePlace(specum, FILES);
    const { code, out, err } = place.run(["take"]);
    expect(code).toBe(EXIT.missing);
    expect(out + err).toContain("no run has a branch to take here");
  });
});
