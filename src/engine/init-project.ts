import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runGit } from "../git/run.ts";
import { permissions } from "../hosts/first.ts";
import type { Addition, SetupPlan } from "../hosts/setup.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { FileFault, MAX_BYTES } from "../store/read.ts";
import { requireShell } from "./authority.ts";
import { listProjectCommands, listVerifyCommands } from "./project-commands.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface PlannedFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly isNew: boolean;
  readonly added: readonly Addition[];
  readonly text: string;
}

export interface InitPlan {
  readonly project: Project;
  /** Empty if everything is set up. */
  readonly files: readonly PlannedFile[];
  /** Verify commands that the client may ask about, even so. */
  readonly uncovered: readonly string[];
  /** Files of the user's own that git would commit. */
  readonly unignored: readonly string[];
}

/** What is missing here for a run that nobody watches. Only the user may change what an agent is allowed. */
export function planInit(request: Request, acceptsEdits: boolean): InitPlan {
  requireShell(request, "init");
  const project = resolveOrBeginProject(request);
  const { file: path } = permissions;
  const old = readOld(project, path);
  const plan = planSetup(request, project, old, acceptsEdits);
  if (plan === undefined)
    throw new Refusal("broken", `${path} is not valid`, "fix it, then try again");
  const { text, added, uncovered } = plan;
  const files = text === undefined ? [] : [{ path, isNew: old === undefined, added, text }];
  const own = [project.layout.settingsFile, path].filter(
    (one) => one === files[0]?.path || existsSync(join(project.root, one)),
  );
  return { project, files, uncovered, unignored: own.filter((one) => isUnignored(project, one)) };
}

/** What is still missing from the client's settings; undefined if they are not valid. */
export const readMissingSetup = (request: Request, project: Project): SetupPlan | undefined =>
  planSetup(request, project, readOld(project, permissions.file), false);

function planSetup(
  request: Request,
  project: Project,
  old: string | undefined,
  acceptsEdits: boolean,
): SetupPlan | undefined {
  return permissions.plan(old, {
    root: project.root,
    env: request.env,
    commands: listProjectCommands(project),
    ...listVerifyCommands(request, project),
    acceptsEdits,
  });
}

export function writeInit({ project, files }: InitPlan): void {
  for (const { path, text } of files) {
    const file = join(project.root, path);
    makeProjectFolder(project, dirname(file));
    writeProjectFile(project, file, text);
  }
}

function readOld(project: Project, path: string): string | undefined {
  const file = readProjectFile(project, join(project.root, path), MAX_BYTES.settings);
  if (file.kind === "unreadable") throw new FileFault(join(project.root, path), file.why);
  return file.kind === "ok" ? file.text : undefined;
}

function isUnignored({ root }: Project, path: string): boolean {
  if (!runGit(root, ["rev-parse", "--is-inside-work-tree"]).ok) return false;
  return !runGit(root, ["check-ignore", "--quiet", "--", path]).ok;
}
