import { describe, expect, it } from "vitest";
import { HEAD, makeRunLog, type Moment } from "../../../../test/support/run-log.ts";
import type { RunEvent } from "../../../runner/events.ts";
import { EMPTY } from "../../../runner/view/model.ts";
import { reduceAll } from "../../../runner/view/reduce.ts";
import { widthOf } from "../../cli/columns.ts";
import { frame, type Scene } from "./frame.ts";
import { type Mode, START, type Ui } from "./ui.ts";

const log = makeRunLog();
const MOMENTS: readonly Moment[] = ["limit", "parallel", "question", "end"];
const SIZES = [
  [40, 10],
  [80, 24],
  [120, 40],
] as const;

const sceneAt = (moment: Moment, more: Partial<Scene> = {}): { scene: Scene; now: number } => {
  const { events, now } = log.until(moment);
  const scene: Scene = { model: reduceAll(events), ui: START, seat: "running", log: [], ...more };
  return { scene, now: Date.parse(now) + 12_000 };
};
const draw = (
  moment: Moment,
  columns: number,
  rows: number,
  more: Partial<Scene> = {},
): string[] => {
  const { scene, now } = sceneAt(moment, more);
  return frame(scene, { columns, rows }, now, false);
};
const within = (mode: Mode): { readonly ui: Ui } => ({ ui: { mode, message: "" } });

describe.each(SIZES)("at %d × %d", (columns, rows) => {
  it.each(MOMENTS)("matches its frame: %s", async (moment) => {
    const text = draw(moment, columns, rows)
      .map((line) => `${line}\n`)
      .join("");
    await expect(text).toMatchFileSnapshot(`frames/${columns}x${rows}-${moment}.txt`);
  });
});

const MODES: readonly Mode[] = [
  { kind: "run" },
  { kind: "help" },
  { kind: "stop" },
  { kind: "skip", index: 1 },
  { kind: "answer", index: 0, text: "a long answer 导出 ".repeat(10) },
  { kind: "log", index: 3, up: 2 },
];

it.each(MODES)("fits every terminal: $kind", (mode) => {
  const lines = Array.from(
    { length: 70 },
    (_, i) => `${i} 导出的文件名含有日期 ${"word ".repeat(i)}`,
  );
  for (const moment of MOMENTS)
    for (let columns = 40; columns <= 200; columns += 32)
      for (const rows of [10, 16, 17, 24, 60]) {
        const { scene, now } = sceneAt(moment, { ...within(mode), log: lines });
        const shown = frame(scene, { columns, rows }, now, true);
        expect(shown.length).toBe(rows);
        for (const line of shown) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      }
});

it("survives a terminal of any size", () => {
  for (const [columns, rows] of [
    [0, 0],
    [1, 1],
    [5, 2],
    [20, 3],
  ] as const)
    expect(draw("parallel", columns, rows).length).toBeLessThanOrEqual(Math.max(rows, 4));
});

it("always shows what is being worked on", () => {
  for (let rows = 10; rows < 40; rows++) {
    const shown = draw("parallel", 80, rows).join("\n");
    expect(shown).toMatch(/▶ 2\.1/);
    expect(shown).toMatch(/▶ 2\.2/);
  }
});

it("lets no text control the terminal", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u001b[31m\u202eevil\u200b\r\nnext";
  const events: RunEvent[] = log.events.map(
    (event) =>
      JSON.parse(JSON.stringify(event), (key, value: unknown) =>
        ["title", "text", "reason", "agent", "command", "branch", "why"].includes(key)
          ? evil
          : value,
      ) as RunEvent,
  );
  const model = reduceAll(events.slice(0, 40));
  for (const mode of MODES) {
    const shown = frame(
      { model, ...within(mode), seat: "running", log: [evil] },
      { columns: 80, rows: 24 },
      0,
      false,
    );
    for (const line of shown) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
  }
});

