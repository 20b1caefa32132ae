import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { keepFileOutOfGit } from "../git/exclude.ts";
import { type HostInstall, installs, type InstallStep } from "../hosts/setup.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { codeOf, faultIn, MAX_BYTES } from "../store/read.ts";
import { oneLine } from "../text/template.ts";
import { requireShell } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface ClientInstall {
  readonly host: HostInstall;
  readonly steps: readonly InstallStep[];
}

export interface InstallPlan {
  readonly project: Project;
  readonly clients: readonly ClientInstall[];
}

/** What would put our package into these clients. Only the user decides that. */
export function planInstall(
  request: Request,
  names: readonly string[],
  folder: string,
): InstallPlan {
  requireShell(request, "init");
  const project = resolveOrBeginProject(request);
  const { root, layout } = project;
  const wish = { root, package: folder, plugin: layout.plugin, env: request.env };
  const clients = names.map((name) => {
    const host = installs.find((one) => one.name === name);
    if (host !== undefined) return { host, steps: host.steps(wish) };
    const known = installs.map((one) => one.name).join(", ");
    throw new Refusal("usage", `there is no client "${oneLine(name, 40)}"`, `one of: ${known}`);
  });
  return { project, clients };
}

/** How a step went: undefined if it did, otherwise why not. */
export type StepFault = string | undefined;

const TIMEOUT_MS = 120_000;

/** Takes one step. A client that is not installed, or refuses, is no reason to stop. */
export function takeStep(
  request: Request,
  project: Project,
  step: Exclude<InstallStep, { kind: "by-hand" }>,
): StepFault {
  if (step.kind === "file") return writeStep(project, step);
  const [program, ...args] = step.command;
  const run = spawnSync(program, args, {
    cwd: project.root,
    // Otherwise the Windows shell would try a file of the project first.
    env: { ...request.env, NoDefaultCurrentDirectoryInExePath: "1" },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    shell: process.platform === "win32",
    input: step.input ?? "",
    stdio: "pipe",
  });
  const code = codeOf(run.error);
  // It may do what it is told without asking, and then does not read the answer.
  if (run.error !== undefined && code !== "EPIPE")
    return code === "ENOENT" ? `${program} is not on PATH` : run.error.message;
  if (run.status === 0) return undefined;
  return oneLine(run.stderr.trim() || run.stdout.trim() || `it ended with ${run.status}`, 300);
}

function writeStep(
  project: Project,
  { path, text, isLocal }: Extract<InstallStep, { kind: "file" }>,
): StepFault {
  const file = join(project.root, path);
  const old = readProjectFile(project, file, MAX_BYTES.document);
  if (old.kind === "unreadable") return `${path}: ${old.why}`;
  if (old.kind === "ok" && old.text === text) return undefined;
  const fault = faultIn(() => {
    makeProjectFolder(project, dirname(file));
    writeProjectFile(project, file, text);
  });
  if (fault !== undefined) return oneLine(fault, 300);
  return isLocal === true ? keepFileOutOfGit(project.root, path) : undefined;
}
