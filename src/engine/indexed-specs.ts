import { existsSync } from "node:fs";
import { join } from "node:path";
import type { IndexedSpec } from "../codemap/code-index.ts";
import { firstParagraph } from "../spec/goal.ts";
import { readGoal } from "../store/documents.ts";
import { readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readStanding } from "./standing.ts";

/** What the index says about a spec. */
export function readSpecFacts(spec: Spec): IndexedSpec {
  const disk = readDisk(spec);
  const tasks = disk.tasks.kind === "ok" ? disk.tasks.list.tasks : [];
  const done = tasks.filter(({ checked }) => checked).length;
  const isComplete = tasks.length > 0 && done === tasks.length;
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  return {
    name: spec.name,
    path: spec.basePath,
    phase: isComplete ? "completed" : (state.phase ?? lastPhase(spec)),
    taskIndex: done,
    totalTasks: tasks.length,
    standing: isComplete ? "completed" : readStanding(spec, disk).standing,
    goal: firstParagraph(readGoal(spec)) ?? "",
  };
}

/** Judged by the last document that exists, since nothing else says it. */
function lastPhase({ project, folder }: Spec): string {
  const { phases } = project.layout;
  const written = phases.filter(({ document }) => existsSync(join(folder, document)));
  return written.at(-1)?.name ?? (phases[0]?.name as string);
}
