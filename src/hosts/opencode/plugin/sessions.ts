import type { As, BusEvent, Client } from "./client.ts";

/** What we know about a session of the client while it runs. */
export interface Session {
  readonly id: string;
  /** Undefined for a session of the user's own; sub-agents have one of their own, below it. */
  parent: string | undefined;
  /** How often the user has spoken. */
  spoken: number;
  /** The last thing that its agent heard came from us. */
  continuing: boolean;
  /** A run may be on in it. */
  isOn: boolean;
  /** The agent's message about which we have decided. */
  decided: string | undefined;
  /** A command that is not ours, as the user typed it: the next message is what its file says. */
  command: string | undefined;
  as: As;
}

export interface Sessions {
  note(event: BusEvent): void;
  /** Whether the turn that ends was interrupted or has failed. */
  isBroken(id: string): boolean;
  /** A new turn begins. */
  repair(id: string): void;
  find(id: string): Promise<Session>;
  /** The user's own session above this one. */
  rootOf(id: string): Promise<string>;
  /** How many sub-agents of a session are at work. */
  busyBelow(id: string): Promise<number>;
}

/** Sub-agents may start sub-agents; nothing goes deeper than this. */
const MAX_DEPTH = 8;

export function trackSessions(client: Client): Sessions {
  const known = new Map<string, Session>();
  const busy = new Set<string>();
  const broken = new Set<string>();

  function remember(id: string, parent: string | undefined): Session {
    const session = known.get(id) ?? {
      id,
      parent,
      spoken: 0,
      continuing: false,
      isOn: false,
      decided: undefined,
      command: undefined,
      as: {},
    };
    known.set(id, session);
    return session;
  }

  async function find(id: string): Promise<Session> {
    const session = known.get(id);
    if (session !== undefined) return session;
    const { data } = await client.session.get({ path: { id } });
    return remember(id, data?.parentID);
  }

  async function rootOf(id: string): Promise<string> {
    let at = id;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const { parent } = await find(at);
      if (parent === undefined) break;
      at = parent;
    }
    return at;
  }

  return {
    note({ type, properties: { sessionID, info, status } }) {
      if (type === "session.created" && info !== undefined) remember(info.id, info.parentID);
      if (sessionID === undefined) return;
      if (type === "session.error") broken.add(sessionID);
      if (type !== "session.status") return;
      if (status?.type === "idle") busy.delete(sessionID);
      else busy.add(sessionID);
    },
    isBroken: (id) => broken.has(id),
    repair: (id) => void broken.delete(id),
    find,
    rootOf,
    async busyBelow(id) {
      const others = [...busy].filter((one) => one !== id);
      const roots = await Promise.all(others.map(rootOf));
      return roots.filter((root) => root === id).length;
    },
  };
}
