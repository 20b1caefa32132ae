import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { makeEpicNight, rowsOf } from "./epic-night.ts";
import { makeNight, type Night } from "./night.ts";
import { honest, scene, until } from "./scenes.ts";

interface Line {
  readonly kind: string;
  readonly todo: string;
}

/** What waits for the user, as a view has it. */
function waitingIn(night: Night, ...args: readonly string[]): Line[] {
  const { waiting, run } = JSON.parse(night.cli(...args, "--json").out) as {
    readonly waiting?: readonly Line[];
    readonly run?: { readonly waiting: readonly Line[] };
  };
  return (run?.waiting ?? waiting ?? []).map(({ kind, todo }) => ({ kind, todo }));
}

const VIEWS = [["inbox"], ["status"], ["list"], ["summary", "demo"], ["watch"]];
const TALK = { report: "I cannot.\nTASK_BLOCKED" };

it("is one list in every view, and every line of it is in what people read", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }, { id: "1.3" }],
    scenes: [scene("1.2", [TALK])],
  });
  const go = night.counter("go");
  night.scenes([scene("1.1", [until(`test -e "${go}"`), ...honest("1.1")]), scene("1.2", [TALK])]);
  const ended = night.wait(night.start());
  await night.until(({ kind }) => kind === "attempt-started");
  night.cli("skip", "1.3");
  writeFileSync(go, "");
  await night.until((event) => event.kind === "done");
  expect(night.cli("status").out, "not while the run is alive").not.toContain("take");
  await ended;
  const goOn = "smart-ralph run demo --agent demo";
  const expected = [
    { kind: "question", todo: "smart-ralph answer 2 1" },
    { kind: "skipped", todo: "smart-ralph unskip 1.3" },
    { kind: "stopped", todo: goOn },
    { kind: "branch", todo: "smart-ralph take demo" },
  ];
  for (const view of VIEWS) {
    expect(waitingIn(night, ...view), view[0]).toEqual(expected);
    const { out } = night.cli(...view);
    for (const { kind, todo } of expected)
      expect(out, `${view[0]}: ${kind}`).toContain(todo.replace(/ 2 .*/, " 2 "));
  }
  const { out } = night.cli("status");
  expect(out.split("was tried 1 times"), out).toHaveLength(2);
  expect(out, "an agent's words are quoted").toContain('The last attempt: "');
});

it("what is done and not proven is accepted with one command, which is one commit", async () => {
  const night = makeNight({
    rows: [
      { id: "1.1", verify: "" },
      { id: "1.2", verify: "" },
    ],
  });
  expect((await night.run()).code).toBe(8);
  const accept = { kind: "unproven", todo: "smart-ralph accept 1.1 1.2" };
  for (const view of VIEWS) expect(waitingIn(night, ...view), view[0]).toContainEqual(accept);
  expect(night.cli("summary", "demo").out).toContain("not all of it is proven");
  const count = (): number => Number(night.git("rev-list", "--count", "smart-ralph/demo"));
  const before = count();
  expect(night.cli("accept", "1.1", "1.2")).toMatchObject({ code: 0 });
  expect(count() - before).toBe(1);
  const take = [{ kind: "branch", todo: "smart-ralph take demo" }];
  for (const view of VIEWS) expect(waitingIn(night, ...view), view[0]).toEqual(take);
  expect(night.cli("summary", "demo").out).not.toContain("not all of it is proven");
});

it("after giving up, no question is open, and the next run tries again", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    scenes: ["1.1", "1.2"].map((id) => scene(id, [{ report: "Hm." }])),
  });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({
    text: expect.stringContaining("the next run tries again"),
  });
  expect(events.filter(({ kind }) => kind === "question")).toHaveLength(1);
  expect(waitingIn(night, "inbox").map(({ kind }) => kind)).toEqual(["stopped"]);
  night.scenes([]);
  expect((await night.run()).code).toBe(0);
});

