import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { ODD_NAMES, openRepository } from "../support/repository.ts";
import { expectRefusal, makePlace, openPlace, TASKS } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";
import { boxes, openRun, type Run, startRun, twoDone } from "./undo-run.ts";

const layout = specum;

describe("undo", () => {
  it("says what it would do, and does nothing without --yes", () => {
    const run = twoDone(layout);
    const [head, entries, refs] = [run.git("rev-parse", "HEAD"), run.entries().length, run.refs()];
    const { code, out, err } = run.undo("1.2");
    expect({ code, err }).toEqual({ code: EXIT.refused, err: "" });
    expect(out).toMatch(
      /^This would take the project back to where it was when 1\.2 was first handed out/,
    );
    expect(out).toContain("refs/smart-ralph/demo/1.2/1");
    expect(out).toMatch(/commits taken back: 1\n {4}[0-9a-f]{9} feat: two\n/);
    expect(out).toContain("files removed (they did not exist then): src/two.ts\n");
    expect(out).toContain("boxes cleared: 1.2\n");
    expect(out).toContain("saved at refs/smart-ralph/undone/<time>");
    expect(out).toMatch(/Nothing is done yet; add --yes to do it\.\n$/);
    expect(run.json(["undo", "1.1"])).toMatchObject({
      code: EXIT.refused,
      ok: false,
      task: "1.1",
      commits: [{ subject: "feat: two" }, { subject: "feat: one" }],
      cleared: ["1.1", "1.2"],
      saved: null,
    });
    expect(run.git("rev-parse", "HEAD")).toBe(head);
    expect([run.entries().length, run.refs(), boxes(run)]).toEqual([entries, refs, "xx "]);
  });

  it("starts nothing: the run that had stopped is still stopped", () => {
    const run = twoDone(layout);
    expect(run.json(["status"])["standing"]).toBe("running");
    for (let i = 0; i < 5; i++) run.stop();
    expect(run.json(["status"])["standing"]).toBe("stopped");
    expect(run.undo("1.2", "--yes").code).toBe(EXIT.ok);
    expect(run.json(["status"])).toMatchObject({
      standing: "stopped",
      todo: `/${layout.plugin}:resume continues`,
    });
    run.slash(["resume"]);
    expect(run.json(["status"])["standing"]).toBe("running");
  });

  it("takes files and boxes back with --yes, and the run continues from there", () => {
    const run = twoDone(layout);
    run.write({ untracked: "mine", ignored: "mine too" });
    const head = run.git("rev-parse", "HEAD");
    const answer = run.json(["undo", "1.2", "--yes"]);
    expect(answer).toMatchObject({ code: 0, ok: true, cleared: ["1.2"], next: ["1.2"] });
    expect(run.git("log", "--format=%s")).toBe("feat: one\nbefore");
    expect([run.read("src/a.ts"), existsSync(join(run.root, "src/two.ts"))]).toEqual(["1", false]);
    expect([run.read("untracked"), run.read("ignored")]).toEqual(["mine", "mine too"]);
    expect(run.git("status", "--porcelain")).toBe("?? untracked");
    expect(run.git("rev-parse", answer["saved"] as string)).toBe(head);
    expect(boxes(run)).toBe("x  ");
    expect(run.state()).toMatchObject({ taskIndex: 1, totalTasks: 3, taskIteration: 1 });
    expect(run.entries().at(-1)).toMatchObject({
      event: "undone",
      task: "1.2",
      note: expect.stringContaining(answer["saved"] as string) as string,
      loop: { open: true, ticked: 1, furthest: 1, attempts: {}, task: null },
    });
    // Checkpoints of what is undone are gone, so that they are not mistaken for what comes now.
    const listed = run.json(["undo", "--list"])["checkpoints"] as { task: string }[];
    expect(listed.map(({ task }) => task)).toEqual(["1.1", "1.2"]);
    expect(run.slash(["resume"])).toMatchObject({ code: 0 });
    run.commit({ "src/a.ts": "2b" }, "feat: two again");
    run.done("1.2");
    expect(boxes(run)).toBe("xx ");
  });

  it("restores the previous state with the line it prints", () => {
    const run = twoDone(layout);
    run.write({ "src/a.ts": "not yet committed" });
    run.git("add", "-A");
    run.write({ "src/one.ts": "neither" });
    const status = run.git("status", "--porcelain");
    const { out } = run.undo("1.1", "--yes", "--discard-changes");
    expect(run.read("src/a.ts")).toBe("0");
    const line = /To take this back: (.*)\n$/.exec(out)?.[1] ?? "";
    for (const command of line.split(" && ")) run.git(...command.split(" ").slice(1));
    expect(run.read("src/a.ts")).toBe("not yet committed");
    expect(run.git("log", "-1", "--format=%s")).toBe("feat: two");
    expect(run.git("status", "--porcelain")).toBe(status);
  });

  it("keeps the spec's folder, tracked or not, with only the boxes cleared", () => {
    const run = startRun(layout, { commitSpec: true });
    const own = (name: string): string => join(run.folder, name);
    run.hand("1.1");
    // Everything is committed on the way, the loop's own files too.
    writeFileSync(own(".progress.md"), "learned\n");
    writeFileSync(own("design.md"), "new\n");
    writeFileSync(own("tasks.md"), `${TASKS}- [ ] 1.4 Added later\r\n`);
    run.git("add", "-A", "-f");
    run.commit({ "src/a.ts": "1" }, "feat: one");
    run.done("1.1");
    run.commit({}, "tick");
    const journal = readFileSync(own(layout.journalFile), "utf8");
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0, err: "" });
    expect(run.read("src/a.ts")).toBe("0");
    expect(run.tasks()).toBe(`${TASKS}- [ ] 1.4 Added later\r\n`);
    const notes = readFileSync(own(".progress.md"), "utf8");
    expect(notes).toMatch(/^learned\n\n## Completed Tasks\n\n.*\nNone\.\n[^]*\n- 1\.1 First\n/);
    expect(readFileSync(own("design.md"), "utf8")).toBe("new\n");
    expect(readFileSync(own(layout.journalFile), "utf8").startsWith(journal)).toBe(true);
    expect(run.state()).toMatchObject({ taskIndex: 0, totalTasks: 4 });
    expect(existsSync(own(layout.lockFile))).toBe(false);
    // It can be repeated: files of the spec that differ are not a reason to refuse.
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0, err: "" });
  });
});

