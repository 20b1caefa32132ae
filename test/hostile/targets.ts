import { commandTarget } from "./command.ts";
import { hookTarget } from "./hook.ts";
import { makeStage } from "./place.ts";
import { pureTargets } from "./pure.ts";
import { signalTarget } from "./signal.ts";
import type { Target } from "./target.ts";
import { transcriptTarget } from "./transcript.ts";
import { watchOutput } from "./world.ts";

/** Everything that is fed, with a stage to do it on; `close` puts the world back as it was. */
export function openTargets(): { readonly targets: readonly Target[]; readonly close: () => void } {
  const stage = makeStage();
  const output = watchOutput();
  return {
    targets: [
      hookTarget(stage, output),
      commandTarget(stage, output),
      transcriptTarget(stage),
      signalTarget,
      ...pureTargets,
    ],
    close() {
      output.restore();
      stage.remove();
    },
  };
}
