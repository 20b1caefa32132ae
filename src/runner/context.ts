import type { Request } from "../engine/request.ts";
import type { Assignments, Worker } from "./assignments.ts";
import type { RunOptions } from "./options.ts";
import type { Stage } from "./stage.ts";

/** One run of `smart-ralph run`: everything that its specs share. */
export interface RunContext {
  /** The session that the engine knows it by. */
  readonly session: string;
  readonly worker: Worker;
  /** Of whoever started it. */
  readonly request: Request;
  readonly options: RunOptions;
  readonly assignments: Assignments;
  readonly stage: Stage;
  /** Somebody may answer questions while it waits. */
  readonly isAttended: boolean;
  readonly despiteChecklists: boolean;
}
