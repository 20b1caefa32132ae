import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Context } from "../../src/apps/cli/command.ts";
import { dispatch } from "../../src/apps/cli/dispatch.ts";
import { showPage } from "../../src/apps/run/page.ts";
import { frame } from "../../src/apps/run/view/frame.ts";
import { START } from "../../src/apps/run/view/ui.ts";
import { readNow } from "../../src/engine/now.ts";
import { readSpecFacts } from "../../src/engine/read-facts.ts";
import { writeReceipt } from "../../src/engine/summary.ts";
import { concludeRun } from "../../src/engine/summary.ts";
import { readSummary } from "../../src/engine/summary.ts";
import { localRunner } from "../../src/exec/local-runner.ts";
import {
  type Counts,
  countClasses,
  describeClasses,
  describeCounts,
} from "../../src/facts/classify.ts";
import { MARKS } from "../../src/facts/marks.ts";
import { renderPage } from "../../src/facts/page.ts";
import { formatReceipt } from "../../src/facts/receipt.ts";
import { callerOf, editionsOf, hostOf } from "../../src/hosts/all.ts";
import { CLASSES, type TaskClass } from "../../src/run/claim/verdict.ts";
import { addEntry, EMPTY_INBOX, type Inbox } from "../../src/run/inbox.ts";
import { formatEntry } from "../../src/run/journal-lines.ts";
import type { RunEvent } from "../../src/runner/events.ts";
import { planReport, type Report } from "../../src/runner/report.ts";
import { countTasks } from "../../src/runner/run-spec.ts";
import { listLines } from "../../src/runner/tell.ts";
import type { ViewModel } from "../../src/runner/view/model.ts";
import { reduceAll } from "../../src/runner/view/reduce.ts";
import { writeInbox } from "../../src/store/inbox.ts";
import { readAllEntries, readTasks } from "../../src/store/spec-files.ts";
import type { Spec } from "../../src/store/spec.ts";
import { appendToVault, forgetSpec, writeAgreement, writeRecord } from "../../src/store/vault.ts";
import type { TaskList } from "../../src/tasks/model.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { tasksOf } from "../support/journal.ts";
import { AT, makeGround, specIn } from "../support/trees.ts";
import { TRUTH, type TruthCase } from "./truth-cases.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Place {
  readonly spec: Spec;
  readonly list: TaskList;
  readonly context: Context;
}

/** The spec on disk, in a repository, with what a run leaves in the vault. */
function open({ tasks, entries, agreed, skipped = [], clone, progress }: TruthCase): Place {
  const { repository, home } = makeGround({
    "README.md": "a\n",
    "specs/.current-spec": "demo\n",
    "specs/demo/tasks.md": tasks,
  });
  const head = repository.git("rev-parse", "HEAD");
  const list = parseTasks(tasks);
  const made = entries(head);
  if (progress !== undefined) repository.write({ "specs/demo/.progress.md": progress(head) });
  if (clone === "receipt") {
    const receipt = formatReceipt("demo", tasksOf(list, made), []);
    repository.write({ "specs/demo/receipt.json": receipt });
  }
  if (clone === undefined) {
    expect(writeRecord(home, { token: "t" })).toBeUndefined();
    for (const entry of made) appendToVault(home, formatEntry(entry));
    if (agreed !== undefined) writeAgreement(home, agreed);
    const inbox = skipped.reduce(skip, EMPTY_INBOX);
    if (skipped.length > 0) writeInbox(home, inbox);
  }
  const host = hostOf({});
  const context: Context = {
    host,
    editions: editionsOf(host),
    layout: undefined,
    program: "smart-ralph",
    caller: callerOf({}, true),
    cwd: repository.root,
    starts: [repository.root],
    env: process.env,
    now: readNow,
    colour: false,
    width: undefined,
    readStdin: () => "",
    write: () => true,
    verifier: localRunner,
    signal: () => new AbortController().signal,
  };
  return { spec: specIn(repository.root), list, context };
}

function skip(inbox: Inbox, task: string): Inbox {
  const added = addEntry(inbox, { kind: "skip", task, text: "later" }, 0, AT);
  return added.kind === "added" ? added.inbox : inbox;
}

/** What a view says: the class of each task, their counts in words, and what keeps `run` from success. */
interface Said {
  readonly classes?: Readonly<Record<string, string>>;
  readonly marks?: Readonly<Record<string, string>>;
  readonly counts?: string;
  readonly attempts?: Readonly<Record<string, number>>;
  readonly unproven?: readonly string[];
}

