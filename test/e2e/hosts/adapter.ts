import { join } from "node:path";
import { installNode, NODES } from "../../nodes/install.ts";
import { type Download, installOnce } from "../../support/download.ts";
import type { Layout, Place } from "../place.ts";
import type { ToolCall } from "../wire.ts";
import type { Seen } from "../wires/port.ts";
import type { BehaviourId } from "./behaviours.ts";

/** Where a client runs: a project and a home of the test's own, and the programs that are needed for it. */
export interface Seat {
  readonly place: Place;
  /** The client's program. */
  readonly client: string;
  /** A Node that is new enough for every client. */
  readonly node: string;
}

/** A seat in front of a model. Two sessions in one home may have different ones: its address is no setting of the home. */
export interface Table extends Seat {
  readonly url: string;
}

/** One conversation with a client, as its user has it. */
export interface Session {
  /** Sends a prompt, and waits until the client has nothing more to do. The first one opens the session. */
  say(prompt: string): Promise<Said>;
  /** Ends the turn in the middle, as Escape or Control-C does; what is said next goes to the same session. */
  interrupt(): void;
  close(): Promise<void>;
}

/** What came of a prompt. */
export interface Said {
  /** All that the client printed, on both of its outputs. */
  readonly output: string;
  readonly timedOut: boolean;
}

/** A client as the suite runs it: everything in which it differs from the others, and nothing about what is tested. */
export interface Adapter {
  /** As the program calls it: `codex`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The npm package, and the version that is tested. */
  readonly package: string;
  readonly version: string;
  /** The client's program below the folder into which npm installed the package. */
  readonly find: Download["find"];
  /** Where it is kept, if not in `<id>-<version>`. */
  readonly folder?: (version: string) => string;
  /** Who does the tasks: sub-agents that the main agent starts, or the main agent itself. */
  readonly worker: "agents" | "self";
  /**
   * How the main agent reports a task where it does it itself: with its last message, which the hook sees; or with
   * `done`, where a turn's end does not carry one or the client counts turns.
   */
  readonly reports: "message" | "done";
  /** What the user types for a command, `implement demo`. */
  readonly type: (layout: Layout, command: string) => string;
  /** How an agent calls our program in its shell. */
  readonly program: (layout: Layout) => string;
  /** The agent's own tool for a shell command. */
  readonly shell: (command: string) => ToolCall;
  /** The variable that names the session in that shell, if the client sets one. */
  readonly sessionVariable?: string;
  /** Calls of the client itself that have tools all the same. */
  readonly isSide?: (seen: Seen) => boolean;
  /** Installs our plugin into the home, as a user does. */
  readonly install: (seat: Seat) => Promise<void>;
  readonly open: (table: Table) => Promise<Session>;
  /** What does not hold here, with the reason as `docs/compatibility.md` has it. */
  readonly differences: Partial<Readonly<Record<BehaviourId, string>>>;
}

/** Every client runs with it. Named once, in the list of those that are tested. */
const NODE = NODES[1];

/** The variable that asks for other versions than the pinned ones: `latest`, then made into `codex@1.2.3 …` by the setup. */
export const VERSIONS = "CLIENT_VERSIONS";

/** The version that is run: the pinned one, unless somebody asks for another. */
export function versionOf({ id, version }: Pick<Adapter, "id" | "version">): string {
  const asked = (process.env[VERSIONS] ?? "").split(" ").find((one) => one.startsWith(`${id}@`));
  return asked?.slice(id.length + 1) ?? version;
}

/** The client's program, downloaded once. */
export function installAdapter(adapter: Adapter): Promise<string> {
  const version = versionOf(adapter);
  return installOnce({
    what: `${adapter.name} ${version}`,
    folder: adapter.folder?.(version) ?? `${adapter.id}-${version}`,
    package: `${adapter.package}@${version}`,
    find: adapter.find,
  });
}

/** The Node that clients run with, downloaded once. */
export async function installClientNode(): Promise<string> {
  const installed = await installNode(NODE);
  if ("why" in installed) throw new Error(`clients need Node ${NODE}: ${installed.why}`);
  return installed.program;
}

/** The folder of our plugin's programs, as a clone of the repository has it. */
export const binOf = (root: string, layout: Layout): string =>
  join(root, "plugins", layout.plugin, "bin", layout.plugin);
