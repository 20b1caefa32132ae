import { basename } from "node:path";
import type { Equipped } from "../engine/equip-tree.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { readTrunkRecord, writeTrunkRecord } from "../engine/trunk-record.ts";
import { headOf } from "../git/own-tree.ts";
import { rememberTree, repairTree } from "../git/repair-tree.ts";
import { readWorkTree } from "../git/working-tree.ts";
import { describeMissing } from "../run/installed.ts";
import { findGit } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import { openApart } from "./apart-ground.ts";
import type { RunGround } from "./ground.ts";
import { isTask } from "./jobs.ts";
import { watchTree } from "./trees/aftermath.ts";
import { returnToBranch, noteStart, rewindTo } from "./trees/attempt-start.ts";
import { checkOut } from "./trees/check-out.ts";
import { equip, type EquipOptions } from "./trees/equip.ts";
import { holdHead } from "./trees/hold-head.ts";
import { dropListEdits, keepList, tellPutBack } from "./trees/keep-list.ts";
import { undoUnsettled } from "./trees/merge-queue.ts";
import { closeTrunk, openTrunk } from "./trees/open-trunk.ts";
import { discardTrunk } from "./trees/take.ts";
import { removeTaskTrees } from "./trees/task-tree.ts";
import type { Trunk } from "./trees/trunk.ts";

/** Opens the run's own work tree and branch: the user's tree stays as it is. */
export async function openOwnGround(
  request: Request,
  home: Spec,
  options: EquipOptions,
  isInEpic = false,
): Promise<RunGround> {
  const trunk = openTrunk(home, request.now().at, isInEpic);
  // If a killed run left a group half done, the group begins again.
  undoUnsettled(trunk);
  removeTaskTrees(trunk);
  const { spec, branch, notes, leftOut } = trunk;
  const equipped = isEquipped(trunk) ? READY : await equip(request, trunk, options);
  if (equipped.failed !== undefined && trunk.isNew) discardTrunk(trunk, request.now().at);
  if (equipped.failed !== undefined)
    throw new Refusal(
      "refused",
      equipped.failed,
      `fix run_setup in your settings; it printed: ${oneLine(equipped.output, 500)}`,
    );
  noteEquipped(trunk);
  const common = findGit(trunk.top)?.common;
  const writable = common === undefined ? [] : [common];
  const known = rememberTree(trunk.top, branch);
  const head = holdHead(trunk);
  let base: string | undefined;
  return {
    spec,
    cwd: spec.project.root,
    isOwn: true,
    branch,
    writable,
    notes: [
      ...notes,
      ...describeMissing(equipped.shared, "run_setup"),
      ...(leftOut.length === 0 ? [] : [tellLeftOut(leftOut)]),
    ],
    begin(job) {
      if (isTask(job)) noteStart(spec, job);
      // The list itself may be what the agent is to write, for the second time.
      const putBack = job.id === basename(spec.tasks) ? () => false : keepList(spec);
      base = headOf(trunk.top);
      const leave = watchTree(known, job, base);
      return () => {
        const left = leave();
        if (left.failed !== undefined && canRead(trunk)) rewindTo(spec, job.id);
        const strayed =
          left.failed ?? (base === undefined ? undefined : returnToBranch(trunk, job, base));
        const kept =
          strayed === undefined && base !== undefined && isTask(job)
            ? dropListEdits(trunk, base)
            : undefined;
        if (kept !== undefined) rewindTo(spec, job.id);
        const failed = strayed ?? kept;
        head.note();
        return {
          notes: [...left.notes, ...(putBack() ? [tellPutBack(job.id)] : [])],
          ...(failed === undefined ? {} : { failed }),
        };
      };
    },
    async rewind(task) {
      if (known !== undefined) repairTree(known, base);
      rewindTo(spec, task);
      head.note();
    },
    checkOut: () => checkOut(request, trunk, options),
    noteProven(proven) {
      const record = readTrunkRecord(trunk.place);
      if (record !== undefined) writeTrunkRecord(trunk.place, { ...record, proven });
    },
    apart: (job) => openApart(request, trunk, job, { writable, options, head }),
    close(isUnbegun = false) {
      removeTaskTrees(trunk);
      if (isUnbegun && trunk.isNew) discardTrunk(trunk, request.now().at);
      else closeTrunk(trunk);
    },
  };
}

const canRead = ({ top }: Trunk): boolean => readWorkTree(top) !== undefined;

/** False if the setup failed or was interrupted, even in an old tree. */
const isEquipped = ({ place }: Trunk): boolean => readTrunkRecord(place)?.equipped === true;

function noteEquipped({ place }: Trunk): void {
  const record = readTrunkRecord(place);
  if (record?.equipped === false) writeTrunkRecord(place, { ...record, equipped: true });
}

const READY: Equipped = { shared: [], output: "" };

const tellLeftOut = (names: readonly string[]): string =>
  `${counted(names.length, "uncommitted file")} of yours ${names.length === 1 ? "is" : "are"} not in the run's tree: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`;
