import { Refusal } from "../../engine/refusal.ts";
import type { Spec } from "../../store/spec.ts";
import { realPathOf } from "../../store/vault-place.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { placeOf, readTrunkRecord } from "./record.ts";

/** The newest work on a spec may be in the tree of a run: whoever goes on here would do it again. */
export function refuseUntaken(spec: Spec): void {
  const place = placeOf(spec);
  const record = place && readTrunkRecord(place);
  if (record?.folder !== realPathOf(spec.folder) || !["open", "taking"].includes(record.stage))
    return;
  throw new Refusal(
    "refused",
    `a run has worked on "${spec.name}" in its own tree, and its work is not here yet`,
    `${SHELL_PROGRAM} take ${spec.name} brings it, ${SHELL_PROGRAM} run ${spec.name} goes on there`,
  );
}
