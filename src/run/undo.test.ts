import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { planHandOut } from "./hand-out.ts";
import type { Entry, EventName } from "./journal.ts";
import { startLoop } from "./loop.ts";
import { type Checkpoint, clearBoxes, findStart, planCleared, undoneLoop } from "./undo.ts";

const time = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const loop = startLoop("session", {}, undefined, { at: time(0), runId: "run" });

const entry = (minute: number, event: EventName, task?: string): Entry => ({
  at: time(minute),
  event,
  ...(task === undefined ? {} : { task }),
  loop,
});

const point = (minute: number, task: string, attempt = 1, ticked: string[] = []): Checkpoint => ({
  ref: `refs/smart-ralph/demo/${task}/${attempt}`,
  task,
  attempt,
  at: time(minute),
  commit: `c${minute}`,
  branch: "main",
  base: `c${minute}`,
  ticked,
});

describe("findStart", () => {
  const points = [point(1, "1.1"), point(3, "1.2"), point(5, "1.2", 2), point(7, "1.2", 3)];

  it.each<[what: string, entries: Entry[], task: string, minute: number | undefined]>([
    ["the first attempt", [entry(1, "start")], "1.2", 3],
    [
      "the first attempt, of a task that is done",
      [entry(1, "start"), entry(8, "done", "1.2")],
      "1.2",
      3,
    ],
    [
      "after it was done, if it was handed out again",
      [entry(1, "start"), entry(4, "done", "1.2")],
      "1.2",
      5,
    ],
    [
      "after it was last done",
      [entry(1, "start"), entry(4, "done", "1.2"), entry(6, "done", "1.2")],
      "1.2",
      7,
    ],
    ["whatever other tasks did", [entry(1, "start"), entry(4, "done", "1.1")], "1.2", 3],
    ["none that was never handed out", [entry(1, "start")], "1.3", undefined],
    ["none from before the journal, of an older spec", [entry(9, "start")], "1.2", undefined],
    ["only those of this journal", [entry(5, "start")], "1.2", 5],
    ["one that was made just before the first entry", [entry(3.5, "start")], "1.2", 3],
    ["none without a journal", [], "1.2", undefined],
  ])("%s", (_, entries, task, minute) => {
    expect(findStart(points, task, entries)?.at).toBe(
      minute === undefined ? undefined : time(minute),
    );
  });
});

describe("planCleared", () => {
  const list = parseTasks(
    "- [x] 1.1 a\n- [x] 1.2 b\n- [x] 1.3 c\n- [ ] 1.4 d\n- [x] 2.1 e\n- [x] 2.1 twice\n",
  );
  const ids = (checkpoint: Checkpoint, ...entries: Entry[]): string[] =>
    planCleared(list, checkpoint, entries).map(({ id }) => id);
  const all = ["1.1", "1.2", "1.3", "2.1"];

  it.each<[what: string, cleared: string[], ticked: string[], entries: Entry[]]>([
    ["the task alone", ["1.2"], all, []],
    ["what was reported since", ["1.2", "1.3"], all, [entry(6, "done", "1.3")]],
    ["also above it in the file", ["1.1", "1.2"], all, [entry(6, "done", "1.1")]],
    [
      "nothing that was reported before",
      ["1.2"],
      all,
      [entry(4, "done", "1.1"), entry(5, "done", "1.3")],
    ],
    [
      "nothing for other events",
      ["1.2"],
      all,
      [entry(6, "failed", "1.3"), entry(6, "refused", "2.1")],
    ],
    ["what was ticked by hand since", ["1.2", "1.3"], ["1.1", "2.1"], []],
    ["both of an id that stands twice", ["1.2", "2.1", "2.1"], all, [entry(6, "done", "2.1")]],
  ])("clears %s", (_, cleared, ticked, entries) => {
    expect(ids(point(5, "1.2", 1, ticked), ...entries)).toEqual(cleared);
  });

  it("clears no box that is open", () => {
    expect(ids(point(5, "1.4", 1, all), entry(6, "done", "1.4"))).toEqual([]);
  });
});

describe("clearBoxes", () => {
  it("changes those boxes and no other byte", () => {
    const text =
      "\uFEFF* [X] 1.1 a [x]\r\n\r\n```\n- [x] no\n```\n1. [x] 1.2 b\n\t- [x] 1.2.1 c\n- [ ] 1.3 d";
    const list = parseTasks(text);
    expect(clearBoxes(list, list.tasks)).toBe(
      text
        .replace("[X] 1.1", "[ ] 1.1")
        .replace("[x] 1.2 b", "[ ] 1.2 b")
        .replace("[x] 1.2.1", "[ ] 1.2.1"),
    );
    expect(clearBoxes(list, [])).toBe(text);
  });

  it("clears any choice of boxes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 20 }), (boxes) => {
        const text = boxes.map(([checked], i) => `- [${checked ? "x" : " "}] 1.${i} t\n`).join("");
        const list = parseTasks(text);
        const chosen = list.tasks.filter((_, i) => boxes[i]?.[1]);
        const after = parseTasks(clearBoxes(list, chosen)).tasks.map(({ checked }) => checked);
        expect(after).toEqual(boxes.map(([checked, clear]) => checked && !clear));
      }),
    );
  });
});

describe("undoneLoop", () => {
  it("forgets attempts, stalls and what was reported, and keeps the run's limits", () => {
    const old = {
      ...loop,
      iteration: 9,
      stalled: 2,
      mark: "m",
      furthest: 7,
      ticked: 7,
      head: "old",
      task: "2.1",
      attempts: { "2.1": 5 },
      lastError: "no",
      told: "exhausted" as const,
    };
    const list = parseTasks("- [x] 1.1 a\n- [ ] 1.2 b\n");
    const brief = planHandOut({ name: "demo", basePath: "" }, list, {}, loop);
    expect(undoneLoop(old, brief, "new")).toEqual({
      ...loop,
      iteration: 9,
      furthest: 1,
      total: 2,
      ticked: 1,
      head: "new",
    });
  });
});
