import { locateProgram } from "../../exec/environment.ts";
import { parseFields } from "../json.ts";
import type { Place, Probe } from "../port.ts";
import { askProgram } from "../process/ask.ts";

const WITHIN_MS = 15_000;

/** The first version known to have `auth status`. Versions without the command would take it for a prompt. */
const AUTH_STATUS_SINCE = [2, 1, 91] as const;

/** Neither the version nor the login costs a model call. */
export async function probe(place: Place): Promise<Probe> {
  if (locateProgram("claude", place.env) === undefined) {
    return {
      installed: false,
      why: "claude is not on the PATH; see https://claude.com/claude-code",
    };
  }
  const asked = await askProgram(place, ["claude", "--version"], WITHIN_MS);
  const version = /(?<!\d)\d+\.\d+\.\d+/.exec(asked?.stdout ?? "")?.[0];
  if (version === undefined) {
    return { installed: false, why: "claude --version does not answer; run it in a terminal" };
  }
  const loggedIn = isOlder(version) ? undefined : await readLogin(place);
  return {
    installed: true,
    version,
    ...(loggedIn === undefined ? {} : { loggedIn }),
    ...(loggedIn === false ? { why: "not logged in; run claude and type /login" } : {}),
  };
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  const at = AUTH_STATUS_SINCE.findIndex((since, index) => since !== parts[index]);
  return at !== -1 && (parts[at] as number) < (AUTH_STATUS_SINCE[at] as number);
}

async function readLogin(place: Place): Promise<boolean | undefined> {
  const answer = await askProgram(place, ["claude", "auth", "status"], WITHIN_MS);
  const isLoggedIn = parseFields(answer?.stdout ?? "")?.["loggedIn"];
  return typeof isLoggedIn === "boolean" ? isLoggedIn : undefined;
}
