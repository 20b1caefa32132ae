import { resolveProgram } from "../../exec/environment.ts";
import { describeProcesses, openNamespace } from "../../exec/namespace.ts";
import type { findClients } from "../../hosts/setups.ts";
import type { Project } from "../../store/project.ts";
import { readRunSettings } from "../../store/run-settings-file.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { installedAgents } from "../choose-agents.ts";
import type { Request } from "../request.ts";

/** Whom `run` could start, and what would end their processes. None is started for this: `agents` asks them. */
export function checkAgents(
  { env }: Request,
  project: Project,
  clients: ReturnType<typeof findClients>,
): Diagnostic[] {
  const { agents, agentsFor, acp, namespace } = readRunSettings(project);
  const processes = openNamespace(namespace);
  const own = acp.filter(({ command: [program = ""] }) => isThere(program, env));
  const installed = [...installedAgents(clients), ...own.map(({ id }) => id)];
  const chosen = [...agents, ...Object.values(agentsFor).flat()].map(({ agent }) => agent);
  const missing = [...new Set(chosen)].filter((id) => id !== "demo" && !installed.includes(id));
  const { warning } = findingsAbout("agents", project.user.path);
  const { ok, info } = findingsAbout("agents");
  const choose = `${SHELL_PROGRAM} init --agent ${installed[0] ?? "name"}`;
  return [
    ...missing.map((id) =>
      warning(
        `your settings name the agent ${id}, which is not installed`,
        `install it, or choose another: ${choose}`,
      ),
    ),
    installed.length > 0
      ? ok(`run can start ${installed.join(", ")}`)
      : info(
          "run can start no agent: none is installed",
          `${SHELL_PROGRAM} agents says which there are`,
        ),
    findingsAbout("processes")[processes.kind === "own" ? "ok" : "info"](
      `processes of a run: ${describeProcesses(processes)}`,
    ),
  ];
}

const isThere = (program: string, env: Request["env"]): boolean =>
  program.includes("/") || resolveProgram(program, { ...env }) !== undefined;
