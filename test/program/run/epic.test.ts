import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { specum } from "../../support/editions.ts";
import { written } from "../flow.ts";
import { fillFolder } from "../temporary.ts";
import { makeEpicNight, mostAtOnce, rowsOf } from "./epic-night.ts";
import { type Night, photograph, settled } from "./night.ts";
import { COMPLETE, honest, scene, together, until } from "./scenes.ts";

const PLANNED = `# Tasks

## Phase 1: All of it

- [ ] 2.1 Count
  - **Do**: Write t2-1.txt.
  - **Files**: t2-1.txt
  - **Done when**: It says done.
  - **Verify**: \`grep -q done t2-1.txt\`
  - **Commit**: \`feat: count\`
  - _Requirements: FR-1, AC-1.1, US-1_
`;

const TWO = ["--parallel", "2"];
const slow = (id: string) => scene(id, [{ sleep: 500 }, ...honest(id)]);
/** Each waits until two are at work. */
const inPairs = (night: Night, ...ids: readonly string[]): void =>
  night.scenes(
    ids.map((id) => scene(id, [...together(night.counter("pairs"), id, 2), ...honest(id)])),
  );
const filesOn = (night: Night, branch: string): string[] =>
  night
    .git("ls-tree", "--name-only", branch)
    .split("\n")
    .filter((name) => name.endsWith(".txt"));
const indexOf = (night: Night, kind: string, spec: string): number =>
  night.events().findIndex((one) => one.kind === kind && "spec" in one && one.spec === spec);

it("runs independent specs at the same time, then what depends on them; take brings all of it", async () => {
  const night = makeEpicNight({
    one: { rows: rowsOf("1.1", "1.2") },
    two: { rows: rowsOf("2.1", "2.2") },
    three: { rows: rowsOf("3.1"), after: ["one", "two"] },
  });
  inPairs(night, "1.1", "2.1");
  const { code, events } = await night.run(TWO, "big");
  expect(code).toBe(0);
  expect(mostAtOnce(events)).toEqual(["one", "two"]);
  for (const name of ["one", "two"])
    expect(indexOf(night, "merged", name)).toBeLessThan(indexOf(night, "attempt-started", "three"));
  expect(filesOn(night, "smart-ralph/big")).toEqual(
    expect.arrayContaining(["t1-1.txt", "t1-2.txt", "t2-1.txt", "t2-2.txt", "t3-1.txt"]),
  );
  // The second spec to be merged is proven together with the first.
  const [, second] = events.flatMap((one) => (one.kind === "merged" ? [one.spec] : []));
  const first = second === "one" ? "two" : "one";
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "verifying",
      spec: second,
      command: `every Verify of ${first}`,
    }),
  );
  expect(night.git("branch", "--list", "smart-ralph/*").split("\n")).toHaveLength(1);
  expect(night.cli("epic", "status").out).toContain("smart-ralph take big");

  const { code: taken, out } = night.cli("take", "big");
  expect(taken, out).toBe(0);
  expect(out).toContain("5 of 5 tasks");
  expect(night.git("branch", "--list", "smart-ralph/*")).toBe("");
  expect(filesOn(night, "main")).toContain("t3-1.txt");
  expect(night.git("status", "--porcelain")).toBe("");
  expect(night.cli("epic", "status").out).toContain("3 of 3 specs done");
  expect(night.cli("prove", "three").code).toBe(0);
});

it("one agent at a time, if no more are asked for", async () => {
  const night = makeEpicNight({ one: { rows: rowsOf("1.1") }, two: { rows: rowsOf("2.1") } }, [
    slow("1.1"),
    slow("2.1"),
  ]);
  const { code, events } = await night.run([], "--epic=big");
  expect(code).toBe(0);
  expect(mostAtOnce(events)).toHaveLength(1);
});

it("no more agents than asked for, over specs and groups together", async () => {
  const group = (...ids: readonly string[]) => ids.map((id) => ({ id, tags: "[P]" }));
  const night = makeEpicNight({
    one: { rows: group("1.1", "1.2", "1.3") },
    two: { rows: group("2.1", "2.2", "2.3") },
  });
  inPairs(night, "1.1", "1.2", "1.3", "2.1", "2.2", "2.3");
  const { code, events } = await night.run(TWO, "big");
  expect(code).toBe(0);
  expect(mostAtOnce(events, (one) => one.task)).toHaveLength(2);
});

