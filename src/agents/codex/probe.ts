import { oneLine } from "../../text/template.ts";
import type { Place, Probe } from "../port.ts";
import { type Ask, probeProgram } from "../process/probe.ts";

const INSTALL = "install it with npm install -g @openai/codex";

/** Login and sandbox. */
export const probe = (place: Place): Promise<Probe> =>
  probeProgram(place, "codex", INSTALL, async (_, ask) => {
    const [login, sandbox] = await Promise.all([ask("login", "status"), trySandbox(ask)]);
    const isLoggedIn = login?.code === 0 || (place.env["CODEX_API_KEY"] ?? "") !== "";
    const why = [
      ...(isLoggedIn
        ? []
        : [
            "not logged in to OpenAI, which only matters if you have not set up another model provider; run codex login",
          ]),
      ...(sandbox === undefined
        ? []
        : [`its own sandbox cannot start here (${sandbox}); use --sandbox docker, podman or none`]),
    ].join("; ");
    // With another model provider, it does not know about the login.
    return { ...(isLoggedIn ? { loggedIn: true } : {}), ...(why === "" ? {} : { why }) };
  });

/** The exit code of older versions, which do not have the command. */
const USAGE_ERROR = 2;

/** Why its sandbox does not start. Not on Windows, where trying the sandbox would install it. */
async function trySandbox(ask: Ask): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  const tried = await ask("sandbox", "--", "true");
  if (tried === undefined || tried.code === 0 || tried.code === USAGE_ERROR) return undefined;
  // Warnings come first.
  return oneLine(tried.stderr.split("\n").at(-1) ?? "", 200);
}
