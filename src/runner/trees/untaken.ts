import { Refusal } from "../../engine/refusal.ts";
import { findUntaken, tellUntaken } from "../../engine/run-trees.ts";
import type { Spec } from "../../store/spec.ts";
import { goOnCommand, lastOptions } from "../go-on.ts";

/** Refuses if a run's work was not taken yet: it would be done again here. */
export function refuseUntaken(spec: Spec, options?: readonly string[]): void {
  if (findUntaken(spec) === undefined) return;
  const { why, fix } = whereWorkIs(spec, options);
  throw new Refusal("refused", why, fix);
}

export const whereWorkIs = (
  { name, project }: Spec,
  options: readonly string[] = lastOptions(project.root, name),
): ReturnType<typeof tellUntaken> =>
  tellUntaken(
    name,
    goOnCommand(
      [name],
      options.filter((word) => word !== "--here"),
    ),
  );
