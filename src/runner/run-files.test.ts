import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRunLog } from "../../test/support/run-log.ts";
import { readProcessStart } from "../store/process-start.ts";
import { followEvents, openEvents, readEvents } from "./read-events.ts";
import {
  appendEvent,
  createRun,
  eventsFile,
  isLive,
  openTranscript,
  planRunId,
  readRun,
  type RunFolder,
  transcriptFile,
  updateRun,
} from "./run-files.ts";
import { findRun, listRuns, newestOf, pruneRuns } from "./run-list.ts";

const { events } = makeRunLog();
const makeRuns = (): string => mkdtempSync(join(tmpdir(), "runs-"));

const begin = (
  runs: string,
  run: string,
  more: Partial<Parameters<typeof createRun>[1]> = {},
): RunFolder =>
  createRun(runs, {
    run,
    project: "/home/me/shop",
    specs: ["user-export"],
    tree: "/home/me/tree",
    branch: null,
    session: "run-1",
    agents: ["claude"],
    began: `2026-11-16T0${run.at(-1)}:00:00Z`,
    ...more,
  });

const id = (number: number): string => `2026-11-16-0912-aaa${number}`;
const end = (run: RunFolder): RunFolder =>
  updateRun(run, { ended: "2026-11-16T09:00:00Z", status: "finished" });

it("has ids that people can read and type", () => {
  expect(planRunId(new Date(2026, 10, 16, 9, 12), "AB12-ff34")).toBe("2026-11-16-0912-ab12ff");
});

it("keeps events in order, and reads them back", () => {
  const run = begin(makeRuns(), id(1));
  for (const event of events) appendEvent(run, event);
  expect(readEvents(run)).toEqual(events);
});

it("reads the valid events of a damaged log", () => {
  const run = begin(makeRuns(), id(1));
  expect(readEvents(run)).toEqual([]);
  appendFileSync(
    eventsFile(run),
    'null\n{"kind":"note"}\n\u0000\u0001\nnot JSON\n{"kind":"later","at":""}\n',
  );
  appendFileSync(eventsFile(run), Buffer.from([0xff, 0xfe, 0x0a]));
  appendEvent(run, events[0]!);
  appendFileSync(eventsFile(run), '{"kind":"note","at":"2026-11-16T01');
  expect(readEvents(run)).toEqual([events[0]]);
  // The first event after a crash begins a new line.
  appendEvent(run, events[1]!);
  expect(readEvents(run)).toEqual(events.slice(0, 2));
});

it("reads a line that comes in parts once it is whole, even if a character is cut", () => {
  const run = begin(makeRuns(), id(1));
  const reader = openEvents(run);
  const note = { run: id(1), seq: 1, at: "t", kind: "note", text: "导出 🎉" };
  const line = Buffer.from(`${JSON.stringify(note)}\n`);
  const seen: unknown[] = [];
  for (const byte of line) {
    seen.push(...reader.next());
    appendFileSync(eventsFile(run), Buffer.from([byte]));
  }
  expect(seen).toEqual([]);
  expect(reader.next()).toEqual([note]);
  expect(reader.next()).toEqual([]);
});

it("begins with the event of a number", async () => {
  const run = begin(makeRuns(), id(1));
  for (const event of events) appendEvent(run, event);
  expect(readEvents(run, 70)).toEqual(events.slice(69));
  const followed: unknown[] = [];
  for await (const some of followEvents(run, undefined, 70)) followed.push(...some);
  expect(followed).toEqual(events.slice(69));
  expect(readEvents(run, events.length + 1)).toEqual([]);
});

it("reads logs of older versions: their events are numbered by their position", () => {
  const run = begin(makeRuns(), id(1));
  for (const { run: _, seq: __, ...event } of events.slice(0, 3))
    appendFileSync(eventsFile(run), `not an event\n${JSON.stringify(event)}\n`);
  const numbered = events.slice(0, 3).map((event) => ({ ...event, run: id(1) }));
  expect(readEvents(run)).toEqual(numbered);
  expect(readEvents(run, 3)).toEqual(numbered.slice(2));
});

it("follows a run until it has ended", async () => {
  const run = begin(makeRuns(), id(1));
  const seen: unknown[] = [];
  const [first, ...rest] = events;
  appendEvent(run, first!);
  for await (const some of followEvents(run)) {
    seen.push(...some);
    for (const event of rest.splice(0, 100)) appendEvent(run, event);
  }
  expect(seen).toEqual(events);
});

it("stops following a run whose process is gone", async () => {
  const run = updateRun(begin(makeRuns(), id(1)), { pid: gonePid() });
  appendEvent(run, events[0]!);
  const seen: unknown[] = [];
  for await (const some of followEvents(run)) seen.push(...some);
  expect(seen).toEqual([events[0]]);
});

it("stops following when it is told to", async () => {
  const run = begin(makeRuns(), id(1));
  const leaving = new AbortController();
  appendEvent(run, events[0]!);
  for await (const some of followEvents(run, leaving.signal)) {
    expect(some).toEqual([events[0]]);
    leaving.abort();
  }
});

