import { SESSION } from "../host.ts";
import type { WireAnswer } from "../wire.ts";
import type { HookCalls } from "./ask-hook.ts";
import type { BusEvent, Client, Fault, Message, Part, Spoken } from "./client.ts";
import { keepInTurn } from "./in-turn.ts";
import {
  ABORTED,
  forBoth,
  forModel,
  forUser,
  INTERRUPTED,
  isOurs,
  textOf,
  wasInterrupted,
} from "./parts.ts";
import { type Session, trackSessions } from "./sessions.ts";

/** What the bridge needs of the world. */
export interface Ports {
  readonly client: Client;
  /** Where the client was started. */
  readonly cwd: string;
  readonly hook: HookCalls;
  /** Whether any run may concern this folder: asked often, so it starts no process. */
  readonly mayHaveRun: () => boolean;
  /** How our commands begin, without the slash. */
  readonly prefix: string;
  /** The client ends with the first turn, and nobody looks at a screen. */
  readonly endsWithTurn: boolean;
  readonly print: (line: string) => void;
}

/** OpenCode's events, translated for our hook, and its answers for OpenCode. Decides nothing itself. */
export function bridge({ client, cwd, hook, mayHaveRun, prefix, endsWithTurn, print }: Ports) {
  const sessions = trackSessions(client);
  const inTurn = keepInTurn(client, decide);

  const ask = (event: string, session: Session, more: object = {}): Promise<WireAnswer> =>
    hook.ask(event, { session: session.id, cwd, ...more });

  async function decide(session: Session, about: string, message: string): Promise<WireAnswer> {
    session.decided = about;
    const answer = await ask("stop", session, {
      message,
      continuing: session.continuing,
      agents: await sessions.busyBelow(session.id),
    });
    session.isOn = answer.reason !== undefined;
    session.continuing = session.isOn;
    if (endsWithTurn && answer.say !== undefined) print(answer.say);
    return answer;
  }

  /** What the user typed, and what our hook adds to it. */
  async function prompt(session: Session, text: string): Promise<string | undefined> {
    session.spoken++;
    session.continuing = false;
    const { say, context } = await ask("prompt", session, { prompt: text });
    if (context !== undefined) session.isOn = true;
    if (say !== undefined) show(say);
    return context;
  }

  async function isCutOff({ id }: Session): Promise<boolean> {
    const { data } = await client.session.messages({ path: { id }, query: { limit: 2 } });
    return data !== undefined && wasInterrupted(data);
  }

  /** The first words in a session, maybe where a run was left: what our hook says about that. */
  async function begin(session: Session): Promise<string | undefined> {
    const { say, context } = await ask("session-start", session);
    if (say !== undefined) show(say);
    return context;
  }

  function show(line: string): void {
    if (endsWithTurn) print(line);
    else void client.tui.showToast({ body: { message: line, variant: "info" } }).catch(() => {});
  }

  /** The end of a turn, where the client goes on without one. */
  async function stopped(session: Session): Promise<void> {
    const path = { id: session.id };
    const { spoken } = session;
    const { data } = await client.session.messages({ path, query: { limit: 2 } });
    const last = data?.at(-1);
    if (last?.info.role !== "assistant" || last.info.id === session.decided) return;
    // The client notes an error after it has said that the turn is over.
    if (last.info.error !== undefined || last.info.finish === undefined) return;
    const { reason, say } = await decide(session, last.info.id, textOf(last.parts));
    // The user has typed meanwhile: their turn ends with a stop, too.
    if (session.spoken !== spoken) return;
    if (reason !== undefined)
      await client.session.promptAsync({
        path,
        body: { ...session.as, parts: forBoth(say, reason) },
      });
    else if (say !== undefined)
      await client.session.prompt({
        path,
        body: { ...session.as, noReply: true, parts: [forUser(say)] },
      });
  }

  async function failed(session: Session, error: Fault): Promise<void> {
    if (error.name === ABORTED) return;
    const why = error.data?.message;
    await ask("stop-failure", session, {
      error: why === undefined ? error.name : `${error.name}: ${why}`,
    });
  }

  return {
    async event({ event }: { readonly event: BusEvent }): Promise<void> {
      sessions.note(event);
      const { sessionID, error } = event.properties;
      if (sessionID === undefined) return;
      const isFailure = event.type === "session.error" && error !== undefined;
      if (event.type !== "session.idle" && !isFailure) return;
      // Escape ends what was decided about the turn.
      if (endsWithTurn && !isFailure) hook.end(sessionID);
      const isBroken = sessions.isBroken(sessionID);
      const session = await sessions.find(sessionID);
      if (session.parent !== undefined || !mayHaveRun()) return;
      if (isFailure) await failed(session, error);
      else if (!endsWithTurn && !isBroken) await stopped(session);
    },

    async "command.execute.before"(
      typed: { readonly command: string; readonly sessionID: string; readonly arguments: string },
      { parts }: { readonly parts: Part[] },
    ): Promise<void> {
      const session = await sessions.find(typed.sessionID);
      if (session.parent !== undefined) return;
      const line = `/${typed.command} ${typed.arguments}`.trim();
      session.command = typed.command.startsWith(prefix) ? undefined : line;
      if (session.command !== undefined) return;
      const before = (await isCutOff(session)) ? [INTERRUPTED] : [];
      const context = await prompt(session, line);
      if (context === undefined) return;
      const rest = parts.filter(({ type }) => type !== "text");
      parts.splice(
        0,
        parts.length,
        ...before,
        { ...forModel(line), synthetic: false },
        forModel(context),
        ...rest,
      );
    },

    async "chat.message"(
      { sessionID }: { readonly sessionID: string },
      { message, parts }: Spoken,
    ): Promise<void> {
      sessions.repair(sessionID);
      const session = await sessions.find(sessionID);
      if (session.parent !== undefined) return;
      const { agent, model } = message;
      session.as = {
        ...(agent === undefined ? {} : { agent }),
        ...(model === undefined
          ? {}
          : { model: { providerID: model.providerID, modelID: model.modelID } }),
        ...(model?.variant === undefined ? {} : { variant: model.variant }),
      };
      const last = parts.at(-1);
      if (last === undefined || parts.some(isOurs)) return;
      const text = session.command ?? textOf(parts);
      session.command = undefined;
      const isCommand = text.includes(`/${prefix}`);
      if (!isCommand && !mayHaveRun()) return;
      const cut = await isCutOff(session);
      const isFirst = session.spoken === 0 && !isCommand;
      const told = [isFirst ? await begin(session) : undefined, await prompt(session, text)];
      const context = told.filter((one) => one !== undefined).join("\n\n");
      // Parts are in the order of their ids.
      const first = { ...parts[0], ...INTERRUPTED, id: (parts[0]?.id ?? "").slice(0, -1) };
      if (cut) parts.unshift(first);
      if (context !== "") parts.push({ ...last, ...forModel(context), id: `${last.id}0` });
    },

    async "shell.env"(
      { sessionID }: { readonly sessionID?: string },
      { env }: { readonly env: Record<string, string> },
    ): Promise<void> {
      if (sessionID !== undefined) env[SESSION] = await sessions.rootOf(sessionID);
    },

    async "experimental.text.complete"(said: {
      readonly sessionID: string;
      readonly messageID: string;
    }): Promise<void> {
      if (!endsWithTurn) return;
      const session = await sessions.find(said.sessionID);
      if (session.isOn && mayHaveRun()) await inTurn.hold(session, said.messageID);
    },

    async "experimental.chat.messages.transform"(
      _: unknown,
      { messages }: { readonly messages: Message[] },
    ): Promise<void> {
      if (endsWithTurn) await inTurn.release(messages);
    },

    async dispose(): Promise<void> {
      hook.end();
    },

    /** In quick mode nobody is there to answer. */
    async denies(sessionID: string): Promise<string | undefined> {
      const session = await sessions.find(await sessions.rootOf(sessionID));
      return mayHaveRun() ? (await ask("question", session)).deny : undefined;
    },
  };
}
