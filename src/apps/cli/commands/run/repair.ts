import { planRepair } from "../../../../run/plan-run.ts";
import { slash } from "../../../../layouts/layout.ts";
import { phaseNamed } from "../../../../layouts/phases.ts";
import { locate } from "../../../../tasks/position.ts";
import { applyWrite, readDisk } from "../../../../store/spec-files.ts";
import { withLock } from "../../../../store/lock.ts";
import { CliError, type Command, EXIT } from "../../command.ts";
import { implementation, openSpec, sessionOf } from "../../../../engine/resolve-spec.ts";
import { refuseFolder, refuseStranger, tasksOf } from "../../../../engine/run.ts";
import { idsOf } from "../../../../engine/start-run.ts";

export const repair: Command = {
  name: "repair",
  summary: "rebuild the state from tasks.md and the journal; the counts go on",
  group: "agent",
  run(context, input) {
    const spec = openSpec(context, input);
    return withLock(spec.lock, () => {
      const disk = readDisk(spec);
      const { layout } = spec.project;
      const isOn = disk.record !== undefined && disk.last?.loop.open === true;
      if (disk.state.kind === "absent" && !isOn) {
        throw new CliError(
          EXIT.missing,
          `there is nothing to repair: no run of "${spec.name}" is on`,
          `start one with ${implementation(context, layout)} ${spec.name}`,
        );
      }
      refuseStranger(context, disk, spec);
      const phase = disk.state.kind === "ok" ? disk.state.state.phase : undefined;
      if (phaseNamed(layout, phase) !== undefined) {
        throw new CliError(
          EXIT.missing,
          `there is nothing to repair: "${spec.name}" is in phase ${phase}`,
          `${slash(layout, "start")} goes on with it`,
        );
      }
      const list = tasksOf(context, spec, disk);
      refuseFolder(spec);
      const now = context.now();
      const { brief, write } = planRepair(disk, list, sessionOf(context), now);
      applyWrite(spec, disk.state, write, now.at);
      const { open, total } = locate(list);
      return {
        text: `The state is rebuilt from tasks.md: ${total - open.length} of ${total} tasks done, turn ${write.loop.iteration} of ${write.loop.maxIterations}. End your turn; the loop goes on.`,
        json: { ok: true, spec: spec.name, open: open.length, total, next: idsOf(brief) },
      };
    });
  },
};
