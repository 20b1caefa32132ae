import type { WireAnswer } from "../wire.ts";
import type { Client, Message, Part } from "./client.ts";
import { forNobody, goesOn, isOurs, textOf } from "./parts.ts";
import type { Session } from "./sessions.ts";

/** A message of ours that waits for the end of the agent's. */
interface Hold {
  readonly session: Session;
  /** The agent's message. */
  readonly after: string;
  readonly part: Part;
}

export interface InTurn {
  hold(session: Session, after: string): Promise<void>;
  release(messages: Message[]): Promise<void>;
}

/**
 * How a turn is kept going where the client ends with it (`opencode run`): there, a new turn would come too late. A turn
 * ends when the agent has answered the last message. So while it still speaks a message that nobody sees is put after
 * its own, and before the model is asked about that one we decide: the message becomes the next task, or the turn ends.
 */
export function keepInTurn(
  client: Client,
  decide: (session: Session, after: string, message: string) => Promise<WireAnswer>,
): InTurn {
  const holds = new Map<string, Hold>();
  const filled = new Map<string, string>();

  /** The model is shown what the client keeps. If it did not keep what we filled in, that is done again. */
  function show(message: Message): void {
    const text = filled.get(message.info.id);
    const part = message.parts.find(isOurs);
    if (text !== undefined && part?.ignored === true) Object.assign(part, { text, ignored: false });
  }

  return {
    async hold(session, after) {
      if ([...holds.values()].some((hold) => hold.after === after)) return;
      const { data } = await client.session.prompt({
        path: { id: session.id },
        body: { ...session.as, noReply: true, parts: [forNobody()] },
      });
      const [part] = data?.parts ?? [];
      if (data !== undefined && part !== undefined)
        holds.set(data.info.id, { session, after, part });
    },

    async release(messages) {
      for (const message of messages) show(message);
      const last = messages.findLast(({ info }) => info.role === "user");
      const hold = last === undefined ? undefined : holds.get(last.info.id);
      const said = messages.find(({ info }) => info.id === hold?.after);
      if (last === undefined || hold === undefined || said === undefined) return;
      if (goesOn(said)) return;
      holds.delete(last.info.id);
      const id = hold.session.id;
      const { reason } = await decide(hold.session, said.info.id, textOf(said.parts));
      if (reason === undefined) {
        await client.session.abort({ path: { id } });
        return;
      }
      filled.set(last.info.id, reason);
      show(last);
      await client._client.patch({
        url: `/session/${id}/message/${last.info.id}/part/${hold.part.id}`,
        body: { ...hold.part, text: reason, ignored: false },
        headers: { "content-type": "application/json" },
      });
    },
  };
}
