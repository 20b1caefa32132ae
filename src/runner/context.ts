import type { Agent } from "../agents/port.ts";
import type { Request } from "../engine/request.ts";
import type { Layout } from "../layouts/layout.ts";
import type { Edition } from "../layouts/layout.ts";
import type { Assignments, Worker } from "./assignments.ts";
import type { RunNews } from "./events.ts";
import type { RunOptions } from "./options.ts";
import type { Stage } from "./stage.ts";

/** One run of `smart-ralph run`: everything that its specs share. */
export interface RunContext {
  readonly id: string;
  /** The session that the engine knows it by. */
  readonly session: string;
  readonly worker: Worker;
  /** Of whoever started it. */
  readonly request: Request;
  readonly edition: (layout: Layout) => Edition;
  readonly options: RunOptions;
  readonly agents: readonly Agent[];
  readonly assignments: Assignments;
  readonly stage: Stage;
  readonly emit: (news: RunNews) => void;
  /** Somebody may answer questions while it waits. */
  readonly isAttended: boolean;
  readonly despiteChecklists: boolean;
}
