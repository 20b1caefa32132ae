import { type EpicPlace, findEpic } from "../../epic/files.ts";
import { holderOf, readLease, specUnit } from "../../store/lease.ts";
import { specAt } from "../../store/spec.ts";
import { realPathOf, vaultFolder } from "../../store/vault-place.ts";
import { countTasks } from "../run-spec.ts";
import { isHeld, placeOf, readTrunkRecord } from "../trees/record.ts";
import { listSpecTrunks, trunkOf } from "./epic-tree.ts";

/** The run of an epic that nobody has taken yet. */
export interface EpicRunStanding {
  /** The epic in its own tree, which counts until it is taken. */
  readonly place: EpicPlace;
  readonly branch: string;
  /** The run that works on it now. */
  readonly run: string | undefined;
  /** The specs that are not back, and how far they are; `isOn`: somebody works on it now. */
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
  const there = findEpic(trunk.project, place.name);
  if (there.kind !== "ok") return undefined;
  const holder = holderOf(readLease(vaultFolder() ?? "", specUnit(place.folder)));
  return {
    place: there.place,
    branch: trunk.branch,
    run: holder?.run,
    specs: listSpecTrunks(trunk).map((one) => ({
      name: one.home.name,
      isOn: isHeld(one.record),
      ...countTasks(trunkOf(one.home).spec),
    })),
  };
}
