import { Refusal } from "../../engine/refusal.ts";
import { resolveSpec } from "../../engine/resolve-spec.ts";
import type { Spec } from "../../store/spec.ts";
import { stringOption } from "./arguments.ts";
import type { Context, Input } from "./command.ts";

/** The name of a spec, given as an argument or with `--spec`. */
export function nameOf(input: Input, argument?: string): string | undefined {
  const option = stringOption(input, "spec");
  if (argument !== undefined && option !== undefined)
    throw new Refusal("usage", "the spec is named twice", "name it once");
  return argument ?? option;
}

/** The spec that a command is about. */
export const specOf = (context: Context, input: Input, argument?: string): Spec =>
  resolveSpec(context, nameOf(input, argument));
