import type { Decision } from "../../src/run/decision.ts";
import type { Setting } from "./program.ts";
import type { Who, World } from "./world.ts";

/** Something that somebody does next, and the world after it. */
export interface Move {
  readonly name: string;
  readonly world: World;
  /** For a stop that was answered: whose, and how. */
  readonly stopped?: { readonly who: Who; readonly decision: Decision };
  /** For a report: the task, so that a box ticked for it can be held against the work. */
  readonly reported?: string;
  /** The report says of itself that it is not so. */
  readonly contradicts?: true;
}

/** Who does what; a scenario picks. Stopping, and the user's typing, are always on. */
export type Actor =
  | "reports"
  | "fails"
  | "reshapes"
  | "edits the state"
  | "forges the state"
  | "edits the tasks"
  | "other session"
  | "background"
  | "user"
  | "helps itself"
  | "busy"
  | "dies";

/** After so many blocks in a row without a tool call the client ends the turn itself. */
export interface Client {
  readonly blockCap: number;
}

export interface Game extends Setting {
  readonly actors: ReadonlySet<Actor>;
  /** Turns that the user allows. */
  readonly maxIterations: number;
  readonly client: Client;
}
