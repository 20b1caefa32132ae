import { randomUUID } from "node:crypto";
import { oneLine } from "../../text/template.ts";
import type { Place, Probe } from "../port.ts";
import { supervise } from "../process/supervise.ts";
import { ATTEMPT_MARK } from "../process/sweep.ts";
import { openLink, readMessage } from "./link.ts";
import type { AcpSettings } from "./quirks.ts";
import { finishOf, initialize } from "./session.ts";

const PROBE_MS = 20_000;
const GRACE_MS = 1000;

/**
 * Starts the agent and says hello, which costs no model call. That does not show whether it is logged in: its answer
 * lists the same login methods either way. The first task shows it.
 */
export async function probeAcp(
  { name, command, site, env, quirks }: AcpSettings,
  place: Place,
): Promise<Probe> {
  const work = {
    cwd: place.cwd,
    env: { ...place.env, [ATTEMPT_MARK]: `probe/${randomUUID()}` },
    limits: { wallMs: PROBE_MS + GRACE_MS, silentMs: PROBE_MS + GRACE_MS, graceMs: GRACE_MS },
  };
  const link = openLink((text) => running.write(text));
  const { running, windDown, end } = supervise(
    work,
    {
      command,
      env: { ...quirks?.env, ...env },
      input: { open: true },
      onLine(line) {
        const message = readMessage(line);
        if (message !== undefined) link.receive(message);
      },
    },
    new AbortController().signal,
  );
  const hello = initialize(link.agent, PROBE_MS).then(
    (answer) => ({ version: answer.agentInfo?.version ?? "" }),
    (error: unknown) => ({ finish: finishOf(error) }),
  );
  void hello.then(windDown);
  const { exit } = await end;
  link.close();
  const said = await hello;
  if (exit.error !== undefined) {
    const where = site === undefined ? "" : `; see ${site}`;
    return { installed: false, why: `${oneLine(exit.error)}${where}` };
  }
  if ("version" in said) {
    const { version } = said;
    return { installed: true, ...(version === "" ? {} : { version: oneLine(version, 40) }) };
  }
  const { finish } = said;
  const why = finish.kind === "failed" ? finish.failure.message : exit.stderr;
  const line = command.join(" ");
  return {
    installed: true,
    why: oneLine(`${name} does not speak ACP: ${line} ${why || "ended at once"}`, 300),
  };
}
