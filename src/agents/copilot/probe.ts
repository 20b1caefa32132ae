import { locateProgram } from "../../exec/environment.ts";
import type { Place, Probe } from "../port.ts";
import { askProgram } from "../process/ask.ts";

const WITHIN_MS = 15_000;

/** Any of these is a login. There may be another in the system's keychain, but Copilot does not say so. */
const LOGINS = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"];

export async function probe({ cwd, env }: Place): Promise<Probe> {
  if (locateProgram("copilot", env) === undefined) {
    return {
      installed: false,
      why: "copilot is not on the PATH; install it with npm install -g @github/copilot",
    };
  }
  const place: Place = { cwd, env: { ...env, COPILOT_AUTO_UPDATE: "false" } };
  const asked = await askProgram(place, ["copilot", "--version"], WITHIN_MS);
  const version = /(?<!\d)\d+\.\d+\.\d+/.exec(asked?.stdout ?? "")?.[0];
  if (version === undefined) {
    return { installed: false, why: "copilot --version does not answer; run it in a terminal" };
  }
  const isLoggedIn = LOGINS.some((name) => (env[name] ?? "") !== "");
  return { installed: true, version, ...(isLoggedIn ? { loggedIn: true } : {}) };
}