it("a run that was killed before it kept where its task begins is taken up with that", () => {
  const run = startRun();
  const kept = "refs/smart-ralph/demo/1.1/1";
  expect(run.refs()).toContain(kept);
  run.git("update-ref", "-d", kept);
  expect(run.slash(["resume"], "another").code).toBe(0);
  expect(run.refs()).toContain(kept);
});

describe("undo", () => {
  it("puts back what was uncommitted when the task was handed out, staged as it was", () => {
    const run = startRun(specum, {
      prepare({ root, commit, write, git }) {
        commit({ b: "0", gone: "0" });
        write({ b: "staged", added: "new" });
        git("add", "-A");
        write({ b: "unstaged" });
        rmSync(join(root, "gone"));
      },
    });
    const status = run.git("status", "--porcelain");
    run.hand("1.1");
    run.commit({ b: "1", added: "1", more: "1" });
    run.done("1.1");
    expect(run.undo("1.1").out).toContain("put back: the changes that were uncommitted then");
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0 });
    expect([run.read("b"), run.read("added"), existsSync(join(run.root, "more"))]).toEqual([
      "unstaged",
      "new",
      false,
    ]);
    expect(run.git("status", "--porcelain")).toBe(status);
    expect(run.git("show", ":b")).toBe("staged");
  });

  it("goes to the first of several attempts, even after a new run", () => {
    const run = startRun();
    run.hand("1.1");
    run.commit({ "src/a.ts": "1" });
    expect(run.run(["fail", "1.1", "--reason", "no"]).code).toBe(0);
    run.hand("1.1", 2);
    run.commit({ "src/a.ts": "2" });
    run.slash(["resume"]);
    run.hand("1.1");
    run.commit({ "src/a.ts": "3" });
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0 });
    expect([run.read("src/a.ts"), run.state()?.["taskIteration"]]).toEqual(["0", 1]);
    expect(run.entries().at(-1)).toMatchObject({ event: "undone", task: "1.1" });
  });

  it("counts attempts from the first again when its user undoes it, and not when its agent does", () => {
    for (const [by, iteration] of [
      ["agent", 2],
      ["user", 1],
    ] as const) {
      const run = startRun();
      run.hand("1.1");
      run.commit({ "src/a.ts": "1" });
      expect(run.run(["fail", "1.1", "--reason", "no"]).code).toBe(0);
      const undone =
        by === "agent" ? run.undo("1.1", "--yes") : run.slash(["undo", "1.1", "--yes"]);
      expect(undone).toMatchObject({ code: 0 });
      expect([run.read("src/a.ts"), run.state()?.["taskIteration"]], by).toEqual(["0", iteration]);
    }
  });

  it("clears boxes that were ticked by hand", () => {
    const run = twoDone();
    writeFileSync(join(run.folder, "tasks.md"), run.tasks().replace("[ ] 1.3", "[x] 1.3"));
    expect(run.undo("1.2", "--yes")).toMatchObject({ code: 0 });
    expect(boxes(run)).toBe("x  ");
  });

  it.each<[what: string, end: (run: Run) => void]>([
    ["cancelled", (run) => void run.slash(["cancel"])],
    ["finished", (run) => void rmSync(join(run.folder, specum.stateFile))],
  ])("takes back files and boxes of a run that is %s, and starts none", (_, end) => {
    const run = twoDone();
    end(run);
    expect(run.undo("1.2", "--yes")).toMatchObject({ code: 0 });
    expect([run.read("src/a.ts"), boxes(run), run.state()]).toEqual(["1", "x  ", undefined]);
    expect(run.slashJson(["resume"])).toMatchObject({ code: 0, open: 2, next: ["1.2"] });
  });

  it("takes back files of any name", () => {
    const old = Object.fromEntries(ODD_NAMES.map((name) => [name, "0"]));
    const run = startRun(specum, { prepare: ({ commit }) => void commit(old) });
    run.hand("1.1");
    run.commit(
      Object.fromEntries(
        ODD_NAMES.flatMap((name) => [
          [name, "1"],
          [`new ${name}`, "1"],
        ]),
      ),
    );
    run.write(Object.fromEntries(ODD_NAMES.map((name) => [name, "2"])));
    const refused = run.undo("1.1", "--yes");
    expectRefusal(refused, EXIT.refused, /with space\.txt/);
    expect(run.undo("1.1", "--yes", "--discard-changes").code).toBe(0);
    for (const name of ODD_NAMES) expect(run.read(name)).toBe("0");
    expect(run.git("status", "--porcelain")).toBe("");
  });

  it("works on no branch", () => {
    const run = startRun(specum, { prepare: ({ git }) => void git("checkout", "-q", "--detach") });
    run.hand("1.1");
    run.commit({ "src/a.ts": "1" });
    expect(run.undo("1.1", "--yes")).toMatchObject({ code: 0 });
    expect(run.read("src/a.ts")).toBe("0");
    expect(run.git("log", "-1", "--format=%s", "main")).toBe("before");
  });

  it("works in a linked work tree, and leaves the main one alone", () => {
    const main = twoDone();
    const home = makeFolder();
    const root = join(home, "tree");
    main.git("worktree", "add", "-q", root, "-b", "side", "HEAD~1");
    fillFolder(root, { "specs/demo/tasks.md": TASKS });
    const tree = openRun(
      openPlace(specum, root, join(root, "specs/demo"), home),
      openRepository(root, home),
    );
    expectRefusal(tree.undo("1.3"), EXIT.missing, /there is no checkpoint of 1\.3/);
    tree.hand("1.1");
    tree.commit({ "src/a.ts": "side" });
    expect(tree.undo("1.1", "--yes")).toMatchObject({ code: 0 });
    expect([tree.read("src/a.ts"), main.read("src/a.ts")]).toEqual(["1", "2"]);
  });

  it("lists the checkpoints", () => {
    const run = twoDone();
    run.write({ "src/a.ts": "changed" });
    run.hand("1.3", 2);
    const { code, out } = run.undo("--list");
    expect(code).toBe(0);
    expect(out).toMatch(/^1\.1 {2}attempt 1 {2}\S+Z {2}[0-9a-f]{9}\n1\.2 {2}attempt 1 /);
    expect(out).toMatch(/1\.3 {2}attempt 2 .*, with uncommitted changes\n$/);
  });

  it("says in its help how to run again from a task", () => {
    expect(makePlace(specum).run(["undo", "--help"]).out).toContain("undo 1.4 --yes, then resume");
  });
});
