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
 * Starts it and says hello, which costs no call of the model. The login cannot be told from that: who is logged in lists
 * the same ways to log in. The first task tells.
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
  const { running, over, end } = supervise(
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
  void hello.then(over);
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
