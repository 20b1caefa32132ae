import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { writeCheckpoint } from "../../src/git/checkpoint.ts";
import { openProject } from "../../src/store/project.ts";
import { specAt } from "../../src/store/spec.ts";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { expectRefusal, makePlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";
import { boxes, startRun, twoDone } from "./undo-run.ts";

describe("undo", () => {
  it("refuses on uncommitted changes, and names them", () => {
    const run = twoDone();
    run.write({ "src/a.ts": "mine", "src/one.ts": "mine" });
    const refused = [
      EXIT.refused,
      /src\/a\.ts, src\/one\.ts; commit or stash them, or add --discard-changes/,
    ] as const;
    expectRefusal(run.undo("1.2"), ...refused);
    expectRefusal(run.undo("1.2", "--yes"), ...refused);
    expect([run.read("src/a.ts"), boxes(run)]).toEqual(["mine", "xx "]);
    const { saved } = run.json(["undo", "1.2", "--yes", "--discard-changes"]) as unknown as {
      saved: string;
    };
    expect(run.read("src/a.ts")).toBe("1");
    expect(run.git("show", `${saved}:src/a.ts`)).toBe("mine");
  });

  it("resets no branch other than the run's own", () => {
    const run = twoDone();
    const main = run.git("rev-parse", "--abbrev-ref", "HEAD").trim();
    run.git("switch", "-q", "-c", "other");
    run.commit({ "src/other.ts": "1" });
    const head = run.git("rev-parse", "other");
    const refused = new RegExp(`was made on ${main}, and other is checked out; git switch ${main}`);
    expectRefusal(run.undo("1.2", "--yes"), EXIT.refused, refused);
    expect(run.git("rev-parse", "other")).toBe(head);
  });

  it("never overwrites a file that is not tracked, ignored or not", () => {
    const run = startRun(specum, {
      prepare({ write, git, commit }) {
        write({ ignored: "0" });
        git("add", "-f", "ignored");
        commit({ plain: "0", "dir/file": "0" });
      },
    });
    run.hand("1.1");
    run.git("rm", "-q", "--cached", "ignored", "plain");
    run.git("rm", "-q", "-r", "dir");
    run.git("commit", "-q", "-m", "untrack");
    run.write({ ignored: "mine", plain: "mine", dir: "a file now" });
    run.accept("1.1");
    expectRefusal(
      run.undo("1.1", "--yes"),
      EXIT.refused,
      /not tracked and would be overwritten: dir, ignored, plain; move them away/,
    );
    expect([run.read("ignored"), run.read("plain"), run.read("dir")]).toEqual([
      "mine",
      "mine",
      "a file now",
    ]);
    for (const name of ["ignored", "plain", "dir"]) rmSync(join(run.root, name));
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0 });
    expect([run.read("plain"), run.read("dir/file")]).toEqual(["0", "0"]);
  });

  it("does not write through a link in place of a folder", () => {
    const run = startRun(specum, { prepare: ({ commit }) => void commit({ "dir/file": "0" }) });
    const outside = makeFolder();
    run.hand("1.1");
    run.git("rm", "-q", "-r", "dir");
    run.git("commit", "-q", "-m", "remove");
    writeFileSync(join(outside, "file"), "precious");
    symlinkSync(outside, join(run.root, "dir"));
    expectRefusal(run.undo("1.1", "--yes"), EXIT.refused, /would be overwritten: dir;/);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("precious");
  });

  it("does not go to another branch's checkpoint", () => {
    const run = twoDone();
    run.git("checkout", "-q", "-b", "other", "HEAD~2");
    expectRefusal(
      run.undo("1.2", "--yes"),
      EXIT.refused,
      /is not in the history of what is checked out; check out/,
    );
    expect(run.git("log", "-1", "--format=%s")).toBe("before");
  });

  it("says so when a merge is in progress", () => {
    const run = twoDone();
    run.git("checkout", "-q", "-b", "side", "HEAD~1");
    run.commit({ "src/a.ts": "side" });
    run.git("checkout", "-q", "main");
    expect(() => run.git("merge", "side")).toThrow();
    expectRefusal(
      run.undo("1.1", "--yes", "--discard-changes"),
      EXIT.refused,
      /a merge is in progress; finish or abort/,
    );
  });

  it("leaves everything as it was if git cannot go back", () => {
    const run = twoDone();
    writeFileSync(join(run.root, ".git/index.lock"), "");
    const before = [run.tasks(), run.state(), run.entries().length];
    expectRefusal(
      run.undo("1.2", "--yes"),
      EXIT.broken,
      /git could not go back: .*index\.lock/,
      /the previous state is at/,
    );
    expect([run.tasks(), run.state(), run.entries().length]).toEqual(before);
    expect(run.read("src/a.ts")).toBe("2");
  });

  it("without a task lists the checkpoints", () => {
    const run = startRun();
    run.hand("1.1");
    expect(run.undo()).toEqual(run.undo("--list"));
  });

  it.each<[what: string, args: string[], code: number, says: RegExp]>([
    ["an unknown task", ["9.9"], EXIT.missing, /there is no task "9\.9"/],
    ["a task that was not handed out", ["1.3"], EXIT.missing, /there is no checkpoint of 1\.3/],
  ])("refuses %s", (_, args, code, says) => {
    const run = startRun();
    run.hand("1.1");
    expectRefusal(run.undo(...args), code, says);
  });

  it("says so outside git, before the first commit, and with a corrupt state", () => {
    const outside = makePlace(specum);
    expectRefusal(
      outside.run(["undo", "1.1"]),
      EXIT.missing,
      /is not in a git repository/,
      /clear the box/,
    );
    expect(outside.json(["undo", "--list"])).toMatchObject({ code: 0, checkpoints: [] });
    openRepository(outside.root, outside.root).git("init", "-q");
    expectRefusal(outside.run(["undo", "1.1"]), EXIT.missing, /git has no commit/);
    const run = twoDone();
    writeFileSync(join(run.folder, specum.stateFile), "{");
    expectRefusal(run.undo("1.2", "--yes"), EXIT.broken, /repair rebuilds it/);
    rmSync(join(run.folder, specum.stateFile));
    mkdirSync(join(run.folder, specum.stateFile));
    expectRefusal(run.undo("1.2", "--yes"), EXIT.broken, /cannot be used/);
    expect(boxes(run)).toBe("xx ");
  });

  it("does not go back to an older spec of the same name", () => {
    const run = startRun();
    const spec = specAt(openProject(specum, run.root), run.folder);
    writeCheckpoint(spec, "1.3", 1, "2020-01-01T00:00:00.000Z");
    run.commit({ "src/a.ts": "1" });
    expectRefusal(run.undo("1.3", "--yes"), EXIT.missing, /there is no checkpoint of 1\.3/);
  });
});
