import { existsSync } from "node:fs";
import type { HostEvent } from "../hosts/host.ts";
import type { Edition } from "../layouts/layout.ts";
import { findProject } from "../store/project.ts";
import { findSessionSpec } from "../store/session-spec.ts";
import type { Spec } from "../store/spec.ts";

/** Where the search for a project starts at an event: agents change folders, sessions do not. */
export const startsOf = (cwd: string, projectFolder: string | undefined): string[] =>
  projectFolder === undefined ? [cwd] : [projectFolder, cwd];

/** The spec that the session works on, if it may have a run. `why` explains a rejected pointer. */
export function findActiveRun(
  layout: Edition,
  event: HostEvent,
): { readonly spec?: Spec; readonly why?: string } {
  const project = findProject(layout, startsOf(event.cwd, event.projectFolder));
  if (project === undefined || !project.settings.enabled) return {};
  const found = findSessionSpec(project, event.sessionId);
  if (found.kind === "refused") return { why: found.why };
  return found.kind === "ok" && existsSync(found.spec.state) ? { spec: found.spec } : {};
}