const gonePid = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

it("knows whether a run is live: by its process, and when that began", () => {
  const run = begin(makeRuns(), id(1));
  expect(isLive(run)).toBe(true);
  expect(isLive(end(run))).toBe(false);
  expect(isLive(updateRun(run, { pid: gonePid() }))).toBe(false);
  const another = updateRun(run, { processStart: "another time" });
  expect(isLive(another)).toBe(readProcessStart(process.pid) === undefined);
});

it("does not read a run file that is damaged or belongs to another run", () => {
  const runs = makeRuns();
  const run = begin(runs, id(1));
  expect(readRun(runs, id(1))).toEqual(run);
  expect(readRun(runs, "../runs")).toBeUndefined();
  writeFileSync(join(run.folder, "run.json"), '{"run": 7}');
  expect(readRun(runs, id(1))).toBeUndefined();
  writeFileSync(join(run.folder, "run.json"), JSON.stringify({ ...run.info, run: id(2) }));
  expect(readRun(runs, id(1))).toBeUndefined();
});

it("records what an agent printed, up to a bound", () => {
  const run = begin(makeRuns(), id(1));
  const name = { spec: "../evil", task: "1.2", attempt: 3, agent: "claude" };
  const path = transcriptFile(run, name);
  expect(path).toMatch(/[/\\]attempts[/\\]%2e\.%2fevil[/\\]1\.2-3\.claude\.jsonl$/);
  const record = openTranscript(run, name, 60);
  record('{"a":1}');
  record("two\nlines");
  record("x".repeat(100));
  record("after it");
  const text = '{"a":1}\ntwo lines\n';
  expect(readFileSync(path, "utf8")).toBe(`${text}{"note":"the rest was not recorded"}\n`);
});

it("finds a run by its id, the beginning of its id, its spec, or as the newest", () => {
  const runs = makeRuns();
  const [one, two, other] = [
    begin(runs, id(1)),
    begin(runs, id(2)),
    begin(runs, "2026-11-17-0000-bbb3", { specs: ["mail"], project: "/elsewhere", tree: "/e" }),
  ].map(end) as [RunFolder, RunFolder, RunFolder];
  const find = (word?: string, project?: string) => findRun(word, project, runs).info.run;
  expect(listRuns(runs).map(({ info }) => info.run)).toEqual(
    [other, two, one].map(({ info }) => info.run),
  );
  expect(find(id(1))).toBe(id(1));
  expect(find("2026-11-17")).toBe(other.info.run);
  expect(find("user-export")).toBe(id(2));
  expect(find()).toBe(other.info.run);
  expect(find(undefined, "/home/me")).toBe(id(2));
  expect(find("mail", "/home/me/shop")).toBe(other.info.run);
  updateRun(one, { ended: null });
  expect(find("user-export")).toBe(id(1));
  expect(() => find("2026-11-16")).toThrow(/more than one run/);
  expect(() => find("nothing")).toThrow(/there is no run "nothing"/);
  expect(() => findRun(undefined, undefined, join(runs, "none"))).toThrow(/no run is recorded/);
});

it("finds a start that was refused only if it is named, or if there is no other run", () => {
  const runs = makeRuns();
  const find = (word?: string) => findRun(word, undefined, runs).info.run;
  const refused = (run: RunFolder): void => {
    for (const event of events.filter(({ kind }) => kind.startsWith("run-")))
      appendEvent(run, event);
  };
  const first = begin(runs, id(1));
  refused(end(first));
  expect(find()).toBe(id(1));
  const second = begin(runs, id(2));
  for (const event of events) appendEvent(second, event);
  const third = begin(runs, id(3));
  refused(third);
  expect(find(), "both are live").toBe(id(2));
  for (const run of [second, third]) end(run);
  expect([find(), find("user-export"), find(id(3))]).toEqual([id(2), id(2), id(3)]);
  expect(newestOf(listRuns(runs))?.info.run).toBe(id(2));
});

it("keeps the newest runs within bounds, and every live one", () => {
  const runs = makeRuns();
  const all = [1, 2, 3, 4, 5].map((number) => begin(runs, id(number)));
  for (const run of all.slice(1)) end(run);
  expect(pruneRuns(runs, { runs: 3, bytes: 1 << 20 })).toEqual([id(2)]);
  writeFileSync(join(all[3]!.folder, "events.jsonl"), "x".repeat(5000));
  expect(pruneRuns(runs, { runs: 3, bytes: 4000 })).toEqual([id(4), id(3)]);
  expect(listRuns(runs).map(({ info }) => info.run)).toEqual([id(5), id(1)]);
});

it("removes damaged runs, but not one that is just being created", () => {
  const runs = makeRuns();
  const [fresh, old] = [join(runs, id(1)), join(runs, id(2))];
  for (const folder of [fresh, old, join(runs, "mine")]) mkdirSync(folder);
  utimesSync(old, 0, 0);
  expect(pruneRuns(runs)).toEqual([id(2)]);
  expect([existsSync(fresh), existsSync(join(runs, "mine"))]).toEqual([true, true]);
});
