import { existsSync } from "node:fs";
import { type Layout, slash } from "../../layouts/layout.ts";
import type { Where } from "../../hosts/host.ts";
import { oneLine } from "../../text/template.ts";
import { findProject } from "../../store/project.ts";
import { faultOf } from "../../store/read.ts";
import { findActiveSpec, type Spec } from "../../store/spec.ts";
import { print } from "../stdio/print.ts";

/** What every event of a client begins with: read it, and find the spec with a run that it may be about. */
export function activeSpec(layout: Layout, where: Where): Spec | undefined {
  const project = findProject(layout, startsOf(where));
  if (project === undefined || !project.settings.enabled) return undefined;
  const found = findActiveSpec(project);
  if (found.kind === "refused") log(layout, `WARNING: ${found.why}; nothing is run`);
  return found.kind === "ok" && existsSync(found.spec.state) ? found.spec : undefined;
}

export const startsOf = ({ cwd, projectFolder }: Where): string[] =>
  projectFolder === undefined ? [cwd] : [projectFolder, cwd];

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whatever goes wrong in a hook, the agent may stop, and the user learns why. */
export function logFault(layout: Layout, error: unknown): string {
  const why = faultOf(error) ?? (error instanceof Error ? error.message : String(error));
  const line = `${why}; the loop lets go here, ${slash(layout, "status")} shows where it stands`;
  log(layout, line);
  return oneLine(line, MAX_LINE);
}

/** Lines quote the spec, the state and the agent: none of them may steer a terminal or fill the screen. */
export const log = (layout: Layout, line: string): void =>
  print(2, `[${layout.plugin}] ${oneLine(line, MAX_LINE)}\n`);

export const MAX_LINE = 1000;
