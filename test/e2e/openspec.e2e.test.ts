import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { crew, DONE } from "./crew.ts";
import { openspec, type Place, specFiles } from "./place.ts";
import { perform, stageClient, stageModel, stagePlace } from "./stage.ts";
import { checkedTasks, countsOf, IDLE, sentBackIn, team, work } from "./team.ts";

const PROPOSAL = `# Proposal

## Why

Nobody is greeted when the program begins, and people take it for broken.

## What Changes

- The program greets whoever starts it

## Capabilities

### New Capabilities

- \`greeting\`: what is said at the beginning

## Impact

- the program
`;

const DELTA = `# Spec Delta

## Purpose

What the program says to whoever starts it, before anything else happens.

## ADDED Requirements

### Requirement: Everybody is greeted

The program SHALL greet whoever starts it.

#### Scenario: A start

- **WHEN** the program is started
- **THEN** it says hello
`;

/** What OpenSpec's commands look at: its own files, and every folder next to the changes. */
function expectOpenSpec(place: Place, name: string, documents: readonly string[]): void {
  const names = (folder: string): string[] => readdirSync(place.path(folder)).sort();
  expect(names("openspec/changes")).toEqual([name]);
  expect(names("openspec").filter((one) => !one.startsWith("."))).toEqual(["changes"]);
  const own = names(`openspec/changes/${name}`).filter((one) => !one.startsWith("."));
  expect(own).toEqual([...documents].sort());
  // It counts every box, wherever it is.
  const boxes = place.read(`openspec/changes/${name}/tasks.md`).match(/^\s*[-*+]\s*\[.\]/gm) ?? [];
  expect(boxes.filter((box) => !box.includes("x"))).toEqual([]);
}

const MANY = isFull ? 12 : 4;

test(`${MANY} tasks of an OpenSpec change, one of them a lie at first`, async () => {
  const folder = "openspec/changes/demo";
  const ids = Array.from({ length: MANY }, (_, i) => openspec.taskId(i));
  const list = checkedTasks()(ids).replace("## Phase 1: Make it", "## 1. Make it");
  const place = stagePlace(openspec, {
    [`${folder}/proposal.md`]: PROPOSAL,
    [`${folder}/specs/greeting/spec.md`]: DELTA,
    [`${folder}/tasks.md`]: `${list}\n  - _Requirements: Everybody is greeted_\n`,
  });
  const project = { ...place, ...specFiles(place, folder), ids };
  const [, liar] = ids as [string, string];
  const { script, started } = team(project, {
    executor({ id, turn, worked }) {
      if (worked) return "Wrote it.\n\nTASK_COMPLETE";
      return id === liar && turn === 1 ? IDLE : work(id);
    },
  });
  const model = await stageModel(script, { main: MANY + 1, sub: 2 * MANY + 1 });
  const run = await perform(project, model, place.slash("implement demo"));
  expect(project.open()).toEqual([]);
  expect(project.state()).toBeUndefined();
  expect(started.map((one) => one.split(" ")[0])).toEqual(ids);
  expect(sentBackIn(run.events)).toEqual([
    expect.stringContaining(`${liar} is not done: its Verify`),
  ]);
  expect(countsOf(project, "done")).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
  expect(place.program("trace", "--check")).toContain("1 of 1 requirements have a task, 1 proven");
  expectOpenSpec(place, "demo", ["proposal.md", "receipt.json", "specs", "tasks.md"]);
  expect(place.read(`${folder}/proposal.md`)).toBe(PROPOSAL);
  expect(place.read(`${folder}/specs/greeting/spec.md`)).toBe(DELTA);
  expect(place.git("status", "--porcelain")).toBe("");
});

test("from one sentence to the end of an OpenSpec change, its delta sent back once", async () => {
  const folder = "openspec/changes/add-greeting-program";
  const place = stagePlace(openspec, { "openspec/config.yaml": "schema: spec-driven\n" });
  const spec = specFiles(place, folder);
  const { script, started } = crew(place, {
    draft(text, { document, round }) {
      if (document === "proposal.md") return PROPOSAL;
      if (document !== "specs/") return text;
      return round === 1 ? DELTA.replace("SHALL greet", "greets") : DELTA;
    },
  });
  const writers = openspec.documents.length;
  const model = await stageModel(script, { main: writers + 3, sub: 2 * (writers + 2) + 2 });
  const client = await stageClient(place, model, {});
  await client.say(place.slash('start "Add a greeting to the program" --quick --full'), DONE);
  await client.end();
  expect(spec.open()).toEqual([]);
  expect(spec.state()).toBeUndefined();
  expect(started.map((one) => one.split(" ")[1])).toEqual([
    "proposal.md",
    "specs",
    "design.md",
    "tasks.md",
    openspec.taskId(0),
    "all",
  ]);
  expect(sentBackIn(client.events)).toEqual([
    expect.stringContaining('"Everybody is greeted" does not say what SHALL or MUST be'),
  ]);
  expect(place.program("check")).toContain("complete");
  expect(place.program("trace", "--check")).toContain("no problems");
});
