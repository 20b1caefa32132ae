import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, sep } from "node:path";
import type { Disk } from "../../../../run/decision.ts";
import { currentLoop } from "../../../../run/loop.ts";
import { phaseNamed } from "../../../../layouts/phases.ts";
import { applyWrite, readDisk, removeStaleProgress } from "../../../../store/spec-files.ts";
import { listCheckpoints, removeCheckpoints } from "../../../../git/checkpoint.ts";
import { withLock } from "../../../../store/lock.ts";
import { removeProjectFile } from "../../../../store/project-file.ts";
import { faultOf } from "../../../../store/read.ts";
import { findActiveSpec, shownPath, type Spec } from "../../../../store/spec.ts";
import { forgetSpec } from "../../../../store/vault.ts";
import { CliError, type Command, type Context, EXIT, type Result } from "../../command.ts";
import { requireUser, requireUserWhileOn } from "../../../../engine/authority.ts";
import { implementation, inWords, openSpec } from "../../../../engine/resolve-spec.ts";
import { refuseFolder } from "../../../../engine/run.ts";

export const cancel: Command = {
  name: "cancel",
  summary: "end the run; every file of the spec is kept",
  args: ["[spec]"],
  group: "run",
  options: {
    "delete-spec": {
      type: "boolean",
      summary: "remove the spec's folder too; says what goes, and wants --yes",
    },
    yes: { type: "boolean", summary: "with --delete-spec: really remove it" },
  },
  run(context, input) {
    const spec = openSpec(context, input, input.args[0]);
    requireUserWhileOn(context, spec, "cancel");
    if (input.options["delete-spec"] === true) requireUser(context, spec, "cancel");
    if (input.options["delete-spec"] !== true) return endRun(context, spec);
    return deleteSpec(context, spec, input.options["yes"] === true);
  },
};

function endRun(context: Context, spec: Spec): Result {
  const { layout } = spec.project;
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const now = context.now();
    // Every leftover of a parallel batch goes, however young: nobody will merge it.
    const leftovers = removeStaleProgress(spec, now.at, Number.NEGATIVE_INFINITY);
    // A run whose state someone removed by hand is still on in the journal, and repair would bring it back.
    if (disk.state.kind === "absent" && disk.last?.loop.open !== true) {
      return {
        text: `No run of "${spec.name}" is on.`,
        json: { ok: true, spec: spec.name, cancelled: false, leftovers },
      };
    }
    refuseFolder(spec);
    const state = disk.state.kind === "ok" ? disk.state.state : {};
    const loop = currentLoop(state, disk.last, now);
    try {
      applyWrite(
        spec,
        disk.state,
        { event: "cancelled", loop: { ...loop, open: false }, state: "remove" },
        now.at,
      );
    } catch (error) {
      // Without a journal it is cancelled too: the state is what keeps the agent going.
      if (faultOf(error) === undefined) throw error;
      removeProjectFile(spec.project, spec.state);
    }
    const again = isBefore(disk)
      ? `${inWords(context, layout, "start")} ${spec.name} goes on with the documents`
      : `${implementation(context, layout)} starts again at the first unticked task`;
    return {
      text: `Cancelled the run of "${spec.name}". Its tasks, progress and documents are kept; ${again}.`,
      json: { ok: true, spec: spec.name, cancelled: true, leftovers },
    };
  });
}

/** Whether there is nothing to execute yet. */
const isBefore = ({ layout, state, tasks }: Disk): boolean =>
  tasks.kind === "absent" ||
  (state.kind === "ok" && phaseNamed(layout, state.state.phase) !== undefined);

function deleteSpec(context: Context, spec: Spec, confirmed: boolean): Result {
  const { project } = spec;
  const real = realpathSync(spec.folder);
  const roots = project.specsDirs
    .filter((folder) => existsSync(folder))
    .map((folder) => realpathSync(folder));
  const holdsMore = [...roots, realpathSync(project.root)].some((folder) =>
    `${folder}${sep}`.startsWith(`${real}${sep}`),
  );
  if (!roots.includes(dirname(real)) || holdsMore || basename(real).startsWith(".")) {
    throw new CliError(
      EXIT.refused,
      `${spec.basePath} is not a ${project.layout.unit} directly inside a folder for ${project.layout.unit}s, so it is not removed`,
      "remove it by hand if you mean it",
    );
  }
  const active = findActiveSpec(project);
  const pointers =
    active.kind === "ok" && active.spec.folder === spec.folder
      ? [shownPath(project, project.pointer)]
      : [];
  const goes = [...readdirSync(real).map((name) => `${spec.basePath}/${name}`), ...pointers];
  if (!confirmed) {
    return {
      code: EXIT.refused,
      text: `This would remove ${spec.basePath} for good:\n${goes.map((path) => `  ${path}`).join("\n")}\nNothing is removed yet; add --yes to do it.`,
      json: { ok: false, spec: spec.name, wouldRemove: goes },
    };
  }
  endRun(context, spec);
  if (pointers.length > 0) removeProjectFile(project, project.pointer);
  removeCheckpoints(spec, listCheckpoints(spec));
  forgetSpec(spec);
  rmSync(real, { recursive: true });
  return {
    text: `Removed ${spec.basePath} (${goes.length} entries).`,
    json: { ok: true, spec: spec.name, removed: goes },
  };
}
