import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parseLastEntry } from "../../src/run/journal-lines.ts";
import type { Entry } from "../../src/run/journal.ts";
import { parseState, type StateFile } from "../../src/run/state.ts";
import { applyDecisions } from "../../src/run/trust.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import type { Ran } from "../program/child.ts";
import type { Answer, Scene } from "./scene.ts";
import { ok, REPORT } from "./scene.ts";
import { isHook } from "./scenes.ts";
import type { Stage } from "./stage.ts";

/** What a project says before and after a scene that nothing disturbed. */
export interface Versions {
  readonly tasks: readonly string[];
  readonly states: readonly (string | undefined)[];
  /** How many turns were counted, if the count does not start again. */
  readonly iteration: number;
  readonly code: number | null;
}

const cleared = (tasks: string): string => tasks.replaceAll("[x]", "[ ]");

export const versionsOf = (scene: Scene, before: Stage, after: Stage, { code }: Ran): Versions => ({
  code,
  tasks: [before.tasks, after.tasks, ...(scene.mayClear === true ? [cleared(before.tasks)] : [])],
  states: [before.state, after.state],
  iteration: Math.min(...[before, after].map((stage) => lastOf(stage)?.loop.iteration ?? 1)),
});

const lastOf = (stage: Stage): Entry | undefined => parseLastEntry(stage.kept("journal") ?? "");

/** No file is half-written: each is the old or the new one, and of the journal only the last line may be cut. */
export function expectWhole(stage: Stage, { tasks, states, iteration }: Versions): void {
  expect(tasks).toContain(stage.tasks);
  const { state } = stage;
  if (state !== undefined && !states.includes(state)) expect(parseState(state).kind).toBe("ok");
  for (const journal of [stage.journal, stage.kept("journal") ?? ""]) {
    const whole = journal.split("\n").slice(0, -1);
    for (const line of whole) expect(() => JSON.parse(line) as unknown).not.toThrow();
  }
  for (const file of ["record", "agreement"] as const) {
    const text = stage.kept(file);
    if (text !== undefined) expect(isJson(text), `${file} is whole`).toBe(true);
  }
  expect(lastOf(stage)?.loop.iteration ?? iteration).toBeGreaterThanOrEqual(iteration);
}

const openIn = (text: string): string[] =>
  parseTasks(text)
    .tasks.filter(({ checked }) => !checked)
    .map(({ id }) => id);

const openIds = (stage: Stage): string[] => openIn(stage.tasks);

const idsOf = (stage: Stage): string[] => parseTasks(stage.tasks).tasks.map(({ id }) => id);

interface Heard {
  readonly answer: Answer;
  readonly ids: readonly string[];
}

/** A stop, and what it hands out: only what is open, the first of it, and nothing twice. */
export async function stop(stage: Stage): Promise<Heard> {
  const open = [stage.tasks, stage.read("../other/tasks.md") ?? ""].flatMap(openIn);
  const { code, out } = await stage.hook("stop");
  expect(code).toBe(0);
  const { decision, reason = "" } = (out === "" ? {} : JSON.parse(out)) as {
    decision?: string;
    reason?: string;
  };
  const ids = [...reason.matchAll(/^Task (\S+) →/gm)].map((match) => match[1] as string);
  expect(new Set(ids).size).toBe(ids.length);
  expect(open).toEqual(expect.arrayContaining(ids));
  // What it handed out it has written down, whatever was cut off before.
  if (ids.length > 0) expectEntry(stage);
  return { answer: decision !== "block" ? "none" : ids.length > 0 ? "task" : "advice", ids };
}

/** Done again, it gives what it would have given, and the same tasks. */
export function expectSame(
  { code, err }: Ran,
  stage: Stage,
  scene: Scene,
  { tasks, code: usual }: Versions,
): void {
  expect(code, err).toBe(usual);
  expect(stage.tasks).toBe(tasks[1]);
  // A command that finds its work done writes nothing.
  if (isHook(scene)) expectEntry(stage);
}

/** What a client gives its hooks, and a command of its agent; see the plugins' hooks.json. */
const SECONDS = { hook: 30, command: 100 } as const;

/** By the program's own clock, in which a test lets calls and waits take time. */
export function expectInTime(stage: Stage, scene: Scene): void {
  const allowed = isHook(scene) ? SECONDS.hook : SECONDS.command;
  expect(stage.clock.ahead / 1000).toBeLessThan(allowed);
}

