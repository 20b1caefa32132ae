import type { Request } from "../engine/request.ts";
import type { claimLease } from "./claim-lease.ts";
import type { RunOptions } from "./options.ts";
import type { Stage } from "./stage.ts";

/** One run of `smart-ralph run`: everything that its specs share. */
export interface RunContext {
  /** The session id that the engine knows the run by. */
  readonly session: string;
  /** Has the authority of whoever started the run. */
  readonly request: Request;
  readonly options: RunOptions;
  /** Claims a spec for this run. */
  readonly claim: (folder: string) => ReturnType<typeof claimLease>;
  readonly stage: Stage;
  /** Whether somebody may answer questions while the run waits. */
  readonly isAttended: boolean;
  readonly despiteChecklists: boolean;
  /** The user typed --strict. */
  readonly strict: boolean;
}
