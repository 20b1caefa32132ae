import { planBrief } from "../../core/brief.ts";
import { cacheOf } from "../../core/decide.ts";
import { currentLoop } from "../../core/loop.ts";
import { locate } from "../../core/position.ts";
import { LIMITS, type Raw, type State } from "../../core/state.ts";
import { applyWrite, readDisk } from "../../store/disk.ts";
import { withLock } from "../../store/lock.ts";
import { CliError, type Command, EXIT } from "../command.ts";
import { implementation, openSpec, sessionOf } from "../open.ts";
import { refuseFolder, tasksOf } from "../run.ts";
import { idsOf } from "./begin.ts";

export const repair: Command = {
  name: "repair",
  summary: "rebuild the state from tasks.md and the journal; the counts go on",
  group: "agent",
  run(context, input) {
    const spec = openSpec(context, input);
    return withLock(spec.lock, () => {
      const disk = readDisk(spec);
      const { layout } = spec.project;
      if (disk.state.kind === "absent" && disk.last?.loop.open !== true) {
        throw new CliError(
          EXIT.missing,
          `there is nothing to repair: no run of "${spec.name}" is on`,
          `start one with ${implementation(context, layout)} ${spec.name}`,
        );
      }
      const list = tasksOf(context, spec, disk);
      refuseFolder(spec);
      const now = context.now();
      const old: State = disk.state.kind === "ok" ? disk.state.state : {};
      const raw: Raw = disk.state.kind === "ok" ? disk.state.raw : {};
      const loop = { ...currentLoop(old, disk.last, now), told: null };
      const session = loop.session ?? sessionOf(context);
      const brief = planBrief(spec, list, old, loop);
      const rebuilt: Raw = {
        source: "spec",
        maxFixTasksPerOriginal: LIMITS.maxFixTasksPerOriginal,
        ...raw,
        name: spec.name,
        basePath: spec.basePath,
        phase: "execution",
        globalIteration: loop.iteration,
        maxGlobalIterations: loop.maxIterations,
        maxTaskIterations: loop.maxAttempts,
        ...(session === null ? {} : { sessionId: session }),
        ...cacheOf(brief),
      };
      const why = disk.state.kind === "corrupt" ? disk.state.why : undefined;
      const note = why === undefined ? {} : { note: `the state was unusable, ${why}` };
      applyWrite(
        spec,
        disk.state,
        { event: "repaired", ...note, loop: { ...loop, session }, state: rebuilt },
        now.at,
      );
      const { open, total } = locate(list);
      return {
        text: `The state is rebuilt from tasks.md: ${total - open.length} of ${total} tasks done, turn ${loop.iteration} of ${loop.maxIterations}. End your turn; the loop goes on.`,
        json: { ok: true, spec: spec.name, open: open.length, total, next: idsOf(brief) },
      };
    });
  },
};
