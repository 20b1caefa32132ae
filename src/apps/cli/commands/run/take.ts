import { requireShell } from "../../../../engine/authority.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { findProjects } from "../../../../engine/resolve-spec.ts";
import { listHomes } from "../../../../engine/run-trees.ts";
import { describeCounts } from "../../../../facts/classify.ts";
import { goOnCommand, lastOptions } from "../../../../runner/go-on.ts";
import { holdSpec } from "../../../../runner/hold-spec.ts";
import type { Taken } from "../../../../runner/trees/take.ts";
import { takeTrunk } from "../../../../runner/trees/take.ts";
import { isFinished } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { counted, SHELL_PROGRAM } from "../../../../text/wording.ts";
import { type Command, type Context, type Input } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";

export const take: Command = {
  name: "take",
  summary: "merge what a run has done into your branch",
  args: ["[spec]"],
  group: "run",
  options: {
    keep: { type: "boolean", summary: "leave the run's branch and work tree where they are" },
  },
  details: `A run works in its own work tree, on the branch smart-ralph/<spec or epic>. This moves the branch that you have checked out
forward to it, or merges it if yours has moved on; then the spec's state, journal and notes come into your tree, and the
run's branch and work tree are removed. A run that is not finished can be taken too, and continues in a client or with run.
Of an epic, everything on its branch is taken; specs that are not finished continue from there with run.
It refuses if you have uncommitted changes in the same files, or if the merge has conflicts: then nothing has changed.`,
  async run(context, input) {
    requireShell(context, "take");
    const home = homeOf(context, input, "take");
    const keeps = input.options["keep"] === true;
    const taken = await holdSpec(home, "take", () => takeTrunk(home, keeps));
    const { spec, branch, into, how, commit, commits, counts, unproven, notes } = taken;
    return {
      text: [describe(taken), ...notes, next(taken)].filter((line) => line !== "").join("\n"),
      json: {
        ok: true,
        spec: spec.name,
        branch,
        into,
        how,
        commit,
        commits,
        done: counts.done,
        total: counts.total,
        counts,
        unproven,
        notes,
      },
    };
  },
};

/** The run that is meant: by its spec's name, or the only one there is. */
export function homeOf(context: Context, input: Input, verb: "take" | "discard"): Spec {
  const name = nameOf(input, input.args[0]);
  const homes = findProjects(context).flatMap(listHomes);
  const named = name === undefined ? homes : homes.filter((spec) => spec.name === name);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw new Refusal(
      "missing",
      name === undefined
        ? `no run has a branch to ${verb} here`
        : `no run of ${quoteName(name)} has a branch to ${verb} here`,
      homes.length === 0
        ? `${SHELL_PROGRAM} run begins one`
        : `there is one of ${homes.map((one) => quoteName(one.name)).join(", ")}`,
    );
  throw new Refusal(
    "usage",
    `there are runs of ${named.map((one) => quoteName(one.name)).join(", ")}`,
    `name the one to ${verb}: ${SHELL_PROGRAM} ${verb} <spec>`,
  );
}

function describe(taken: Taken): string {
  const { spec, into, how, commit, commits, counts, branch } = taken;
  const what = `${quoteName(spec.name)} (${describeCounts(counts)})`;
  const at = commit.slice(0, 9);
  switch (how) {
    case "nothing":
      return `Took ${what}: ${into} had every commit of ${branch} already, at ${at}.`;
    case "fast-forward":
      return `Took ${what}: ${into} is at ${at} now, ${counted(commits, "commit")} further. ${proofOf(taken)}`;
    case "merge":
      return `Took ${what}: ${into} had moved on, so ${counted(commits, "commit")} are merged at ${at}. The merge itself is not verified; ${SHELL_PROGRAM} prove ${quoteName(spec.name)} checks it.`;
  }
}

/** Only a finished run has checked all of it, in a clean checkout. */
function proofOf({ spec, unproven, isReceipted }: Taken): string {
  if (unproven === 0)
    return `It is byte for byte what the last check ran on.${isReceipted ? ` Only the ${spec.project.layout.unit}'s own files were committed after that.` : ""}`;
  const check = `${SHELL_PROGRAM} prove ${quoteName(spec.name)} checks it`;
  return unproven === null
    ? `As a whole it has not passed in a clean checkout; ${check}.`
    : `${counted(unproven, "commit")} came after the last check; ${check}.`;
}

function next({ spec, counts: { done, total } }: Taken): string {
  if (isFinished(spec) || done === total) return "";
  const { voice } = spec.project.layout;
  return `${counted(total - done, "task")} to go: ${goOnCommand([spec.name], lastOptions(spec.project.root, spec.name))}, or ${voice.command("resume")} in a client.`;
}