it("a spec that gets stuck holds up only the specs that depend on it", async () => {
  const night = makeEpicNight(
    {
      one: { rows: rowsOf("1.1") },
      two: { rows: rowsOf("2.1") },
      after: { rows: rowsOf("3.1"), after: ["one"] },
      free: { rows: rowsOf("4.1"), after: ["two"] },
    },
    [scene("1.1", [COMPLETE])],
    "default_max_iterations: 2",
  );
  const { code, events } = await night.run(TWO, "big");
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({
    kind: "run-ended",
    status: "stuck",
    done: 2,
    total: 4,
    text: expect.stringContaining("after waits for one"),
  });
  expect(filesOn(night, "smart-ralph/big")).toEqual(["code.txt", "t2-1.txt", "t4-1.txt"]);
  expect(night.cli("epic", "status").out).toMatch(/one .*in progress/);

  // Specs that the epic has begun or finished are not run a second time.
  for (const target of ["one", "two"]) {
    const alone = await night.run([], target);
    expect(alone.code).toBe(1);
    expect(alone.out).toContain("is part of the run of epic");
  }
  // What is there can be taken; the rest goes on from there.
  expect(night.cli("take", "big").out).toContain("2 of 4 tasks");
  night.scenes([]);
  expect(night.cli("answer", "1", "try again").code).toBe(0);
  expect((await night.run(TWO, "big")).code).toBe(0);
  expect(filesOn(night, "smart-ralph/big")).toContain("t3-1.txt");
  expect(night.cli("take", "big").code).toBe(0);
  expect(night.cli("epic", "status").out).toContain("4 of 4 specs done");
});

it("a spec without documents is planned first, from its goal in the epic", async () => {
  const night = makeEpicNight({
    one: { rows: rowsOf("1.1") },
    plan: {},
    last: { rows: rowsOf("3.1"), after: ["plan"] },
  });
  const texts = join(night.home, "documents");
  const documents = specum.phases.map(({ document }) => {
    const text = document === "tasks.md" ? PLANNED : written(specum, document);
    fillFolder(texts, { [document]: text });
    const steps = [
      { run: `cp ${texts}/${document} specs/plan/` },
      { report: "Here it is.\nDOCUMENT_READY" },
    ];
    return { when: `/${document} for `, attempts: [steps] };
  });
  const review = {
    when: "# Last review of ",
    attempts: [[{ report: "no findings\nREVIEW_PASS" }]],
  };
  night.scenes([...documents, review, scene("2.1", honest("2.1"))]);
  const { code, events } = await night.run(TWO, "big");
  expect(events.at(-1)).toMatchObject({ status: "finished", done: 3, total: 3 });
  expect(code).toBe(0);
  const jobs = events.flatMap((one) =>
    one.kind === "attempt-started" && one.spec === "plan" ? [one.task] : [],
  );
  expect(jobs).toEqual([...specum.phases.map(({ document }) => document), "2.1", "review"]);
  expect(existsSync(join(night.root, "specs/plan"))).toBe(false);
  expect(night.cli("take", "big").code).toBe(0);
  expect(existsSync(join(night.root, "specs/plan/tasks.md"))).toBe(true);
  expect(night.cli("epic", "status").out).toContain("3 of 3 specs done");
});

it("goes on after kill -9 at any point", async () => {
  const night = makeEpicNight(
    {
      one: { rows: rowsOf("1.1", "1.2") },
      two: { rows: rowsOf("2.1", "2.2") },
      three: { rows: rowsOf("3.1"), after: ["one", "two"] },
    },
    ["1.1", "1.2", "2.1", "2.2", "3.1"].map(slow),
  );
  const before = photograph(night);
  for (const kind of ["attempt-started", "done", "merged"] as const) {
    const child = night.start(TWO, "big");
    await night.until((one) => one.kind === kind);
    child.kill("SIGKILL");
    await night.wait(child);
    // A dead process's lock does not count.
    const left = () => night.left().filter((one) => !one.endsWith(".lock"));
    expect(await settled(left)).toEqual([]);
  }
  expect((await night.run(TWO, "big")).code).toBe(0);
  expect(photograph(night)).toEqual(before);
  const tasks = night
    .git("log", "--format=%s", "smart-ralph/big")
    .split("\n")
    .filter((one) => one.startsWith("feat: task"));
  expect(tasks.sort()).toEqual(["1.1", "1.2", "2.1", "2.2", "3.1"].map((id) => `feat: task ${id}`));
  expect(night.cli("take", "big").code).toBe(0);
});

it("a second runner is refused, for the epic and for a spec in progress", async () => {
  const night = makeEpicNight({ one: { rows: rowsOf("1.1") } });
  const go = night.counter("go");
  night.scenes([scene("1.1", [until(`test -e ${go}`), ...honest("1.1")])]);
  const child = night.start([], "big");
  const first = night.wait(child);
  await night.until((one) => one.kind === "attempt-started");
  expect(night.cli("epic", "status").out).toMatch(
    /one .*running, 0 of 1 task[\s\S]*smart-ralph watch/,
  );
  for (const target of ["big", "one"]) {
    const { code, out } = await night.wait(night.start([], target));
    expect(code).toBe(1);
    expect(out).toMatch(/run \S+ \(process \d+ .*is working on/);
  }
  writeFileSync(go, "");
  expect((await first).code).toBe(0);
});
