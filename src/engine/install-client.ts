import { dirname, join } from "node:path";
import { runToEnd } from "../exec/run-to-end.ts";
import { keepFileOutOfGit } from "../git/exclude.ts";
import type { HostSetup, InstallStep } from "../hosts/setup.ts";
import { setups } from "../hosts/setups.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { codeOf, faultIn, MAX_BYTES } from "../store/read.ts";
import { oneLine } from "../text/template.ts";
import { requireShell } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface ClientInstall {
  readonly host: HostSetup;
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
    const host = setups.find((one) => one.name === name);
    if (host !== undefined) return { host, steps: host.steps(wish) };
    const known = setups.map((one) => one.name).join(", ");
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
  const { ok, code, out, err, error } = runToEnd(step.command, {
    cwd: project.root,
    env: request.env,
    limitMs: TIMEOUT_MS,
    input: step.input ?? "",
    isScript: true,
  });
  const why = codeOf(error);
  // It may do what it is told without asking, and then does not read the answer.
  if (error !== undefined && why !== "EPIPE")
    return why === "ENOENT" ? `${step.command[0]} is not on PATH` : error.message;
  return ok ? undefined : oneLine(err.trim() || out.trim() || `it ended with ${code}`, 300);
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
