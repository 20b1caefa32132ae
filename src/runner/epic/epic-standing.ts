import { isHeld, placeOf, readTrunkRecord } from "../../engine/trunk-record.ts";
import { type EpicPlace, findEpic } from "../../epic/files.ts";
import { workerOn } from "../../store/lease.ts";
import { specAt } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { countTasks } from "../run-spec.ts";
import { listSpecTrunks, trunkOf } from "./epic-tree.ts";

/** The run of an epic whose branch the user has not taken yet. */
export interface EpicRunStanding {
  /** The epic in the run's tree, which is authoritative until it is taken. */
  readonly place: EpicPlace;
  readonly branch: string;
  /** The run that works on it now. */
  readonly run: string | undefined;
  /** The specs that have not returned, and how far they are. `isOn`: a run works on it now. */
  readonly specs: readonly {
    readonly name: string;
    readonly isOn: boolean;
    readonly done: number;
    readonly total: number;
  }[];
}

export function readEpicRun(place: EpicPlace): EpicRunStanding | undefined {
  const home = specAt(place.project, place.folder);
  const tree = placeOf(home);
  const record = tree && readTrunkRecord(tree);
  if (record?.folder !== realPathOf(home.folder) || record.stage !== "open") return undefined;
  const trunk = trunkOf(home);
  const inTree = findEpic(trunk.project, place.name);
  if (inTree.kind !== "ok") return undefined;
  return {
    place: inTree.place,
    branch: trunk.branch,
    run: workerOn(place.folder)?.run,
    specs: listSpecTrunks(trunk).map((one) => ({
      name: one.home.name,
      isOn: isHeld(one.record),
      ...countTasks(trunkOf(one.home).spec),
    })),
  };
}
