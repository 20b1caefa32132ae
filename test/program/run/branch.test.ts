import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

const TWO = [{ id: "1.1" }, { id: "1.2" }];
const LIST = "specs/demo/tasks.md";
const NOTES = "specs/demo/.progress.md";

/** The files of each commit of the run, oldest first, with its subject before them. */
const commitsOf = (night: Night): string[][] =>
  night
    .git("log", "--reverse", "--name-only", "--format=%x01%s", "main..smart-ralph/demo")
    .split("\u0001")
    .slice(1)
    .map((one) => one.split("\n").filter((line) => line !== ""));

const RECEIPT = "specs/demo/receipt.json";
const FINISHED = ["docs(demo): all tasks done", NOTES, RECEIPT, LIST];
const WORK = TWO.map(({ id }) => [`feat: task ${id}`, fileOf(id)]);

describe("what a run leaves on its branch", () => {
  it.each(["feat: task 1.1", "chore: the list"])(
    "has no edit of the list by an agent, committed as %s",
    async (message) => {
      const night = makeNight({
        rows: TWO,
        scenes: [
          scene("1.1", [
            { write: fileOf("1.1"), text: "done\n" },
            { run: "echo staged > staged.txt && git add staged.txt" },
            { run: `sed -i 's/- \\[ \\]/- [x]/' ${LIST} && echo forged >> ${LIST}` },
            { run: `git add ${LIST} ${fileOf("1.1")}; git rm -q --cached staged.txt` },
            { run: `git commit -qm '${message}'; rm staged.txt` },
            COMPLETE,
          ]),
        ],
      });
      const { code, err } = await night.run();
      expect({ code, err }).toMatchObject({ code: 0 });
      expect(commitsOf(night)).toEqual([[message, fileOf("1.1")], WORK[1], FINISHED]);
      expect(night.git("log", "-p", "smart-ralph/demo")).not.toContain("forged");
      expect(night.cli("take").out).toContain(
        "It is byte for byte what the last check ran on. Only the spec's own files were committed after that.",
      );
      expect(readFileSync(join(night.root, LIST), "utf8")).not.toContain("forged");
    },
  );

  it("has notes that are left alone in a commit of their own, and with the work if that is left too", async () => {
    const note = { append: NOTES, text: "- learned\n" };
    const night = makeNight({
      rows: TWO,
      files: { [NOTES]: "# Notes\n" },
      scenes: [
        scene("1.1", [
          ...honest("1.1").slice(0, 1),
          { run: `git add ${fileOf("1.1")} && git commit -qm 'feat: task 1.1'` },
          note,
          COMPLETE,
        ]),
        scene("1.2", [note, ...honest("1.2")]),
      ],
    });
    expect((await night.run()).code).toBe(0);
    expect(commitsOf(night)).toEqual([
      WORK[0],
      ["docs(demo): notes of 1.1", NOTES],
      ["feat: task 1.2", NOTES, fileOf("1.2")],
      FINISHED,
    ]);
  });

  it("says once that all is done, and only after the last check", async () => {
    const night = makeNight({
      rows: TWO,
      scenes: [
        scene("1.2", [
          { run: `git rm -q ${fileOf("1.1")} && git commit -qm "feat: less"` },
          ...honest("1.2"),
        ]),
      ],
    });
    expect((await night.run()).code).toBe(0);
    expect(commitsOf(night).map(([subject]) => subject)).toEqual([
      "feat: task 1.1",
      "feat: less",
      "feat: task 1.2",
      "feat: task 1.1",
      "docs(demo): all tasks done",
    ]);
    // Another run has nothing to add.
    expect((await night.run()).code).toBe(0);
    expect(commitsOf(night)).toHaveLength(5);
    expect(night.cli("take").out).toMatch(/It is byte for byte what the last check ran on\.$/m);
    expect((await night.run()).code).toBe(0);
    expect(night.git("log", "--format=%s", "main..smart-ralph/demo")).not.toContain("all tasks");
  });

  it("has neither summary nor receipt if the last check does not hold", async () => {
    const night = makeNight({
      files: { ".gitignore": "t1-1.txt\n" },
      rows: TWO,
      // There is something to commit besides what git ignores.
      scenes: [scene("1.1", [{ append: "code.txt", text: "more\n" }, ...honest("1.1")])],
    });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    const again = ["feat: task 1.1", "code.txt"];
    expect(commitsOf(night)).toEqual([again, WORK[1], again, again]);
    expect(existsSync(join(night.tree(), RECEIPT))).toBe(false);
    const path = join(night.tree(), NOTES);
    const notes = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(notes).not.toMatch(/^## (?:Summary|Receipt)/m);
    expect(events.at(-1)).toMatchObject({
      kind: "run-ended",
      done: 1,
      total: 2,
      text: expect.stringMatching(/fail in a clean checkout of [0-9a-f]{9}: 1\.1$/) as string,
    });
  });
});

describe("a start that is refused", () => {
  it.each([
    ["without a task", [], "", "has no tasks"],
    ["whose setup fails", TWO, "run_setup: exit 3", "run_setup"],
  ])("leaves neither branch nor work tree: a list %s", async (_, rows, settings, why) => {
    const night = makeNight({ rows, settings });
    const { code, out } = await night.run();
    expect(code).not.toBe(0);
    expect(out).toContain(why);
    expect(night.git("branch", "--list", "smart-ralph/*")).toBe("");
    expect(night.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(night.refs()).toEqual([]);
    expect(night.cli("status").out).not.toContain("In a run's work tree");
  });

  it("keeps the tree of an earlier run", async () => {
    const night = makeNight({ rows: TWO });
    expect((await night.run()).code).toBe(0);
    writeFileSync(join(night.tree(), LIST), "# Tasks\n");
    expect((await night.run()).code).not.toBe(0);
    expect(night.work()).toContain("feat: task 1.2");
    expect(night.tree()).not.toBe(night.root);
  });
});
