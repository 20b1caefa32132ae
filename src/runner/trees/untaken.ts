import { Refusal } from "../../engine/refusal.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import type { Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { goOnCommand, lastOptions } from "../go-on.ts";
import { placeOf, readTrunkRecord, treesFolder } from "./record.ts";
import { projectThere, specThere } from "./trunk.ts";

/** The spec as it is in the tree of a run, if one has worked on it since: the newest work is there. */
export function findUntaken(spec: Spec): Spec | undefined {
  const place = placeOf(spec);
  const record = place && readTrunkRecord(place);
  const isOpen = record?.stage === "open" || record?.stage === "taking";
  if (place === undefined || !isOpen || record.folder !== realPathOf(spec.folder)) return undefined;
  return specThere(spec, projectThere(spec.project, place.top));
}

/** Whether a spec is seen where a run works on it. */
export function isRunTree({ project }: Pick<Spec, "project">): boolean {
  const trees = treesFolder();
  return trees !== undefined && isSameOrBelow(realPathOf(project.root), trees);
}

/** Whoever went on here would do the work again. */
export function refuseUntaken(spec: Spec, options?: readonly string[]): void {
  if (findUntaken(spec) === undefined) return;
  const given = options ?? lastOptions(spec.project.root, spec.name);
  const there = given.filter((word) => word !== "--here");
  throw new Refusal(
    "refused",
    `a run has worked on "${spec.name}" in its own tree, and its work is not here yet`,
    `${SHELL_PROGRAM} take ${spec.name} brings it, ${goOnCommand([spec.name], there)} goes on there`,
  );
}
