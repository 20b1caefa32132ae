import type { AgentEvent, Outcome, Work } from "../port.ts";
import { type Supervised, supervise } from "../process/supervise.ts";
import { conclude } from "./conclude.ts";
import { type Link, openLink, readMessage } from "./link.ts";
import type { AcpSettings } from "./quirks.ts";
import { cancelTurn, converse } from "./session.ts";
import { hear, isLooping, isSignOfLife, NOTHING_HEARD, unreported } from "./updates.ts";
import { addResponse } from "./usage.ts";

/** Runs one task, from starting the agent until it has ended. Never rejects. */
export async function runAcp(
  settings: AcpSettings,
  work: Work,
  on: (event: AgentEvent) => void,
  stop: AbortSignal,
): Promise<Outcome> {
  const { quirks = {} } = settings;
  let heard = NOTHING_HEARD;
  let sessionId: string | undefined;
  let fault: string | undefined;
  const link: Link = openLink((text) => supervised.running.write(text));

  /** An uncaught error would end the runner, and the agent would continue alone. */
  function attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      fault ??= error instanceof Error ? error.message : String(error);
      supervised.windDown();
    }
  }
  const tell = (events: readonly AgentEvent[]): void => attempt(() => events.forEach(on));

  function onLine(line: string): void {
    attempt(() => work.record(line));
    const message = readMessage(line);
    if (message === undefined) return;
    if (isSignOfLife(heard, message)) supervised.alive();
    const step = hear(heard, message);
    heard = step.state;
    tell(step.events);
    link.receive(message);
    if (isLooping(heard)) supervised.windDown();
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
  // The start has its own time limits; the silence deadline is for the work.
  const starting = setInterval(() => supervised.alive(), Math.min(1000, work.limits.silentMs / 2));
  const conversation = converse(link.agent, work, quirks, {
    session(id) {
      sessionId = id;
      tell([{ kind: "session", id }]);
    },
    // What it said before is not about the task.
    turn() {
      heard = NOTHING_HEARD;
      clearInterval(starting);
    },
  }).then((finish) => {
    clearInterval(starting);
    const usage =
      finish.kind === "answered" ? addResponse(heard.usage, finish.response) : heard.usage;
    tell([
      ...unreported(heard),
      ...(usage === heard.usage ? [] : [{ kind: "usage", usage } as const]),
    ]);
    heard = { ...heard, usage };
    supervised.windDown();
    // Once it has answered there is nothing left to do, even after a stop.
    supervised.running.endInput();
    return finish;
  });
  const { exit, by, swept } = await supervised.end;
  link.close();
  const finish = await conversation;
  if (swept > 0) tell([{ kind: "swept", count: swept }]);
  const { message: report, usage } = heard;
  if (fault !== undefined)
    return { ending: { kind: "crashed", text: `internal error: ${fault}` }, report, usage };
  const hasBegun = sessionId !== undefined;
  const end = { finish, exit, hasBegun, ...(by === undefined ? {} : { by }) };
  return { ending: conclude(heard, end, Date.now()), report, usage };
}
