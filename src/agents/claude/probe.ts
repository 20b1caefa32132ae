import { locateProgram } from "../../exec/environment.ts";
import { parseFields } from "../json.ts";
import type { Place, Probe } from "../port.ts";
import { askProgram } from "../process/ask.ts";

const WITHIN_MS = 15_000;

/** The first that is known to answer `auth status`; before it had the command, it would have taken it for a prompt. */
const ANSWERS_SINCE = [2, 1, 91] as const;

/** Neither the version nor the login takes a call of the model. */
export async function probe(place: Place): Promise<Probe> {
  if (locateProgram("claude", place.env) === undefined) {
    return {
      installed: false,
      why: "claude is not on the PATH; see https://claude.com/claude-code",
    };
  }
  const asked = await askProgram(place, ["claude", "--version"], WITHIN_MS);
  const version = /\d+\.\d+\.\d+/.exec(asked?.stdout ?? "")?.[0];
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
  const at = ANSWERS_SINCE.findIndex((since, index) => since !== parts[index]);
  return at !== -1 && (parts[at] as number) < (ANSWERS_SINCE[at] as number);
}

async function readLogin(place: Place): Promise<boolean | undefined> {
  const answer = await askProgram(place, ["claude", "auth", "status"], WITHIN_MS);
  const isIn = parseFields(answer?.stdout ?? "")?.["loggedIn"];
  return typeof isIn === "boolean" ? isIn : undefined;
}
