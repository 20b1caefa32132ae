import { checks } from "../../hosts/checks.ts";
import type { Project } from "../../store/project.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { missingSetup } from "../init-project.ts";
import type { Request } from "../request.ts";
import { findProjects } from "../resolve-spec.ts";
import { checkNode } from "./node.ts";
import { checkProject } from "./project.ts";
import { checkVault } from "./trust.ts";

/** Everything that can be wrong around a project, each with its fix. */
export function diagnose(request: Request): Diagnostic[] {
  const projects = findProjects(request);
  const root = projects[0]?.root ?? request.cwd;
  const plugins = projects.map(({ layout }) => layout.plugin);
  const none: Diagnostic = {
    severity: "info",
    code: "project",
    message: `no specs in ${request.cwd} or above it`,
  };
  return [
    checkNode(process.versions.node),
    checks.checkClient(request.env),
    checkVault(),
    ...checks.checkOthers(root, request.env),
    ...plugins.map((plugin) => checks.checkPlugin(plugin, root, request.env)),
    ...projects.slice(0, 1).map((project) => checkUnattended(project, request)),
    ...(projects.length === 0 ? [none] : projects.flatMap(checkProject)),
  ];
}

/** Whether somebody has to be there to answer the client. */
function checkUnattended(project: Project, { env, program }: Request): Diagnostic {
  const missing = missingSetup(project, env);
  if (missing?.length === 0)
    return {
      severity: "ok",
      code: "unattended",
      message: "a run needs nobody to answer the client",
    };
  const why = missing === undefined ? "its settings are not valid" : `${missing[0]} is not set`;
  return {
    severity: "info",
    code: "unattended",
    message: `the client may ask during a run: ${why}`,
    fix: `${program} init shows what to add`,
  };
}
