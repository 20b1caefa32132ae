import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { writeDemoProject } from "../demo/project.ts";

/** A temporary project for the built-in agent, with its own vault; nothing of it stays on the machine. */
export function openDemoProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-run-")));
  const project = join(folder, "greeter");
  const { withoutGit } = writeDemoProject(project);
  if (withoutGit !== undefined) {
    rmSync(folder, { recursive: true, force: true });
    throw new Refusal("refused", `git does not work here: ${withoutGit}`, "install git");
  }
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  process.chdir(project);
  return {
    folder: project,
    /** What holds it, and goes with it. */
    parent: folder,
    remove(): void {
      process.chdir(tmpdir());
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
