import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, honest, type Row, scene, together, until } from "./scenes.ts";

const FOUR = ["--parallel", "4"];
const group = (...ids: readonly string[]): Row[] => ids.map((id) => ({ id, tags: "[P]" }));
const kinds = (night: Night, kind: string): number =>
  night.events().filter((one) => one.kind === kind).length;

it("works on a group at the same time; a liar does not hold up the others", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: [...group("1.1", "1.2", "1.3", "1.4"), { id: "2.1" }],
  });
  const all = (id: string): DemoStep[] => together(night.counter("all"), id, 4);
  night.scenes([
    ...["1.1", "1.2", "1.4"].map((id) => scene(id, [...all(id), ...honest(id)])),
    scene("1.3", [...all("1.3"), COMPLETE], honest("1.3")),
  ]);
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(0);
  const order = events.flatMap((one) =>
    one.kind === "attempt-started" || one.kind === "attempt-ended" ? [one.kind] : [],
  );
  expect(order.slice(0, 4), "all four before any of them ends").toEqual(
    Array.from({ length: 4 }, () => "attempt-started"),
  );
  expect([...night.work()].sort()).toEqual([
    "begin",
    ...["1.1", "1.2", "1.3", "1.4", "2.1"].map((id) => `feat: task ${id}`),
  ]);
  expect(events).toContainEqual(expect.objectContaining({ kind: "refused", task: "1.3" }));
  expect(night.git("worktree", "list").split("\n")).toHaveLength(2);
  expect(night.git("branch", "--list", "smart-ralph/*").split("\n")).toHaveLength(1);
});

/** The files of each task's own commits, as the journal has them; every commit has one task. */
function filesOf(night: Night): Record<string, readonly string[]> {
  const done = night.entries().filter(({ event }) => event === "done");
  const all = done.flatMap(({ commits = [] }) => commits);
  expect(new Set(all).size).toBe(all.length);
  const work = ["log", "--no-merges", "--format=%H", "main..smart-ralph/demo", "--"];
  expect([...all].sort()).toEqual(
    night
      .git(...work, ".", ":!specs")
      .split("\n")
      .sort(),
  );
  const shown = night
    .events()
    .flatMap((one) => (one.kind === "done" ? [[one.task, one.commit]] : []));
  expect(shown).toEqual(done.map(({ task, commits }) => [task, commits?.at(-1)?.slice(0, 10)]));
  const show = (commit: string): string[] =>
    night.git("show", "--format=", "--name-only", commit).split("\n");
  return Object.fromEntries(done.map(({ task, commits = [] }) => [task, commits.flatMap(show)]));
}

const commits = (name: string): DemoStep => ({
  run: `echo done > ${name} && git add ${name} && git commit -qm "feat: ${name}"`,
});

it.each([
  ["at the same time", FOUR],
  ["in turns", []],
])("a group that works %s: each task has its own commits, and no other's", async (_, args) => {
  const night = makeNight({
    rows: [...group("1.1", "1.2", "1.3"), { id: "2.1" }],
    scenes: [
      // It leaves its second file to the run.
      scene("1.1", [commits("unlisted.txt"), ...honest("1.1")]),
      // What it commits first does not pass.
      scene("1.2", [commits("late.txt"), COMPLETE], [commits("more.txt"), ...honest("1.2")]),
      scene("1.3", [commits("third.txt"), ...honest("1.3")]),
    ],
  });
  expect((await night.run(args)).code).toBe(0);
  const late = args.length > 0 ? [] : ["late.txt"];
  expect(filesOf(night)).toEqual({
    "1.1": ["unlisted.txt", "t1-1.txt"],
    "1.2": [...late, "more.txt", "t1-2.txt"],
    "1.3": ["third.txt", "t1-3.txt"],
    "2.1": ["t2-1.txt"],
  });
});

const FIRST_IS_MERGED = "git log --format=%s smart-ralph/demo | grep -q 'task 1.1'";

