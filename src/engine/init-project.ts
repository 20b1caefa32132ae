import { dirname, join } from "node:path";
import { runGit } from "../git/run.ts";
import type { Environment } from "../hosts/host.ts";
import { setup } from "../hosts/setup.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { FileFault, MAX_BYTES } from "../store/read.ts";
import { requireShell } from "./authority.ts";
import { listProjectCommands } from "./project-commands.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface PlannedFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly isNew: boolean;
  readonly added: readonly string[];
  readonly text: string;
}

export interface InitPlan {
  readonly project: Project;
  /** Empty if everything is set up. */
  readonly files: readonly PlannedFile[];
  /** Files of the user's own that git would commit. */
  readonly unignored: readonly string[];
}

/** What is missing here for a run that nobody watches. Only the user may change what an agent is allowed. */
export function planInit(request: Request): InitPlan {
  requireShell(request, "init");
  const project = resolveOrBeginProject(request);
  const files = [planSettings(project), planClient(project, request.env)].filter(
    (file) => file !== undefined,
  );
  const own = [project.layout.settingsFile, setup.file];
  return { project, files, unignored: own.filter((path) => isUnignored(project, path)) };
}

/** What is still missing from the client's settings; undefined if they are not valid. */
export const missingSetup = (project: Project, env: Environment): readonly string[] | undefined =>
  planSetup(project, env, readOld(project, setup.file))?.added;

const planSetup = (project: Project, env: Environment, old: string | undefined) =>
  setup.plan(old, { root: project.root, env, commands: listProjectCommands(project) });

export function writeInit({ project, files }: InitPlan): void {
  for (const { path, text } of files) {
    const file = join(project.root, path);
    makeProjectFolder(project, dirname(file));
    writeProjectFile(project, file, text);
  }
}

function planSettings(project: Project): PlannedFile | undefined {
  const { plugin, settingsFile: path } = project.layout;
  if (readOld(project, path) !== undefined) return undefined;
  const text = `---\nenabled: true\n---\n\nSettings of ${plugin} in this project. They can only be stricter than your own, in ~/.config/smart-ralph/${plugin}.md.\n`;
  return { path, isNew: true, added: ["enabled: true"], text };
}

function planClient(project: Project, env: Environment): PlannedFile | undefined {
  const path = setup.file;
  const old = readOld(project, path);
  const plan = planSetup(project, env, old);
  if (plan === undefined)
    throw new Refusal("broken", `${path} is not valid`, "fix it, then try again");
  const { text, added } = plan;
  return text === undefined ? undefined : { path, isNew: old === undefined, added, text };
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