it("skip closes a task's question, and unskip gives it new attempts in the same run", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
  });
  const go = night.counter("go");
  const first = { first: 1, count: night.counter("first"), steps: [TALK] };
  night.scenes([
    scene("1.1", [first, ...honest("1.1")]),
    scene("1.2", [until(`test -e "${go}"`), ...honest("1.2")]),
  ]);
  const ended = night.wait(night.start());
  await night.until(({ kind }) => kind === "question");
  await night.until((event) => event.kind === "attempt-started" && event.task === "1.2");
  night.cli("skip", "1.1");
  expect(waitingIn(night, "inbox").map(({ kind }) => kind)).toEqual(["skipped"]);
  await night.until(({ kind }) => kind === "skipped");
  night.cli("unskip", "1.1");
  await night.until((event) => event.kind === "note" && event.text === "1.1 is no longer skipped");
  expect(waitingIn(night, "inbox")).toEqual([]);
  writeFileSync(go, "");
  const { code, events } = await ended;
  expect(events.filter(({ kind }) => kind === "question")).toHaveLength(1);
  expect(code).toBe(0);
});

it("is the same in every view after a killed run is taken, resumed in a shell, and cancelled", async () => {
  const night = makeNight({
    rows: [{ id: "1.1" }, { id: "1.2" }],
    scenes: [scene("1.2", [until("false")])],
  });
  const child = night.start();
  await night.until((event) => event.kind === "attempt-started" && event.task === "1.2");
  child.kill("SIGKILL");
  await night.wait(child);
  expect(night.cli("take", "--yes")).toMatchObject({ code: 0 });
  const left = [{ kind: "stopped", todo: "smart-ralph run demo --agent demo" }];
  for (const view of VIEWS) expect(waitingIn(night, ...view), `taken: ${view[0]}`).toEqual(left);
  expect(night.cli("resume")).toMatchObject({ code: 0 });
  for (const view of VIEWS) expect(waitingIn(night, ...view), `resumed: ${view[0]}`).toEqual(left);
  expect(night.cli("cancel")).toMatchObject({ code: 0 });
  for (const view of VIEWS) expect(waitingIn(night, ...view), `cancelled: ${view[0]}`).toEqual([]);
});

it("a work tree that is gone is said so by every view, and what was proven in it is not done again", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    scenes: [scene("1.2", [TALK])],
  });
  await night.run();
  const tree = /^worktree (.*\/trees\/.*)$/m.exec(
    night.git("worktree", "list", "--porcelain"),
  )?.[1];
  rmSync(tree ?? "", { recursive: true });
  for (const view of [["inbox"], ["status"], ["list"]])
    expect(waitingIn(night, ...view), view[0]).toEqual([
      { kind: "branch", todo: "smart-ralph run demo --agent demo" },
    ]);
  const tasksIn = async (): Promise<string[]> =>
    (await night.run()).events.flatMap((one) =>
      one.kind === "attempt-started" ? [`${one.task}`] : [],
    );
  expect(await tasksIn(), "1.1 is done, and 1.2 waits for an answer").toEqual([]);
  night.cli("answer", "1", "1");
  night.scenes([]);
  expect(await tasksIn()).toEqual(["1.2"]);
  expect(night.cli("status").out).toContain("2 of 2 tasks done");
});

it("of an epic it is one list too, before and after take, and every command names the epic", async () => {
  const night = makeEpicNight(
    {
      cart: { rows: rowsOf("1.1") },
      tax: { rows: rowsOf("2.1") },
      out: { rows: rowsOf("3.1"), after: ["tax"] },
    },
    [scene("2.1", [TALK])],
    "default_max_iterations: 1",
  );
  await night.run([], "big");
  const waits = [
    { kind: "question", todo: "smart-ralph answer 1 1" },
    { kind: "stopped", todo: "smart-ralph run big --agent demo" },
  ];
  const branch = { kind: "branch", todo: "smart-ralph take big" };
  for (const view of [["inbox"], ["list"], ["watch"]])
    expect(waitingIn(night, ...view), view[0]).toEqual([...waits, branch]);
  expect(night.cli("watch").out).toContain("1 of 3 tasks done");
  expect(night.cli("watch").out).not.toContain("1 of 2 tasks done");
  night.cli("take", "big");
  for (const view of [["inbox"], ["list"], ["status", "tax"]])
    expect(waitingIn(night, ...view), `${view[0]} after take`).toEqual(waits);
});