/** The state as it counts: what only the user changes is as the journal has it, which is written first. */
function standingOf(stage: Stage): { state: StateFile | undefined; isOver: boolean } {
  const file = stage.state === undefined ? undefined : parseState(stage.state);
  const last = stage.kept("record") === undefined ? undefined : lastOf(stage);
  const isOver = last?.loop.open === false;
  return { state: file && applyDecisions(file, isOver ? undefined : last?.held), isOver };
}

/** The next stop is answered as the boxes demand. */
export async function expectDemand(stage: Stage, scene: Scene): Promise<void> {
  const { state, isOver } = standingOf(stage);
  const isOn =
    !isOver &&
    state?.kind === "ok" &&
    state.state.phase === "execution" &&
    state.state.paused !== true &&
    state.state.awaitingApproval !== true &&
    openIds(stage).length > 0;
  const { answer } = await stop(stage);
  expect(scene.next ?? (isOn ? ["task"] : ["none"])).toContain(answer);
}

/**
 * From here to the end, as a user and an agent would continue: every task gets done, none is lost, and nothing of ours
 * is left lying about. Only what is open is ever handed out, see `stop`.
 */
export async function finish(
  stage: Stage,
  scene: Scene,
  { notesApart = false }: { notesApart?: boolean } = {},
): Promise<void> {
  const ids = idsOf(stage);
  for (let turn = 0; openIds(stage).length > 0 || stage.state !== undefined; turn++) {
    expect(turn, "the run comes to its end").toBeLessThan(30);
    const heard = await stop(stage);
    // Let go, advised, or not begun at all: the user says "go".
    if (heard.answer !== "task" && openIds(stage).length > 0) await go(stage);
    for (const id of heard.ids) await report(stage, id);
  }
  expect(idsOf(stage)).toEqual(expect.arrayContaining(ids));
  const notes = notesApart
    ? stage.names().filter((name) => name.startsWith(".progress"))
    : [".progress.md"];
  const noted = notes.map((name) => stage.read(name)).join("");
  for (const text of scene.notes ?? []) expect(noted).toContain(text);
  // A run that was killed at one of its very last calls leaves its lock and its mark; whoever comes next takes them away.
  expect(leftovers(stage).filter((name) => !/^\.ralph-lock$|-on\/demo-\w+$/.test(name))).toEqual(
    [],
  );
  if (leftovers(stage).length > 0) {
    await go(stage);
    await stop(stage);
  }
  expect(leftovers(stage)).toEqual([]);
  for (const journal of [stage.journal, stage.kept("journal") ?? ""]) {
    const cut = journal.split("\n").filter((line) => line !== "" && !isJson(line));
    expect(cut.length).toBeLessThanOrEqual(1);
  }
}

async function go(stage: Stage): Promise<void> {
  const { code, err } = await stage.slash(["implement", "demo", "--max-global-iterations", "100"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

async function report(stage: Stage, id: string): Promise<void> {
  const say = (): Promise<Ran> => stage.command(["done", id, "--report", REPORT]);
  const first = await say();
  const isAsked =
    first.code === 1 && first.out.includes("until the user types /ralph-specum:approve");
  if (isAsked) await ok(stage.slash(["approve"]));
  const { code, out, err } = isAsked ? await say() : first;
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
  expect(openIds(stage)).not.toContain(id);
}

/** Locks, guards, marks and temporary files: in the spec, next to the pointer, in git's and in the user's own folder. */
function leftovers(stage: Stage): string[] {
  const places = [
    stage.folder,
    join(stage.root, "specs"),
    join(stage.root, ".git"),
    join(stage.root, ".git/info"),
  ];
  return [
    ...places.flatMap((folder) =>
      namesIn(folder).filter((name) => /\.tmp$|-lock|\.lock$|^smart-ralph-index/.test(name)),
    ),
    // Tickets are swept by their age.
    ...stage.keptNames().filter((name) => /\.tmp$|-on\//.test(name) && !name.startsWith("tickets")),
  ];
}

/** Those that count: the copy for people is written second, and a cut line in it waits for the next one. */
const journals = (stage: Stage): string[] =>
  [
    stage.kept("journal") ?? stage.journal,
    stage.kept("journal", "other") ?? stage.read("../other/.ralph-journal.jsonl") ?? "",
  ].filter((text) => text !== "");

function expectEntry(stage: Stage): void {
  for (const text of journals(stage)) {
    expect(isJson(text.trimEnd().split("\n").at(-1) ?? ""), "the last entry is whole").toBe(true);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
