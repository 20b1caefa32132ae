import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Model } from "../../model.ts";
import type { Project } from "../../project.ts";
import type { Session } from "../adapter.ts";
import type { Stage } from "../suite.ts";
import type { Scenario } from "./scenario.ts";

const NOT_HERE = "was not started on this machine";

/** The user's session in the clone, however the client is started. */
type Open = (project: Project, model: Model) => Promise<Session>;

/** A clone with a run in the middle of its work: its Verify would leave a file. A plain question is no command. */
export async function askInClone(stage: Stage, open: Open): Promise<void> {
  const project = await stage.project(
    1,
    () => "- [ ] 1.1 Read the mail\n  - **Verify**: `touch ran`\n",
  );
  project.writeState(
    JSON.stringify({ name: "demo", phase: "execution", taskIndex: 0, totalTasks: 1 }),
  );
  project.git("add", "--force", "--all", "--", stage.layout.specs);
  project.git("commit", "--quiet", "-m", "somebody else's");
  const before = project.read(project.tasksFile);
  const model = await stage.model(() => "A program.\n\nTASK_COMPLETE", { main: 4 });
  const session = await open(project, model);
  const { output } = await session.say("What is this project?");
  const heard = JSON.stringify(model.asks);
  expect(existsSync(project.path("ran")), output).toBe(false);
  expect(model.calls.main).toBe(1);
  expect(heard).not.toContain("Read the mail");
  expect(project.read(project.tasksFile)).toBe(before);
  expect(project.git("status", "--porcelain")).toBe("");
  // Not every client shows lines of ours; then its model knows.
  expect(`${output}\n${heard}`).toContain(NOT_HERE);
}

export const clone: Scenario = (stage) => askInClone(stage, stage.open);
