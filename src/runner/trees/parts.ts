import { join, relative, sep } from "node:path";
import { type Spec, specAt } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import type { TrunkRecord } from "./record.ts";
import { sameSpecIn, type Trunk } from "./trunk.ts";

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

/** The key of an epic's spec in a record. */
export const memberName = ({ folder, project }: Spec): string =>
  relative(realPathOf(project.root), realPathOf(folder)).split(sep).join("/");