const words =
  (argv: string) =>
  async ({ context }: Place) =>
    dispatch(context, argv.split(" "));
const textOf = async (place: Place, argv: string): Promise<string> =>
  (await words(argv)(place)).text;
const jsonOf = async <T>(place: Place, argv: string): Promise<T> =>
  (await words(`${argv} --json`)(place)).json as T;

const CLASS = `\\d+ (?:${CLASSES.join("|")})\\b`;
const COUNTS = new RegExp(`\\d+ of \\d+ tasks? done(?:[:;] ${CLASS}(?:[,;] ${CLASS})*)?`, "g");

/** `4 of 6 tasks done: 2 proven, 1 checked`, wherever it is in a text; it is there once. */
function countsIn(text: string): string {
  const found = text.match(COUNTS) ?? [];
  expect(new Set(found).size, text).toBe(1);
  return found[0] ?? "";
}

const NONE = countClasses([]);

/** By task, the first word of a class in its line. */
function classesIn(text: string, { tasks }: TaskList): Record<string, string> {
  const lines = text.split("\n");
  return Object.fromEntries(
    tasks.map(({ id }) => {
      const own =
        lines.find((line) => line.includes(`${id} `) && line.includes(`Task ${id}`)) ?? "";
      const after = own.slice(own.indexOf(`Task ${id}`));
      return [id, new RegExp(`\\b(?:${CLASSES.join("|")})\\b`).exec(after)?.[0] ?? own];
    }),
  );
}

const classesOf = (tasks: readonly { id: string; class: string }[]): Record<string, string> =>
  Object.fromEntries(tasks.map((one) => [one.id, one.class]));

interface Told {
  readonly tasks: readonly {
    readonly id: string;
    readonly class: TaskClass;
    readonly attempts: number;
  }[];
  readonly counts: Counts;
}
const told = ({ tasks, counts }: Told): Said => ({
  classes: classesOf(tasks),
  counts: describeCounts(counts),
  attempts: Object.fromEntries(tasks.map((task) => [task.id, task.attempts])),
});

/** A run that has just planned, and what came of it according to the spec's own files. */
function modelOf({ spec }: Place): ViewModel {
  const events: RunEvent[] = [
    {
      at: AT,
      kind: "run-started",
      run: "2026-11-16-0900-ab12",
      version: "1",
      pid: 1,
      agents: [],
      parallel: 1,
      budget: {},
      sandbox: "none",
      options: [],
    },
    { at: AT, kind: "plan", spec: "demo", branch: null, tree: "", tasks: listLines(spec) },
  ];
  return reduceAll(events);
}

const reportOf = (place: Place): Report => {
  const { spec, list } = place;
  const facts = readSummary(spec, list);
  const known = { facts, entries: readAllEntries(spec), settled: [] };
  return planReport(modelOf(place), [known], Date.parse(AT));
};

/** What stands before each task, if it is not out. */
function marksIn(
  text: string,
  pattern: (id: string) => RegExp,
  list: TaskList,
): Record<string, string> {
  return Object.fromEntries(list.tasks.map(({ id }) => [id, pattern(id).exec(text)?.[1] ?? ""]));
}

