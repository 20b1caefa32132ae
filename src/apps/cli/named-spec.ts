import { Refusal } from "../../engine/refusal.ts";
import { listAllSpecs, resolveProject, resolveSpec } from "../../engine/resolve-spec.ts";
import { listHomes } from "../../runner/trees/homes.ts";
import { findUntaken } from "../../runner/trees/untaken.ts";
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

/** The same, where its newest work is: in the tree of a run, which may be the only one that has it yet. */
export function specAtWork(context: Context, input: Input, argument?: string): Spec {
  const name = nameOf(input, argument);
  try {
    const home = resolveSpec(context, name);
    return findUntaken(home) ?? home;
  } catch (error) {
    if (!(error instanceof Refusal) || name === undefined) throw error;
    const home = listHomes(resolveProject(context)).find((one) => one.name === name);
    const there = home && findUntaken(home);
    if (there === undefined) throw error;
    return there;
  }
}

/** The spec that is named, or with `--all` every one. */
export function specsOf(context: Context, input: Input): Spec[] {
  const [name] = input.args;
  if (input.options["all"] !== true) return [specOf(context, input, name)];
  if (nameOf(input, name) !== undefined)
    throw new Refusal("usage", "--all means every spec", "leave the name out, or --all");
  const specs = listAllSpecs(context);
  if (specs.length === 0) throw new Refusal("missing", "there are no specs yet");
  return specs;
}
