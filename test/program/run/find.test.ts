import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { everyLayout, specum } from "../../support/editions.ts";
import { isFull } from "../../support/full.ts";
import type { Ran } from "../child.ts";
import { makeFolder } from "../temporary.ts";
import { GOAL, makeGoal } from "./goal-night.ts";
import { makeNight, type Night, PROGRAM } from "./night.ts";

/** The first agent asks, and the next one does the task. */
const asking = (count: string): DemoStep[] => {
  const ask = `"${process.execPath}" "${PROGRAM}" ask "Which colour?" --options red,blue`;
  return [{ first: 1, count, steps: [{ run: ask }, { report: "I asked.\nTASK_BLOCKED" }] }];
};

/** The run's own tree, whatever its spec is called. */
const treeOf = (night: Night): string =>
  /\nworktree (.*)/.exec(night.git("worktree", "list", "--porcelain"))?.[1] ?? "";

const LOOKS = [
  [[], "waiting for your answer"],
  [["status"], "waiting for your answer"],
  [["list"], "waiting for your answer"],
  [["inbox"], "Which colour?"],
  [["answer", "1"], "Which colour?"],
  [["summary"], "1.1 Count  waits"],
  [["trace"], "0 of 1 task done"],
  [["evidence"], "1.1 Count: open"],
  [["tasks"], "1.1 Count"],
  [["logs"], "asked 1.1"],
  [["watch"], "waits for you"],
  [["prove"], "nothing to prove"],
  [["feedback"], "waiting for your answer"],
] as const;

describe.each(everyLayout)("a $unit that only its run's tree has ($id)", (layout) => {
  it("is found by every command, wherever that is typed", async () => {
    const count = join(makeFolder(), "asked");
    const night = makeGoal({ layout, work: asking(count) });
    expect((await night.run([], GOAL)).code).toBe(5);
    const deep = join(night.root, "src", "deep");
    mkdirSync(deep, { recursive: true });
    const at = (place: string, ...args: string[]): Ran => night.cli("-C", place, ...args);
    const few = layout === specum || isFull ? LOOKS : LOOKS.slice(0, 4);
    for (const place of isFull ? [night.root, deep, treeOf(night)] : [night.root])
      for (const [args, says] of few) {
        const { code, out, err } = at(place, ...args);
        expect({ args, code, out, err }).toMatchObject({
          code: 0,
          out: expect.stringContaining(says) as string,
        });
      }
    for (const place of [deep, treeOf(night)])
      expect(at(place, "status").out).toContain("waiting for your answer");
    expect(night.cli("trace").out, "where it looked").toContain("smart-ralph take ");
    for (const verb of ["resume", "cancel", "implement"])
      expect(at(treeOf(night), verb), verb).toMatchObject({
        code: 1,
        err: expect.stringContaining("in its own tree, and its work is not here yet") as string,
      });

    expect(at(deep, "answer", "1", "blue").code).toBe(0);
    const again = at(treeOf(night), "run", "--agent", "demo", "--json");
    expect(again.code, again.err).toBe(0);
    expect(night.git("worktree", "list").split("\n"), "no tree of a tree").toHaveLength(2);
    for (const [verb, says] of [
      ["status", "finished"],
      ["list", "finished, 1 of 1 task done: 1 proven, in a run's tree"],
      ["trace", "1 of 1 task done: 1 proven"],
      ["prove", "1 proven again"],
    ] as const)
      expect(night.cli(verb).out, verb).toContain(says);
    const more = night.cli("run", "--agent", "demo", "--json");
    expect(more.out, "nothing is left to do").toContain("smart-ralph take ");
    expect(existsSync(join(night.root, layout.specsDirs[0]))).toBe(false);
    expect(at(deep, "take")).toMatchObject({ code: 0 });
    expect(night.cli("trace").out).not.toContain("In the tree of a run");
  });
});

it("before take, every command looks at the work of the run, not at the copy in the user's tree", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  expect((await night.run()).code).toBe(0);
  for (const args of [["status"], ["list"], ["summary"], ["trace"], ["tasks"], ["evidence"]])
    expect(night.cli(...args).out, args[0]).toMatch(/1 of 1 (task )?done|1\.1 Write 1\.1: proven/);
  expect(night.cli("prove").out).toContain("1 proven again");
  expect(night.cli("prove", "--at", "HEAD").out, "HEAD is the user's").toContain(
    "no task is ticked",
  );
  expect(night.cli("trace", "--all").out).toContain("smart-ralph take demo");
});

it("what a run begins is meant by a plain command if everything else is finished", async () => {
  const night = makeGoal({ wrong: { "research.md": [{ crash: 1 }] } });
  night.commit({ "specs/old/tasks.md": "# Tasks\n\n- [x] 1.1 Old\n" }, "an old spec");
  expect((await night.run([], GOAL)).code).toBe(1);
  expect(night.cli("status").out).toContain("count-requests-refuse");
  expect(night.cli("status", "old").out).toContain("finished");
  expect(night.cli("list").out).toMatch(/old .*finished[\s\S]*count-requests-refuse/);
});
