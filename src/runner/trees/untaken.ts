import { Refusal } from "../../engine/refusal.ts";
import { isSameOrBelow } from "../../store/containment.ts";
import type { Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { goOnCommand, lastOptions } from "../go-on.ts";
import { placeOf, readTrunkRecord, treesFolder } from "./record.ts";
import { sameProjectIn, sameSpecIn } from "./trunk.ts";

/** The spec in a run's tree, if a run has worked on it and was not taken: the newest work is there. */
export function findUntaken(spec: Spec): Spec | undefined {
  const place = placeOf(spec);
  const record = place && readTrunkRecord(place);
  const isOpen = record?.stage === "open" || record?.stage === "taking";
  if (place === undefined || !isOpen || record.folder !== realPathOf(spec.folder)) return undefined;
  return sameSpecIn(spec, sameProjectIn(spec.project, place.top));
}

/** Whether this copy of a spec is in a run's tree. */
export function isRunTree({ project }: Pick<Spec, "project">): boolean {
  const trees = treesFolder();
  return trees !== undefined && isSameOrBelow(realPathOf(project.root), trees);
}

/** Refuses if a run's work was not taken yet: it would be done again here. */
export function refuseUntaken(spec: Spec, options?: readonly string[]): void {
  if (findUntaken(spec) === undefined) return;
  const { why, fix } = tellUntaken(spec, options);
  throw new Refusal("refused", why, fix);
}

export function tellUntaken(
  { name, project }: Spec,
  options: readonly string[] = lastOptions(project.root, name),
): { readonly why: string; readonly fix: string } {
  const others = options.filter((word) => word !== "--here");
  return {
    why: `a run has worked on "${name}" in its own tree, and its work is not here yet`,
    fix: `${SHELL_PROGRAM} take ${name} brings it, ${goOnCommand([name], others)} goes on there`,
  };
}
