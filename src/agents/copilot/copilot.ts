import type { Agent, Place, Probe } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { probeProgram } from "../process/probe.ts";
import { commandLine, rightsOf } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { beginHeard, type Heard, readLine } from "./read.ts";
import { planUsageFile, takeUsageFile } from "./usage-file.ts";

const driverFor = (usageFile: string | undefined): HeadlessDriver<Heard> => ({
  commandLine: (work) => commandLine(work, usageFile),
  begin: ({ prompt, instructions }) => beginHeard(prompt.length + instructions.length),
  read: readLine,
  conclude,
  isOver: ({ result }) => result !== undefined,
});

/** Any of these is a login. There may be another in the system's keychain, but Copilot does not say so. */
const LOGINS = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"];

const probe = ({ cwd, env }: Place): Promise<Probe> =>
  probeProgram(
    { cwd, env: { ...env, COPILOT_AUTO_UPDATE: "false" } },
    "copilot",
    "install it with npm install -g @github/copilot",
    async () => (LOGINS.some((name) => (env[name] ?? "") !== "") ? { loggedIn: true } : {}),
  );

export const copilot: Agent = {
  id: "copilot",
  name: "Copilot CLI",
  driver: "headless",
  rights: (isBoxed) => rightsOf(isBoxed).join(" "),
  probe,
  async run(work, on, stop) {
    const file = planUsageFile(work);
    const outcome = await runHeadless(driverFor(file), work, on, stop);
    const usage = file === undefined ? undefined : takeUsageFile(file);
    if (usage === undefined) return outcome;
    on({ kind: "usage", usage });
    return { ...outcome, usage };
  },
};
