import { describe, expect, it } from "vitest";
import type { DemoScene, DemoStep } from "../../../src/agents/demo/script.ts";
import type { RunEvent } from "../../../src/runner/events.ts";
import { makeNight } from "./night.ts";
import { COMPLETE, fileOf, honest, listOf, type Row, scene } from "./scenes.ts";

const rows = (tags = ""): Row[] => ["1.1", "1.2", "1.3", "1.4"].map((id) => ({ id, tags }));
/** The same for every task. */
const always = (...steps: readonly DemoStep[]): DemoScene[] => [
  { when: "# Task 1.", attempts: [steps] },
];
const startsIn = (events: readonly RunEvent[]): string[] =>
  events.flatMap((one) =>
    one.kind === "attempt-started" ? [`${one.task} ${one.model ?? one.agent}`] : [],
  );
const notes = (name: string): DemoStep => ({
  run: `date +%N >> ${name} && git add ${name} && git commit -qm notes`,
});

it("an agent that only talks gets ten attempts at two tasks, and then the run ends", async () => {
  const night = makeNight({ rows: rows(), scenes: always({ report: "Let me think about it." }) });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(startsIn(events)).toEqual([
    ...Array<string>(5).fill("1.1 demo"),
    ...Array<string>(5).fill("1.2 demo"),
  ]);
  expect(events.at(-1)).toMatchObject({
    status: "stuck",
    text: expect.stringMatching(/^no attempt has moved anything: the last 10 of demo, at 1.1 and/),
  });
});

it.each([
  ["only looks around, and says nothing", always({ run: "ls; git status; git log" })],
  ["calls everything done", always(COMPLETE)],
  ["commits a line of notes each turn", always(notes("notes.md"), COMPLETE)],
  ["commits notes and does not call it done", always(notes("notes.md"), { report: "Noted." })],
])("an agent that %s gets no third task", async (_, scenes) => {
  const night = makeNight({ settings: "default_max_iterations: 2", rows: rows(), scenes });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(startsIn(events)).toEqual(["1.1 demo", "1.1 demo", "1.2 demo", "1.2 demo"]);
  expect(events.at(-1)).toMatchObject({ text: expect.stringContaining("no attempt has moved") });
});

describe("tasks that name no files", () => {
  const junk: DemoStep = {
    run: "n=$(date +%N) && echo $n > $n.md && git add $n.md && git commit -qm $n",
  };
  const nameless = (list: readonly Row[]): Record<string, string> => ({
    "specs/demo/tasks.md": listOf(list).replace(/^.*Files.*\n/gm, ""),
  });

  it.each<[string, (id: string) => DemoStep]>([
    ["calls it done", () => COMPLETE],
    ["does not", (id) => ({ report: `Noted in ${fileOf(id)}.` })],
  ])(
    "an agent that commits a new file each turn and %s gets one attempt at a third",
    async (_, end) => {
      const night = makeNight({
        settings: "default_max_iterations: 2",
        rows: rows(),
        files: nameless(rows()),
        scenes: rows().map(({ id }) => scene(id, [junk, end(id)])),
      });
      const { code, events } = await night.run();
      expect(code).toBe(1);
      expect(startsIn(events)).toHaveLength(5);
      expect(events.at(-1)).toMatchObject({
        text: expect.stringContaining("left their Verify as"),
      });
    },
  );

  it("an agent that never commits gets one attempt at a third, whatever its files are called", async () => {
    const night = makeNight({
      settings: "default_max_iterations: 2",
      rows: rows(),
      files: nameless(rows()),
      scenes: rows().map(({ id }) => scene(id, [{ run: `date +%N > notes-${id}.md` }, COMPLETE])),
    });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(startsIn(events)).toHaveLength(5);
  });

  it("two that lack a database, whatever is done, do not end it: the others go on", async () => {
    const lacks = (id: string): Row => ({ id, verify: `echo "no database ${fileOf(id)}"; false` });
    const list = [lacks("1.1"), lacks("1.2"), { id: "1.3" }, { id: "1.4" }];
    const commits = (id: string): DemoStep => ({
      run: `echo done > ${fileOf(id)} && git add ${fileOf(id)} && git commit -qm ${id}`,
    });
    const night = makeNight({
      settings: "default_max_iterations: 2",
      rows: list,
      files: nameless(list),
      scenes: list.map(({ id }, i) => scene(id, [i < 2 ? junk : commits(id), COMPLETE])),
    });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ done: 2 });
  });
});

it("in a group, too, ten attempts are enough", async () => {
  const night = makeNight({ rows: rows("[P]"), scenes: always({ report: "Hm." }) });
  const { code, events } = await night.run(["--parallel", "2"]);
  expect(code).toBe(1);
  // The other agent of the group may be at work when it is decided.
  expect(startsIn(events).length).toBeLessThanOrEqual(11);
  expect(events.at(-1)).toMatchObject({ text: expect.stringContaining("no attempt has moved") });
});

it("the same refusal in two tasks ends it, whatever the agent has changed", async () => {
  const verify = "node no-such-check.mjs";
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: rows().map((row) => ({ ...row, verify })),
    scenes: rows().map(({ id }) => scene(id, [{ run: `date +%N > ${fileOf(id)}` }, COMPLETE])),
  });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(startsIn(events)).toHaveLength(4);
  expect(events.at(-1)).toMatchObject({
    text: expect.stringContaining("ended alike (its Verify `node no-such-check.mjs`"),
  });
});

