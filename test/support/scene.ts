import type { Edition } from "../../src/layouts/layout.ts";
import { decide } from "../../src/run/decide.ts";
import type { Disk, StopEvent } from "../../src/run/decision.ts";
import type { Entry, Loop } from "../../src/run/journal.ts";
import { startLoop } from "../../src/run/loop.ts";
import { defaultSettings, type Settings } from "../../src/run/settings.ts";
import { parseState } from "../../src/run/state.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { specum } from "./editions.ts";

export const now = { at: "2026-01-01T00:00:00.000Z", runId: "run-2" };
export const SESSION = "session-a";

/** A scene that the last row decides: task 2 of 3 is next. Each row below changes what makes it apply. */
export interface Scene {
  layout: Edition;
  event: { -readonly [K in keyof StopEvent]: StopEvent[K] };
  state: Record<string, unknown> | string | undefined;
  tasks: string | undefined;
  /** What is wrong with the document of a phase. */
  findings: readonly string[];
  loop: Partial<Loop> | undefined;
  head: string;
  stallLimit: number;
  settings?: Partial<Settings>;
}

export const scene = (change: (scene: Scene) => void = () => {}): Scene => {
  const made: Scene = {
    layout: specum,
    event: { sessionId: SESSION, continuing: false, message: "Task reported.", agentsRunning: 0 },
    state: {
      phase: "execution",
      taskIndex: 1,
      totalTasks: 3,
      globalIteration: 4,
      sessionId: SESSION,
    },
    tasks: "- [x] 1.1 one\n- [ ] 1.2 two\n- [ ] 1.3 three\n",
    findings: [],
    loop: { iteration: 4, continued: 3, session: SESSION },
    head: "commit-1",
    stallLimit: defaultSettings.stallLimit,
  };
  change(made);
  return made;
};

function diskOf({ layout, state, tasks, findings, loop, head, stallLimit, settings }: Scene): Disk {
  const entry: Entry = {
    at: now.at,
    event: "continue",
    loop: { ...startLoop(SESSION, {}, undefined, now), ...loop },
  };
  return {
    layout,
    settings: { ...defaultSettings, stallLimit, ...settings },
    spec: { name: "demo", basePath: "./specs/demo" },
    state:
      state === undefined
        ? { kind: "absent" }
        : parseState(typeof state === "string" ? state : JSON.stringify(state)),
    tasks: tasks === undefined ? { kind: "absent" } : { kind: "ok", list: parseTasks(tasks) },
    findings,
    last: loop === undefined ? undefined : entry,
    head,
  };
}

export const run = (made: Scene) => decide(made.event, diskOf(made), now);
export const set = (made: Scene, fields: object): void => {
  made.state = { ...(made.state as object), ...fields };
};

/** The mark that the loop has now, so that nothing seems to move. */
export function stall(made: Scene, times: number): void {
  const mark =
    run({ ...made, loop: { ...made.loop, mark: "" }, stallLimit: 99 }).write?.loop.mark ?? "";
  made.loop = { ...made.loop, mark, stalled: times - 1 };
}
