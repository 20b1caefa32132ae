import { Refusal } from "../../engine/refusal.ts";
import { waysToBegin } from "../../engine/request.ts";
import {
  listAllSpecs,
  resolveHome,
  resolveProject,
  resolveSpec,
} from "../../engine/resolve-spec.ts";
import { isRunTree } from "../../engine/run-trees.ts";
import { fateIn } from "../../engine/standing.ts";
import { readDisk } from "../../store/spec-files.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { quoteForShell } from "../../text/quote.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { stringOption } from "./arguments.ts";
import type { Context, Input } from "./command.ts";

/** The name of a spec, given as an argument or with `--spec`. */
export function nameOf(input: Input, argument?: string): string | undefined {
  const option = stringOption(input, "spec");
  if (argument !== undefined && option !== undefined)
    throw new Refusal("usage", "the spec is named twice", "name it once");
  return argument ?? option;
}

/** The spec that a command is about, in the user's own tree: for commands that change it. */
export const specOf = (context: Context, input: Input, argument?: string): Spec =>
  resolveHome(context, nameOf(input, argument));

/** The same where its newest work is: in the user's tree, or in the tree of a run. */
export const specAtWork = (context: Context, input: Input, argument?: string): Spec =>
  resolveSpec(context, nameOf(input, argument));

/** The spec that is named, or with `--all` every one in the user's own tree. */
export function specsOf(context: Context, input: Input, one = specAtWork): Spec[] {
  const [name] = input.args;
  if (input.options["all"] !== true) return [one(context, input, name)];
  if (nameOf(input, name) !== undefined)
    throw new Refusal("usage", "--all means every spec", "leave the name out, or --all");
  const here = listAllSpecs(context).filter(({ folder }) => isFolder(folder));
  if (here.length === 0)
    throw new Refusal(
      "missing",
      "there are no specs yet",
      `begin with ${waysToBegin(context, resolveProject(context).layout)}`,
    );
  return here;
}

/** A line for what looks at one spec: the work is not in the user's tree yet, and may be brought there once its run is over. */
export function tellTree(spec: Spec): string[] {
  if (!isRunTree(spec)) return [];
  const isAlive = fateIn(readDisk(spec))?.kind === "at-work";
  const take = `; ${SHELL_PROGRAM} take ${quoteForShell(spec.name)} brings it here`;
  return [`In the tree of a run, ${spec.project.root}${isAlive ? "" : take}.`];
}