it("shows the whole question that is being answered, with its options", () => {
  const text = `${"Which of these is meant? ".repeat(20)}Say it now.`;
  const about = {
    ...HEAD,
    at: "t",
    kind: "question",
    spec: "user-export",
    task: "2.1",
    id: 9,
  } as const;
  const model = reduceAll([{ ...about, text, options: ["the first", "the second"] }]);
  const ui = { mode: { kind: "answer", index: 0, text: "" }, message: "" } as const;
  const scene: Scene = { model, ui, seat: "running", log: [] };
  const shown = frame(scene, { columns: 60, rows: 24 }, 0, false);
  expect(shown.join(" ").replace(/\s+/g, " ")).toContain(text);
  expect(shown).toContain("2. the second");
  const small = frame(scene, { columns: 60, rows: 10 }, 0, false);
  expect(small, "the options stay").toContain("2. the second");
});

it("says that the run waits for approval, how to give it, and no estimate", () => {
  const { scene, now } = sceneAt("parallel");
  const at = (events: readonly RunEvent[]): string => {
    const model = reduceAll(events, scene.model);
    return frame({ ...scene, model }, { columns: 120, rows: 30 }, now, false).join("\n");
  };
  const spec = "user-export";
  const todo = "smart-ralph approve user-export";
  const asked: RunEvent = { ...HEAD, at: "t", kind: "approval", spec, text: "look first", todo };
  expect(at([])).toMatch(/running[\s\S]*about .* more/);
  expect(at([asked])).toContain(`? ${todo}  Waits for your approval: look first`);
  expect(at([asked])).toContain("waiting for you");
  expect(at([asked])).not.toMatch(/about .* more/);
  expect(at([asked, { ...HEAD, at: "t", kind: "approved", spec }])).toBe(at([]));
});

it("counts down, and forgets a limit that is over", () => {
  const { scene, now } = sceneAt("limit");
  const at = (later: number): string =>
    frame(scene, { columns: 80, rows: 24 }, now + later, false).join("\n");
  expect(at(0)).toMatch(/claude has reached its usage limit; back at 02:39, in 1 h 25 min/);
  expect(at(80 * 60_000)).toMatch(/usage limit; back at 02:39, in 5 min 48 s/);
  expect(at(90 * 60_000)).not.toMatch(/has reached its usage limit/);
});

it("says how many rows are hidden above and below", () => {
  const shown = draw("question", 80, 14);
  expect(shown.join("\n")).toMatch(/↓ \d+ more/);
  const hidden = shown.join("\n").match(/[↑↓] (\d+) more/g) ?? [];
  const count = hidden.reduce((sum, text) => sum + Number(/\d+/.exec(text)?.[0]), 0);
  const tasks = shown.filter((line) => /^[✓~▶?·✗⤼◆] \d\.\d/.test(line)).length;
  expect(count + tasks).toBe(12);
});

it("shows the end of a log, and scrolls up to its beginning", () => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const last = draw("parallel", 80, 24, {
    ...within({ kind: "log", index: 0, up: 0 }),
    log: lines,
  });
  expect(last[0]).toBe("1.1, attempt 1, claude  1 of 8");
  expect(last.at(-2)).toBe("line 49");
  const first = draw("parallel", 80, 24, {
    ...within({ kind: "log", index: 0, up: 1e6 }),
    log: lines,
  });
  expect(first[2]).toBe("line 0");
  expect(first[0]).toMatch(/29 lines below$/);
});

it("shows that the run is starting before the first event", () => {
  const shown = frame(
    { model: EMPTY, ui: START, seat: "running", log: [] },
    { columns: 80, rows: 24 },
    0,
    false,
  );
  expect(shown[0]).toMatch(/^run .*starting$/);
});

it("shows each of several specs under its name", () => {
  const other = makeRunLog({ spec: "mail" }).until("limit").events;
  const model = reduceAll([...log.until("limit").events, ...other]);
  const shown = frame(
    { model, ui: START, seat: "running", log: [] },
    { columns: 100, rows: 50 },
    0,
    false,
  );
  expect(shown[0]).toMatch(/^2 specs/);
  expect(shown).toContain("user-export  2/12");
  expect(shown).toContain("mail  2/12");
});