/** Both write their own line into a file that neither of them lists. */
const both = (id: string): DemoStep[] => [
  { write: "code.txt", text: `${id} done\n` },
  ...(id === "1.1" ? [] : [until(FIRST_IS_MERGED)]),
  COMPLETE,
];
const BOTH: Row[] = ["1.1", "1.2"].map((id) => ({
  id,
  tags: "[P]",
  verify: `grep -q "${id} done" code.txt`,
}));

it("a conflict is resolved by an agent, and both sides are proven afterwards", async () => {
  const night = makeNight({
    rows: BOTH,
    scenes: [
      {
        when: "# Resolve a merge conflict",
        attempts: [[{ write: "code.txt", text: "1.1 done\n1.2 done\n" }, COMPLETE]],
      },
      scene("1.1", both("1.1")),
      scene("1.2", both("1.2")),
    ],
  });
  const { code } = await night.run(FOUR);
  expect(code).toBe(0);
  expect(kinds(night, "conflict")).toBe(1);
  expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("1.1 done\n1.2 done");
  const own = night
    .entries()
    .flatMap(({ event, task, commits: all = [] }) =>
      event === "done"
        ? [[task, all.map((commit) => night.git("log", "-1", "--format=%s", commit))]]
        : [],
    );
  expect(own).toEqual([
    ["1.1", ["feat: task 1.1"]],
    ["1.2", ["feat: task 1.2", "Merge the run's branch into 1.2"]],
  ]);
});

it("a conflict is not resolved by dropping the other side", async () => {
  const night = makeNight({
    rows: BOTH,
    scenes: [
      {
        when: "# Resolve a merge conflict",
        attempts: [[{ write: "code.txt", text: "1.2 done\n" }, COMPLETE]],
      },
      scene("1.1", both("1.1")),
      scene("1.2", both("1.2"), [{ append: "code.txt", text: "1.2 done\n" }, COMPLETE]),
    ],
  });
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(0);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "refused",
      task: "1.2",
      reason: expect.stringContaining("1.1"),
    }),
  );
  expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("1.1 done\n1.2 done");
});

it("a conflict that two agents cannot resolve becomes a question; the first task's work stays", async () => {
  const night = makeNight({
    rows: [...BOTH, { id: "1.3", tags: "[P]" }],
    scenes: [
      { when: "# Resolve a merge conflict", attempts: [[{ say: "No idea." }, COMPLETE]] },
      scene("1.1", both("1.1")),
      scene("1.2", both("1.2")),
    ],
  });
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(1);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "question",
      task: "1.2",
      text: expect.stringContaining("code.txt"),
    }),
  );
  expect(night.tasks()).toMatch(/- \[x\] 1\.1[\s\S]*- \[ \] 1\.2[\s\S]*- \[x\] 1\.3/);
  expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("1.1 done");
  expect(night.asides(), "its work is kept").not.toEqual([]);
  expect(
    night.entries().filter(({ event }) => event === "failed"),
    "no attempt",
  ).toEqual([]);
});

it("an agent that resolves a conflict cannot take the other side off the branch", async () => {
  const night = makeNight({ rows: BOTH });
  const steps: DemoStep[] = [
    { run: "git merge --abort; git update-ref refs/heads/smart-ralph/demo main" },
    COMPLETE,
  ];
  night.scenes([
    {
      when: "# Resolve a merge conflict",
      attempts: [
        [
          { first: 1, count: night.counter("evil"), steps },
          { write: "code.txt", text: "1.1 done\n1.2 done\n" },
          COMPLETE,
        ],
      ],
    },
    scene("1.1", both("1.1")),
    scene("1.2", both("1.2")),
  ]);
  expect((await night.run(FOUR)).code).toBe(0);
  expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("1.1 done\n1.2 done");
  expect(night.work().filter((one) => one === "feat: task 1.1")).toHaveLength(1);
});

it("a link out of the repository is refused where it was made, and nobody else is blamed", async () => {
  const night = makeNight({ rows: group("1.1", "1.2") });
  const link = { run: "ln -s /tmp away && git add away && git commit -qm 'feat: away'" };
  night.scenes([
    scene("1.1", [link, ...honest("1.1")], honest("1.1")),
    scene("1.2", [until(FIRST_IS_MERGED), ...honest("1.2")]),
  ]);
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(0);
  expect(events.flatMap((one) => (one.kind === "refused" ? [one.task] : []))).toEqual(["1.1"]);
  expect(night.git("ls-tree", "--name-only", "smart-ralph/demo")).not.toContain("away");
});