/** Every view. Those that come last write, and the ones after them read that. */
const VIEWS: Readonly<Record<string, (place: Place) => Said | Promise<Said>>> = {
  facts: ({ spec, list }) => {
    const facts = readSpecFacts(spec, list);
    return { ...told(facts), unproven: facts.unproven };
  },
  summary: async (place) => {
    const text = await textOf(place, "summary demo");
    return { classes: classesIn(text, place.list), counts: countsIn(text) };
  },
  "summary --json": async (place) => told(await jsonOf<Told>(place, "summary demo")),
  status: async (place) => ({ counts: countsIn(await textOf(place, "status demo")) }),
  "status --json": async (place) => ({
    counts: describeCounts((await jsonOf<Told>(place, "status demo")).counts),
  }),
  evidence: async (place) => ({ classes: classesIn(await textOf(place, "evidence"), place.list) }),
  "evidence --json": async (place) => {
    const { counts: _, ...said } = told({
      ...(await jsonOf<Told>(place, "evidence")),
      counts: NONE,
    });
    return said;
  },
  trace: async (place) => {
    const text = await textOf(place, "trace demo");
    return { classes: classesIn(text, place.list), counts: countsIn(text) };
  },
  "trace --json": async (place) => {
    const { tasks, counts } = await jsonOf<{ tasks: Told["tasks"]; counts: { tasks: Counts } }>(
      place,
      "trace demo",
    );
    return told({ tasks, counts: counts.tasks });
  },
  "trace --check": async (place) => ({
    counts: countsIn(await textOf(place, "trace demo --check")),
  }),
  list: async (place) => ({ counts: countsIn(await textOf(place, "list")) }),
  "list --json": async (place) => ({
    counts: countsIn(JSON.stringify(await jsonOf(place, "list"))),
  }),
  "the live view": (place) => {
    const scene = { model: modelOf(place), ui: START, seat: "running", log: [] } as const;
    const text = frame(scene, { columns: 120, rows: 40 }, Date.parse(AT), false).join("\n");
    const marks = marksIn(text, (id) => new RegExp(`^(\\S) ${id} `, "m"), place.list);
    return { counts: countsIn(text), marks };
  },
  "the plan of a run": ({ spec }) => ({
    classes: classesOf(listLines(spec).map((one) => ({ ...one, class: one.class ?? "" }))),
  }),
  "the end of a run": ({ spec }) => ({ unproven: countTasks(spec).unproven }),
  "report --json": (place) => ({
    ...told(reportOf(place)),
    unproven: reportOf(place).unproven,
  }),
  report: (place) => {
    const specs = [readSummary(place.spec, place.list)];
    const page = { specs, report: reportOf(place) };
    const text = showPage(page, { colour: false, width: 200 });
    const marks = marksIn(text, (id) => new RegExp(`^(\\S) +${id} `, "m"), place.list);
    return { classes: classesIn(text, place.list), counts: countsIn(text), marks };
  },
  "what a run leaves in .progress.md": ({ spec, list }) => ({
    counts: countsIn(renderPage(readSummary(spec, list))),
  }),
  "the line that ends a run": ({ spec, list }) => {
    const { counts } = readSpecFacts(spec, list);
    expect(concludeRun(spec, list, {}, true)).toContain(`; ${describeClasses(counts)}`);
    return { counts: describeCounts(counts) };
  },
  "receipt.json": ({ spec, list }) => {
    expect(writeReceipt(spec, list).fault).toBeUndefined();
    return told(JSON.parse(readFileSync(join(spec.folder, "receipt.json"), "utf8")) as Told);
  },
  "the table in .progress.md": ({ spec, list }) => {
    const text = readFileSync(join(spec.folder, ".progress.md"), "utf8");
    const rows = list.tasks.map(({ id }) => {
      const row = new RegExp(`^\\| ${id} \\| ([a-z]+)(?:[^|\\\\]|\\\\.)*\\| (\\d+) \\|`, "m").exec(
        text,
      );
      return { id, class: row?.[1] ?? "", attempts: Number(row?.[2]) };
    });
    return {
      classes: classesOf(rows),
      attempts: Object.fromEntries(rows.map(({ id, attempts }) => [id, attempts])),
    };
  },
};

describe.each(Object.entries(TRUTH))("%s", (_, one) => {
  const expected = {
    classes: one.classes,
    marks: Object.fromEntries(Object.entries(one.classes).map(([id, is]) => [id, MARKS[is]])),
    counts: describeCounts(countClasses(Object.values(one.classes).map((is) => ({ class: is })))),
    attempts: one.attempts,
    unproven: one.unproven,
  };

  it("is the same in every view", async () => {
    const place = open(one);
    for (const [view, look] of Object.entries(VIEWS)) {
      const { attempts, ...rest } = await look(place);
      const said =
        one.attempts === undefined || attempts === undefined ? rest : { ...rest, attempts };
      const wanted = Object.keys(said).map((key) => [key, expected[key as keyof typeof expected]]);
      expect({ view, ...said }).toEqual({ view, ...Object.fromEntries(wanted) });
    }
  });

  it("is the same in a fresh clone, as far as anything is ticked", () => {
    const { spec, list } = open(one);
    writeReceipt(spec, list);
    forgetSpec(spec);
    const { tasks } = readSpecFacts(specIn(spec.project.root), readList(spec));
    const ticked = list.tasks.filter(({ checked }) => checked).map(({ id }) => id);
    const pick = (all: Readonly<Record<string, string>>): object =>
      Object.fromEntries(ticked.map((id) => [id, all[id]]));
    expect(pick(classesOf(tasks))).toEqual(pick(one.classes));
  });
});

function readList(spec: Spec): TaskList {
  const file = readTasks(spec);
  if (file.kind !== "ok") throw new Error("no list");
  return file.list;
}
