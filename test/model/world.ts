import { createHash } from "node:crypto";
import type { Edition } from "../../src/layouts/layout.ts";
import type { Agreement } from "../../src/run/agreement.ts";
import type { Disk, Outcome } from "../../src/run/decision.ts";
import type { Entry, EventName } from "../../src/run/journal.ts";
import { findLost } from "../../src/run/lost-tasks.ts";
import type { Settings } from "../../src/run/settings.ts";
import { parseState, type StateFile } from "../../src/run/state.ts";
import type { applyDecisions } from "../../src/run/trust.ts";
import type { TaskList } from "../../src/tasks/model.ts";
import { parseTasks } from "../../src/tasks/parse.ts";

export type Who = "a" | "b";
export const PEOPLE: readonly Who[] = ["a", "b"];

/** A session of the client, as far as the loop notices it. */
export interface Session {
  /** It works on a turn, waits for its user, or is gone for good. */
  readonly turn: "works" | "idle" | "gone";
  /** A hook has kept this turn going: `stop_hook_active`. */
  readonly continuing: boolean;
  /** Tasks that its agents work on in the background. */
  readonly agents: readonly string[];
  /** Blocks in a row without a tool call between them; the client has a cap on these. */
  readonly talk: number;
}

/** What the properties remember of the way here; the program does not know it. */
export interface Memory {
  /** Blocks since the user last said "go", or since the run before ended. */
  readonly blocks: number;
  /** Turns that the user allowed when the run began. */
  readonly limit: number;
  /** Reasons to stop that the user has been told since the last continuation. */
  readonly told: readonly Outcome[];
  /** The session that was handed work in this run; anyone, as long as it is bound to none. */
  readonly driver: Who | "anyone" | null;
  /** Sessions that were ever kept going. */
  readonly driven: readonly Who[];
  /** The run had a list of tasks. */
  readonly hadList: boolean;
  /** Sessions that were told of a run which nobody began. */
  readonly strangers: readonly Who[];
  /** It was paused, or its user asked, and has not said "go" since. */
  readonly waits: boolean;
}

/** Everything that can make a difference: the files of one spec, the sessions around it, and what is really done. */
export interface World {
  readonly tasks: string | undefined;
  readonly state: string | undefined;
  /** The run was begun on this machine, as the user's own folder says: no agent reaches that. */
  readonly known: boolean;
  /** The Verify commands that the user agreed to; in the same folder. */
  readonly agreed: Agreement | undefined;
  /** The last line of the journal that counts, in the same folder too: all that a stop reads of it. */
  readonly last: Entry | undefined;
  /** The last word on each task in the journal: all that a claim reads of it. */
  readonly verdicts: Readonly<Record<string, EventName>>;
  readonly head: number;
  /** Tasks whose work is really done, so that their Verify passes. */
  readonly worked: readonly string[];
  readonly sessions: Readonly<Record<Who, Session>>;
  readonly memory: Memory;
}

export const fresh: Session = { turn: "works", continuing: false, agents: [], talk: 0 };

const memoize = <T>(compute: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, (value = compute(text)));
    return value;
  };
};

/** The same few texts come up again and again. */
export const listOf: (text: string) => TaskList = memoize(parseTasks);
const fileOf: (text: string) => StateFile = memoize(parseState);

/** What the file says. What of it counts is another matter. */
export const stateOf = ({ state }: World): StateFile =>
  state === undefined ? { kind: "absent" } : fileOf(state);

/** What is random on a real machine. */
export const TOKEN = "token";

export const diskOf = (
  world: World,
  layout: Edition,
  settings: Settings,
  hold: typeof applyDecisions,
): Disk => ({
  layout,
  settings,
  spec: { name: "demo", basePath: `./${layout.specsDirs[0]}/demo` },
  state: hold(
    stateOf(world),
    world.known && world.last?.loop.open === true ? world.last.held : undefined,
  ),
  record: world.known ? { token: TOKEN } : undefined,
  tasks: world.tasks === undefined ? { kind: "absent" } : { kind: "ok", list: listOf(world.tasks) },
  last: world.last,
  findings: [],
  lost: (list) => findLost(world.agreed, list, verdictsOf(world)),
  head: String(world.head),
});

/** The last word on each task, as entries. */
export const verdictsOf = ({ verdicts }: World): Entry[] =>
  Object.entries(verdicts).map(([task, event]) => ({ task, event })) as Entry[];

export const change = (world: World, who: Who, session: Partial<Session>): World => ({
  ...world,
  sessions: { ...world.sessions, [who]: { ...world.sessions[who], ...session } },
});

const keys = new WeakMap<World, string>();
const texts = new WeakMap<object, string>();

/** Most parts of a world are those of the world before. */
function textOf<T extends object>(part: T, view: (part: T) => object = (same) => same): string {
  let text = texts.get(part);
  if (text === undefined) texts.set(part, (text = JSON.stringify(view(part))));
  return text;
}

/** Of `continued` only zero or not matters, of the moves only whether there were any since the last mark. */
function entryView(entry: Entry): Entry {
  const { continued, mark, moves } = entry.loop;
  const [, before = "", marked] = /^(.*) (\d+)$/.exec(mark) ?? [];
  const isSame = marked === String(moves);
  const loop = { ...entry.loop, continued: Math.min(1, continued), moves: 0 };
  return { ...entry, loop: { ...loop, mark: mark && `${before} ${isSame}` } };
}

/** Two worlds with the same key behave alike from here on. */
export function keyOf(world: World): string {
  let key = keys.get(world);
  if (key !== undefined) return key;
  const { tasks, state, known, agreed, last, verdicts, head, worked, sessions, memory } = world;
  key = createHash("md5")
    .update(
      [
        tasks ?? "-",
        state ?? "-",
        known,
        agreed === undefined ? "-" : textOf(agreed),
        last === undefined ? "-" : textOf(last, entryView),
        textOf(verdicts),
        head,
        textOf(worked),
        textOf(sessions.a),
        textOf(sessions.b),
        textOf(memory),
      ].join("\0"),
    )
    .digest("base64");
  keys.set(world, key);
  return key;
}
