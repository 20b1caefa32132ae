import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeNight, type Night } from "./night.ts";
import { honest, scene } from "./scenes.ts";

/** Three tasks. `play` orders what the second one's agent does; `once` is this command, only for its first agent. */
export function threeTasks(
  command: string,
  tags: string,
  play: (once: DemoStep, write: DemoStep, complete: DemoStep) => readonly DemoStep[],
): Night {
  const night = makeNight({
    settings: "default_max_iterations: 3",
    rows: [{ id: "1.1" }, { id: "1.2", tags }, { id: "1.3", tags }],
  });
  const once = { first: 1, count: night.counter("first"), steps: [{ run: command }] };
  const [write, complete] = honest("1.2") as [DemoStep, DemoStep];
  night.scenes([scene("1.2", play(once, write, complete))]);
  return night;
}