it("work that passes alone and fails with the others' is taken back, and done again on top", async () => {
  const night = makeNight({
    rows: [
      { id: "1.1", tags: "[P]" },
      {
        id: "1.2",
        tags: "[P]",
        files: "t1-2.txt",
        verify: "grep -q done t1-2.txt && ! grep -q alone t1-2.txt || ! test -e t1-1.txt",
      },
    ],
    scenes: [
      scene(
        "1.2",
        [{ write: fileOf("1.2"), text: "done alone\n" }, until(FIRST_IS_MERGED), COMPLETE],
        honest("1.2"),
      ),
    ],
  });
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(0);
  const about = (id: string): string[] =>
    events.flatMap((one) =>
      one.kind === "note" && one.text.startsWith(`${id} is in the run's branch`)
        ? ["checked"]
        : (one.kind === "merged" || one.kind === "done") && one.task === id
          ? [`${one.kind} ${one.attempt}`]
          : [],
    );
  expect(about("1.1")).toEqual(["checked", "done 1", "merged 1"]);
  expect(about("1.2"), "only what stays is merged").toEqual([
    "checked",
    "checked",
    "done 2",
    "merged 2",
  ]);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "refused", task: "1.2", attempt: 1 }),
  );
  expect(night.git("show", "smart-ralph/demo:t1-2.txt")).toBe("done");
  expect([...night.work()].sort()).toEqual(["begin", "feat: task 1.1", "feat: task 1.2"]);
});

it("an agent of a group cannot tick, forge or remove the run's list", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: group("1.1", "1.2"),
    scenes: [
      scene("1.1", [
        {
          run: "sed -i 's/- \\[ \\]/- [x]/' specs/demo/tasks.md; git add -A; git -c user.name=a -c user.email=a@b commit -qm 'feat: task 1.1' -- specs || true",
        },
        ...honest("1.1"),
      ]),
      scene("1.2", [{ write: "specs/demo/tasks.md", text: "# Tasks\n" }, COMPLETE]),
    ],
  });
  const { code } = await night.run(FOUR);
  expect(code).toBe(1);
  expect(night.tasks()).toMatch(/- \[x\] 1\.1[\s\S]*- \[ \] 1\.2/);
  expect(readFileSync(join(night.spec, "tasks.md"), "utf8")).toContain("- [ ] 1.1");
});

it("a limit in a group is waited for once, and no work is lost", async () => {
  const night = makeNight({ rows: group("1.1", "1.2", "1.3") });
  const count = night.counter("limit");
  const steps: DemoStep[] = [{ write: fileOf("1.2"), text: "half" }, { limit: 2 }];
  night.scenes([scene("1.2", [{ first: 1, count, steps }, ...honest("1.2")])]);
  const { code, events } = await night.run(FOUR);
  expect(code).toBe(0);
  const of = events.flatMap((one) =>
    one.kind === "attempt-started" && one.task === "1.2" ? [one.attempt] : [],
  );
  expect(of).toEqual([1, 1]);
  expect(night.asides().filter((ref) => ref.includes("/aside/demo/1.2/"))).toHaveLength(1);
  expect(night.work()).toHaveLength(4);
});

it("blames no task for what lay uncommitted in its tree before it began, or is not its own", async () => {
  const night = makeNight({
    settings: "auto_commit_spec: false",
    rows: group("1.1", "1.2"),
    scenes: [
      scene("1.2", [
        { write: fileOf("1.2"), text: "done\n" },
        { write: "junk.log", text: "x\n" },
        { report: "NOT_MINE: junk.log\nTASK_COMPLETE" },
      ]),
    ],
  });
  writeFileSync(join(night.spec, "design.md"), "# Design\n");
  const { code, events } = await night.run(FOUR);
  expect(events.filter(({ kind }) => kind === "refused")).toEqual([]);
  expect(code).toBe(0);
  expect(night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo")).not.toMatch(/junk|design/);
});