it("tasks that share a Verify which needs a database do not end it: those with another one go on", async () => {
  const verify = "echo no database; false";
  const list: Row[] = [
    ...["1.1", "1.2", "1.3"].map((id) => ({ id, verify })),
    { id: "1.4" },
    { id: "1.5" },
  ];
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: list,
    scenes: ["1.1", "1.2"].map((id) => scene(id, [{ run: `date +%N > ${fileOf(id)}` }, COMPLETE])),
  });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(startsIn(events).map((one) => one.split(" ")[0])).toEqual([
    "1.1",
    "1.1",
    "1.2",
    "1.2",
    "1.4",
    "1.5",
  ]);
  expect(events.at(-1)).toMatchObject({ done: 2 });
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "question",
      task: "1.3",
      text: expect.stringContaining("the last 4 of demo, at 1.1 and 1.2, ended alike"),
    }),
  );
});

it("two tasks that lack a database do not end it: the others go on", async () => {
  const lacks = (id: string): Row => ({
    id,
    verify: `test -e ${fileOf(id)} && { echo "no database for ${fileOf(id)}"; false; }`,
  });
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: [lacks("1.1"), lacks("1.2"), { id: "1.3" }, { id: "1.4" }],
    scenes: ["1.1", "1.2"].map((id) => scene(id, [{ run: `date +%N > ${fileOf(id)}` }, COMPLETE])),
  });
  const { code, events } = await night.run();
  expect(code).toBe(1);
  expect(events.at(-1)).toMatchObject({ done: 2 });
});

it("two tasks that are blocked for different reasons do not end it", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: rows(),
    scenes: [
      scene("1.1", [{ report: "There is no database of users.\nTASK_BLOCKED" }]),
      scene("1.2", [{ report: "There is no database of orders.\nTASK_BLOCKED" }]),
    ],
  });
  const { events } = await night.run();
  expect(events.at(-1)).toMatchObject({ done: 2 });
});

const TWO = ["--agent", "demo:weak,demo:strong"];
const weak = (id: string, ...steps: readonly DemoStep[]): DemoScene => ({
  ...scene(id, steps),
  model: "weak",
});

it("the next model gets the third attempt, and everything once the first has moved nothing in two tasks", async () => {
  const night = makeNight({
    rows: rows(),
    scenes: rows().map(({ id }) => weak(id, { report: "Hm." })),
  });
  const { code, events } = await night.run(TWO);
  expect(code).toBe(0);
  expect(startsIn(events)).toEqual([
    "1.1 weak",
    "1.1 weak",
    "1.1 strong",
    "1.2 weak",
    "1.2 weak",
    "1.2 strong",
    "1.3 strong",
    "1.4 strong",
  ]);
  const changes = events.flatMap((one) =>
    one.kind === "agent-changed" ? [`${one.from} ${one.to}: ${one.why}`] : [],
  );
  expect(changes).toEqual([
    "demo:weak demo:strong: it has failed twice alike",
    "demo:weak demo:strong: its attempts at two tasks ended alike, and it gets no other",
  ]);
});

it("failures that differ stay with the first; one that repeats goes to the next, for this task", async () => {
  const night = makeNight({
    rows: rows(),
    scenes: [
      {
        ...scene("1.2", [COMPLETE], [{ write: fileOf("1.2"), text: "half" }, COMPLETE]),
        model: "weak",
      },
    ],
  });
  const { code, events } = await night.run(TWO);
  expect(code).toBe(0);
  expect(startsIn(events)).toEqual([
    "1.1 weak",
    "1.2 weak",
    "1.2 weak",
    "1.2 weak",
    "1.2 strong",
    "1.3 weak",
    "1.4 weak",
  ]);
});

it("a usage limit holds for every model of an agent", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  const limit = { first: 1, count: night.counter("limit"), steps: [{ limit: 1 }] };
  night.scenes([weak("1.1", limit, ...honest("1.1"))]);
  const { code, events } = await night.run(TWO);
  expect(code).toBe(0);
  expect(startsIn(events)).toEqual(["1.1 weak", "1.1 weak"]);
});

it("a document that is written by nobody is bounded, and its third attempt goes to the next model", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  night.scenes([{ when: "", attempts: [[{ report: "I would begin with research." }]] }]);
  const { code, events } = await night.run(TWO, "add a greeting to the page");
  expect(code).toBe(1);
  expect(startsIn(events).map((one) => one.split(" ")[1])).toEqual([
    "weak",
    "weak",
    "strong",
    "strong",
  ]);
});

it("says what happened: an agent that made no claim is not refused", async () => {
  const night = makeNight({
    rows: [{ id: "1.1" }],
    scenes: [scene("1.1", [{ report: "I am not sure." }], [COMPLETE], honest("1.1"))],
  });
  const { code, events } = await night.run();
  expect(code).toBe(0);
  const about = events.filter(({ kind }) => kind === "refused" || kind === "verifying");
  expect(about.slice(0, 3)).toMatchObject([
    { kind: "refused", attempt: 1, claimed: false, reason: "I am not sure." },
    { kind: "verifying", attempt: 2 },
    { kind: "refused", attempt: 2 },
  ]);
  expect(about[2]).not.toHaveProperty("claimed");
});
