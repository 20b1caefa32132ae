import { join } from "node:path";
import { sameSpecIn } from "../../engine/run-trees.ts";
import type { TrunkRecord } from "../../engine/trunk-record.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import type { Trunk } from "./trunk.ts";

/** A spec in the user's tree and in the run's, with the hashes of the user's files when they were last brought. */
export interface Part {
  readonly home: Spec;
  readonly spec: Spec;
  readonly files: TrunkRecord["files"];
}

/** The spec itself, or an epic followed by its specs. */
export const partsOf = (
  { home, spec }: Pick<Trunk, "home" | "spec">,
  { files, members }: Pick<TrunkRecord, "files" | "members">,
): Part[] => [
  { home, spec, files },
  ...Object.entries(members).map(([folder, member]) => {
    const own = specAt(home.project, join(home.project.root, folder));
    return { home: own, spec: sameSpecIn(own, spec.project), files: member.files };
  }),
];
