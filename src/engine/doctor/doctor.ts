import { existsSync } from "node:fs";
import { join } from "node:path";
import { findClients } from "../../hosts/checks.ts";
import { setup } from "../../hosts/setup.ts";
import type { Project } from "../../store/project.ts";
import { readRunSettings } from "../../store/run-settings-file.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { readMissingSetup } from "../init-project.ts";
import { type Request, waysToBegin } from "../request.ts";
import { findProjects, resolveOrBeginProject } from "../resolve-spec.ts";
import { checkAgents } from "./agents.ts";
import { checkDisk, readSpaces } from "./disk.ts";
import { checkGit, readGitFacts } from "./git.ts";
import { checkProject } from "./project.ts";
import { checkMark, checkVault } from "./trust.ts";

/** Everything that can be wrong around a project, each with its fix. */
export async function diagnose(request: Request): Promise<Diagnostic[]> {
  const projects = findProjects(request);
  const root = projects[0]?.root ?? request.cwd;
  const inUse = projects.filter((project) => !isSomeoneElses(project, projects));
  const plugins = (inUse.length > 0 ? inUse : [resolveOrBeginProject(request)]).map(
    ({ layout }) => layout.plugin,
  );
  const none: Diagnostic = {
    severity: "info",
    code: "project",
    message: `no specs in ${request.cwd} or above it`,
    fix: `begin with ${waysToBegin(request, resolveOrBeginProject(request).layout)}`,
  };
  const clients = findClients(request.env);
  const first = projects[0] ?? resolveOrBeginProject(request);
  // Some ask the client, which takes its time to start.
  const [others, installed] = await Promise.all([
    Promise.all(clients.map(({ checks }) => checks.checkOthers(root, request.env))),
    Promise.all(
      clients.flatMap(({ checks }) =>
        plugins.map((plugin) => checks.checkPlugin(plugin, root, request.env)),
      ),
    ),
  ]);
  const isSetUp = clients.some(({ checks }) => checks.name === setup.client);
  return withoutRepeats([
    checkNode(process.versions.node),
    ...clients.map(({ client }) => client),
    checkVault(),
    ...checkMark(request),
    ...others.flat(),
    ...installed,
    ...checkGit(readGitFacts(root)),
    ...checkAgents(request, first, clients),
    ...checkDisk(readSpaces(root), readRunSettings(first).minFree),
    ...projects.slice(0, isSetUp ? 1 : 0).map((project) => checkUnattended(project, request)),
    ...(projects.length === 0 ? [none] : projects.flatMap(checkProject)),
  ]);
}

/** A client that has one package for all layouts says the same about each. */
const withoutRepeats = (findings: readonly Diagnostic[]): Diagnostic[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
];

/** Whether only its folder of specs is there, in which another layout keeps its own. */
const isSomeoneElses = (project: Project, all: readonly Project[]): boolean =>
  !isInUse(project) &&
  all.some(
    (other) =>
      other.root === project.root &&
      other.specsDirs.includes(project.specsDirs[0]) &&
      isInUse(other),
  );

const isInUse = ({ root, pointer, layout: { marker, settingsFile } }: Project): boolean =>
  existsSync(pointer) ||
  existsSync(join(root, settingsFile)) ||
  (marker !== undefined && existsSync(join(root, marker)));

/** Whether somebody has to be there to answer the client. */
function checkUnattended(project: Project, request: Request): Diagnostic {
  const plan = readMissingSetup(request, project);
  const code = "unattended";
  const [missing] = plan?.added ?? [];
  const [uncovered] = plan?.uncovered ?? [];
  if (plan !== undefined && missing === undefined && uncovered === undefined) {
    const when = plan.proviso === undefined ? "" : `, ${plan.proviso}`;
    return { severity: "ok", code, message: `a run needs nobody to answer ${setup.client}${when}` };
  }
  const why =
    missing !== undefined
      ? `${missing.what} is not set`
      : uncovered !== undefined
        ? `no rule allows the Verify ${oneLine(uncovered, 60)}`
        : "its settings are not valid";
  return {
    severity: "info",
    code,
    message: `${setup.client} may ask during a run: ${why}`,
    fix: `${SHELL_PROGRAM} init shows what to add`,
  };
}

const OLDEST_NODE = 20;

export function checkNode(version: string): Diagnostic {
  const message = `node ${version}`;
  return Number(version.split(".")[0]) >= OLDEST_NODE
    ? { severity: "ok", code: "node", message }
    : {
        severity: "error",
        code: "node",
        message: `${message} is too old`,
        fix: `install node ${OLDEST_NODE} or newer`,
      };
}
