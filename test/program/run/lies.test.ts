import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

const TWO = { settings: "default_max_iterations: 2" };

const reasonsOf = (night: Night): string[] =>
  night.events().flatMap((event) => (event.kind === "refused" ? [event.reason] : []));

const startsOf = (night: Night, task: string): number =>
  night.events().filter((one) => one.kind === "attempt-started" && one.task === task).length;

/** Two tasks: the first is done honestly, the second with these attempts. */
const nightWith = (...attempts: readonly (readonly DemoStep[])[]): Night =>
  makeNight({ ...TWO, rows: [{ id: "1.1" }, { id: "1.2" }], scenes: [scene("1.2", ...attempts)] });

describe("an agent's word", () => {
  it("is not believed: a liar gets its attempts and no more", async () => {
    const night = nightWith(
      [COMPLETE],
      [{ report: "NO_CHANGE: it was there before\nTASK_COMPLETE" }],
    );
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ status: "stuck", done: 1, total: 2 });
    expect(startsOf(night, "1.2")).toBe(2);
    expect(reasonsOf(night)).toEqual([
      expect.stringContaining("1.2 is not done: nothing has changed since it was handed out."),
      expect.stringContaining("its Verify `grep -q done t1-2.txt` failed"),
    ]);
    expect(night.work()).toEqual(["feat: task 1.1", "begin"]);
  });

  it("is needed: a talker who never says that it is done gets no box", async () => {
    const night = nightWith([
      { write: fileOf("1.2"), text: "done\n" },
      { say: "Let me think about it." },
      { report: "I have thought about it at length, and I could go on." },
    ]);
    const { code } = await night.run();
    expect(code).toBe(1);
    expect(startsOf(night, "1.2")).toBe(2);
    expect(night.tasks()).toContain("- [ ] 1.2");
  });

  it("counts only on a line of its own, and the next attempt and the user are told", async () => {
    const hint = "does not say TASK_COMPLETE on a line of its own";
    const night = makeNight({
      ...TWO,
      rows: [{ id: "1.1" }],
      scenes: [
        { when: hint, attempts: [honest("1.1")] },
        scene("1.1", [{ report: "workingTASK_COMPLETE" }]),
      ],
    });
    expect((await night.run()).code).toBe(0);
    expect(reasonsOf(night)).toEqual([expect.stringContaining(hint)]);
  });

  it("may be long", async () => {
    const report = `${"x".repeat(12 << 20)}\nTASK_COMPLETE`;
    const night = nightWith([{ write: fileOf("1.2"), text: "done\n" }, { report }]);
    expect((await night.run()).code).toBe(0);
    expect(startsOf(night, "1.2")).toBe(1);
  });

  it("counts once it is true: an agent that lied first is done with the second attempt", async () => {
    const night = nightWith([COMPLETE], honest("1.2"));
    expect((await night.run()).code).toBe(0);
    expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
  });
});

describe("what an agent leaves uncommitted", () => {
  it("is committed for it, if its task lists it or git tracks it", async () => {
    const night = nightWith([
      { write: fileOf("1.2"), text: "done\n" },
      { append: "code.txt", text: "more\n" },
      COMPLETE,
    ]);
    const { code, err } = await night.run();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(night.git("show", "--format=%s", "--name-only", "smart-ralph/demo~1")).toBe(
      "feat: task 1.2\n\ncode.txt\nt1-2.txt",
    );
  });

  it("is refused by name, if it is neither listed nor tracked", async () => {
    const night = nightWith(
      [
        { write: fileOf("1.2"), text: "done\n" },
        { write: "debug.log", text: "rubbish\n" },
        COMPLETE,
      ],
      [{ run: "rm -f debug.log" }, ...honest("1.2")],
    );
    expect((await night.run()).code).toBe(0);
    expect(reasonsOf(night)).toEqual([expect.stringContaining("debug.log")]);
    expect(night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo")).not.toContain(
      "debug.log",
    );
  });

  it("is left alone, if it says that it is not its own: the receipt names it, and no commit has it", async () => {
    const night = nightWith([
      { write: fileOf("1.2"), text: "done\n" },
      { write: "debug.log", text: "not its own\n" },
      { append: "code.txt", text: "more\n" },
      { report: `NOT_MINE: debug.log, code.txt, ${fileOf("1.2")}\nTASK_COMPLETE` },
    ]);
    expect((await night.run()).code).toBe(0);
    expect(reasonsOf(night)).toEqual([]);
    // What its Files name is its own, whatever it says.
    expect(night.git("show", "--format=%s", "--name-only", "smart-ralph/demo~1")).toBe(
      `feat: task 1.2\n\n${fileOf("1.2")}`,
    );
    expect(
      night.entries().findLast((one) => one.task === "1.2" && one.event === "done"),
    ).toMatchObject({
      left: ["code.txt", "debug.log"],
      note: expect.stringContaining("left alone: code.txt, debug.log (") as string,
    });
  });

  it("may be nothing: an agent may commit by itself", async () => {
    const commit = `git add -A && git -c user.name=a -c user.email=a@b commit -qm "its own words"`;
    const night = nightWith([{ write: fileOf("1.2"), text: "done\n" }, { run: commit }, COMPLETE]);
    expect((await night.run()).code).toBe(0);
    expect(night.work()).toEqual(["its own words", "feat: task 1.1", "begin"]);
  });
});

