import type { Agent, AgentEvent, Outcome, Work } from "../port.ts";
import { type Supervised, supervise } from "../process/supervise.ts";
import { conclude } from "./conclude.ts";
import { type Link, openLink, readMessage } from "./link.ts";
import { probeAcp } from "./probe.ts";
import type { AcpSettings } from "./quirks.ts";
import { cancelTurn, converse } from "./session.ts";
import { hear, isGoingRound, isLife, NOTHING_HEARD, untold } from "./updates.ts";
import { addResponse, hasUsage } from "./usage.ts";

export const acpAgent = (settings: AcpSettings): Agent => ({
  id: settings.id,
  name: settings.name,
  driver: "acp",
  probe: (place) => probeAcp(settings, place),
  run: (work, on, stop) => runAcp(settings, work, on, stop),
});

async function runAcp(
  settings: AcpSettings,
  work: Work,
  on: (event: AgentEvent) => void,
  stop: AbortSignal,
): Promise<Outcome> {
  const { quirks = {} } = settings;
  let heard = NOTHING_HEARD;
  let fault: string | undefined;
  let sessionId: string | undefined;
  const link: Link = openLink((text) => supervised.running.write(text));

  function onLine(line: string): void {
    try {
      work.record(line);
      const message = readMessage(line);
      if (message === undefined) return;
      if (isLife(message)) supervised.alive();
      const step = hear(heard, message);
      heard = step.heard;
      for (const event of step.events) on(event);
      link.receive(message);
    } catch (error) {
      // Thrown from here it would end the runner, and the agent would go on alone.
      fault ??= error instanceof Error ? error.message : String(error);
    }
    if (fault !== undefined || isGoingRound(heard)) supervised.over();
  }

  const modelArgs = work.model === undefined ? [] : (quirks.modelArgs?.(work.model) ?? []);
  const supervised: Supervised = supervise(
    work,
    {
      command: [...settings.command, ...modelArgs],
      env: { ...quirks.env, ...settings.env },
      input: { open: true },
      ownSigns: true,
      onLine,
      cancel: () => (sessionId === undefined ? undefined : cancelTurn(link.agent, sessionId)),
    },
    stop,
  );
  const { running, over, end } = supervised;
  const conversation = converse(link.agent, work, quirks, (id) => {
    sessionId = id;
    on({ kind: "session", id });
  });
  void conversation.then(() => {
    over();
    // After a stop, too, it has nothing more to do once it has answered.
    running.endInput();
  });
  const { exit, by, swept } = await end;
  link.close();
  const finish = await conversation;
  for (const event of untold(heard)) on(event);
  if (finish.kind === "answered") {
    heard = { ...heard, usage: addResponse(heard.usage, finish.response) };
    if (hasUsage(heard.usage)) on({ kind: "usage", usage: heard.usage });
  }
  if (swept > 0) on({ kind: "swept", count: swept });
  const ending =
    fault === undefined
      ? conclude(
          heard,
          { finish, exit, hasBegun: sessionId !== undefined, ...(by === undefined ? {} : { by }) },
          Date.now(),
        )
      : ({ kind: "crashed", text: `internal error: ${fault}` } as const);
  return { ending, report: heard.message, usage: heard.usage };
}
