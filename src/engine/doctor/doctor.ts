import { checks } from "../../hosts/checks.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Request } from "../request.ts";
import { findProjects } from "../resolve-spec.ts";
import { checkNode } from "./node.ts";
import { checkProject } from "./project.ts";
import { checkVault } from "./trust.ts";

/** Everything that can be wrong around a project, each with its fix. */
export function diagnose(request: Request): Diagnostic[] {
  const projects = findProjects(request);
  const none: Diagnostic = {
    severity: "info",
    code: "project",
    message: `no specs in ${request.cwd} or above it`,
  };
  return [
    checkNode(process.versions.node),
    checks.checkClient(request.env),
    checkVault(),
    ...checks.checkOthers(projects[0]?.root ?? request.cwd, request.env),
    ...(projects.length === 0 ? [none] : projects.flatMap(checkProject)),
  ];
}
