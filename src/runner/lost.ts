import type { Stage } from "./stage.ts";

/** Why a run was ended that no longer has what it works on. */
export class Lost {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Undefined unless another run may work on the same now: then nothing is written any more. */
export const lostIn = ({ signal }: Pick<Stage, "signal">): string | undefined =>
  signal.reason instanceof Lost ? signal.reason.why : undefined;
