import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { writeDemoProject } from "../demo/project.ts";

export interface DemoProject {
  readonly folder: string;
  readonly remove: () => void;
}

/** A temporary project for the built-in agent, with its own vault; nothing of it stays on the machine. */
export function openDemoProject(): DemoProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-run-")));
  const project = join(folder, "greeter");
  writeDemoProject(project);
  const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message", "a project to work on"],
  ]) {
    const { status, error } = spawnSync("git", args, { cwd: project, stdio: "ignore" });
    if (status === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    throw new Refusal(
      "refused",
      `git does not work here: ${error?.message ?? args[0]}`,
      "install git",
    );
  }
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  process.chdir(project);
  return {
    folder: project,
    remove() {
      process.chdir(tmpdir());
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
