import { parseFields } from "../json.ts";
import type { Agent, Place, Probe } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "../process/headless.ts";
import { isOlder, probeProgram } from "../process/probe.ts";
import { commandLine, RIGHTS } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { type Heard, NOTHING_HEARD, readLine } from "./read.ts";

const driver: HeadlessDriver<Heard> = {
  commandLine: (work) => commandLine(work, process.getuid?.() === 0),
  begin: () => NOTHING_HEARD,
  read: readLine,
  conclude,
  // The client does not exit while a command runs in the background.
  isOver: ({ result }) => result !== undefined,
};

/** The first version known to have `auth status`. Versions without the command would take it for a prompt. */
const AUTH_STATUS_SINCE = "2.1.91";

const probe = (place: Place): Promise<Probe> =>
  probeProgram(place, "claude", "see https://claude.com/claude-code", async (version, ask) => {
    if (isOlder(version, AUTH_STATUS_SINCE)) return {};
    const answer = await ask("auth", "status");
    const loggedIn = parseFields(answer?.stdout ?? "")?.["loggedIn"];
    if (loggedIn === false) return { loggedIn, why: "not logged in; run claude and type /login" };
    return loggedIn === true ? { loggedIn } : {};
  });

export const claude: Agent = {
  id: "claude",
  name: "Claude Code",
  driver: "headless",
  rights: () => RIGHTS,
  probe,
  run: (work, on, stop) => runHeadless(driver, work, on, stop),
};
