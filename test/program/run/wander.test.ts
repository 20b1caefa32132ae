import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight, type Night } from "./night.ts";
import { honest, scene } from "./scenes.ts";
import { threeTasks } from "./three-tasks.ts";

const COMMIT = "git add -A . && git -c user.name=a -c user.email=a@b commit -qm 'its own'";

/** Three tasks. The second one's first agent runs this command before its work. */
const nightWith = (command: string, tags = ""): Night =>
  threeTasks(command, tags, (once, write, complete) => [once, write, { run: COMMIT }, complete]);

/** The run's branch has every task, and the user's branch has not moved. */
async function expectWhole(night: Night, ...args: string[]): Promise<void> {
  const { code, events } = await night.run(args);
  expect({ code, end: events.at(-1) }).toMatchObject({ code: 0 });
  const files = night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo").split("\n");
  expect(files).toEqual(expect.arrayContaining(["t1-1.txt", "t1-2.txt", "t1-3.txt"]));
  expect(night.work().filter((one) => one === "feat: task 1.1")).toHaveLength(1);
  expect(night.git("log", "--format=%s", "main")).toBe("begin");
}

describe.each([
  { name: "on another branch", command: "git checkout -q -b elsewhere" },
  { name: "without a branch", command: "git checkout -q --detach" },
  { name: "after dropping earlier commits", command: "git reset -q --hard main" },
  {
    name: "on an empty branch",
    command: "git checkout -q --orphan nothing && git rm -rfq --cached .",
  },
])("an agent that works $name", ({ command }) => {
  it("loses nobody's work, in the run's own tree", () => expectWhole(nightWith(command)));

  it("loses nobody's work, in a group", () =>
    expectWhole(nightWith(command, "[P]"), "--parallel", "2"));
});

it("an agent that ends on a branch without a commit fails, and the run goes on", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 3",
    rows: ["1.1", "1.2", "1.3"].map((id) => ({ id })),
  });
  const steps: DemoStep[] = [
    { run: "git checkout -q --orphan nothing && git rm -rfq --cached ." },
    { report: "TASK_COMPLETE" },
  ];
  const count = night.counter("first");
  night.scenes([scene("1.2", [{ first: 1, count, steps }, ...honest("1.2")])]);
  await expectWhole(night);
  expect(night.events()).toContainEqual(
    expect.objectContaining({
      kind: "refused",
      reason: expect.stringMatching(/^1\.2 left the branch/),
    }),
  );
});

it("an agent that removes its work tree fails, and the run goes on", async () => {
  const night = nightWith('rm -rf "$PWD"', "[P]");
  await expectWhole(night, "--parallel", "2");
});
