import { locateProgram } from "../../exec/environment.ts";
import { oneLine } from "../../text/template.ts";
import type { Place, Probe } from "../port.ts";
import { askProgram } from "../process/ask.ts";

const WITHIN_MS = 15_000;

/** Version, login and sandbox can all be checked without a model call. */
export async function probe(place: Place): Promise<Probe> {
  if (locateProgram("codex", place.env) === undefined) {
    return {
      installed: false,
      why: "codex is not on the PATH; install it with npm install -g @openai/codex",
    };
  }
  const ask: Ask = (...args) => askProgram(place, ["codex", ...args], WITHIN_MS);
  const asked = await ask("--version");
  const version = /(?<!\d)\d+\.\d+\.\d+/.exec(asked?.stdout ?? "")?.[0];
  if (version === undefined) {
    return { installed: false, why: "codex --version does not answer; run it in a terminal" };
  }
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
  return {
    installed: true,
    version,
    // With another model provider, it does not know about the login.
    ...(isLoggedIn ? { loggedIn: true } : {}),
    ...(why === "" ? {} : { why }),
  };
}

type Ask = (...args: readonly string[]) => ReturnType<typeof askProgram>;

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