describe("an agent that forges", () => {
  const ticks: DemoStep = { run: "sed -i 's/- \\[ \\]/- [x]/' specs/demo/tasks.md" };

  it("boxes: the list is restored", async () => {
    const night = makeNight({
      ...TWO,
      rows: [{ id: "1.1" }, { id: "1.2" }, { id: "1.3" }],
      scenes: [scene("1.1", [ticks, ...honest("1.1")]), scene("1.2", [ticks, COMPLETE])],
    });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ done: 2, total: 3 });
    expect(night.tasks()).toMatch(/- \[x\] 1\.1[\s\S]*- \[ \] 1\.2[\s\S]*- \[x\] 1\.3/);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "note", text: expect.stringContaining("changed the list") }),
    );
  });

  it("a Verify: the one that the run began with counts", async () => {
    const night = nightWith([
      { run: "sed -i 's/grep -q done t1-2.txt/true/' specs/demo/tasks.md" },
      { append: "code.txt", text: "more\n" },
      COMPLETE,
    ]);
    expect((await night.run()).code).toBe(1);
    expect(reasonsOf(night)[0]).toContain("its Verify `grep -q done t1-2.txt` failed");
  });

  it("the list itself: it is restored, and its tasks are still open", async () => {
    const night = nightWith(
      [{ write: "specs/demo/tasks.md", text: "# Tasks\n" }, COMPLETE],
      [{ run: "rm specs/demo/tasks.md" }, COMPLETE],
    );
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: "run-ended", done: 1, total: 2 });
  });

  it("state and journal: the run goes on as if nobody had touched them", async () => {
    const night = nightWith(
      [
        { write: "specs/demo/.ralph-state.json", text: '{"phase":"execution","taskIndex":99}' },
        { run: "rm -f specs/demo/.ralph-journal.jsonl specs/demo/.progress.md" },
        COMPLETE,
      ],
      honest("1.2"),
    );
    expect((await night.run()).code).toBe(0);
    expect(reasonsOf(night)).toHaveLength(1);
    expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
  });
});

describe("a Verify that the user agreed to and that ticks boxes", () => {
  const TICKS = "sed -i 's/- \\[ \\]/- [x]/' specs/demo/tasks.md";

  it.each([
    ["before the work", TICKS],
    ["after it", `grep -q done t1-1.txt && ${TICKS}`],
  ])("%s: proves nothing, and the boxes are put back", async (_, verify) => {
    const night = makeNight({ ...TWO, rows: [{ id: "1.1", verify }, { id: "1.2" }] });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ done: 1, total: 2 });
    expect(night.tasks()).toMatch(/- \[ \] 1\.1[\s\S]*- \[x\] 1\.2/);
    expect(reasonsOf(night)).toEqual(
      Array(2).fill(
        expect.stringContaining("changed by no command of ours (the box of 1.1, the box of 1.2)"),
      ),
    );
  });
});

describe("a link in place of a file", () => {
  it("is not the work, if it leads out of the run's tree", async () => {
    const night = nightWith(
      [
        { run: `echo done > "$HOME/there.txt" && ln -s "$HOME/there.txt" ${fileOf("1.2")}` },
        COMPLETE,
      ],
      [{ run: `rm ${fileOf("1.2")}` }, ...honest("1.2")],
    );
    expect((await night.run()).code).toBe(0);
    expect(reasonsOf(night)).toEqual([
      expect.stringMatching(
        /^1\.2 made t1-2\.txt a link to \S+there\.txt, which is outside of the repository or an absolute path: .*Put the file itself there/,
      ),
    ]);
    expect(night.git("ls-tree", "smart-ralph/demo", fileOf("1.2"))).toMatch(/^100644 /);
  });
});
