import { requireShell } from "../../../../engine/authority.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { findProjects } from "../../../../engine/resolve-spec.ts";
import { findUntaken, listHomes } from "../../../../engine/run-trees.ts";
import { isEpicHome } from "../../../../engine/trunk-record.ts";
import { describeCounts } from "../../../../facts/classify.ts";
import { tellDone } from "../../../../facts/waiting.ts";
import { hasBranch } from "../../../../git/own-tree.ts";
import { goOnCommand, lastOptions } from "../../../../runner/go-on.ts";
import { holdSpec } from "../../../../runner/hold-spec.ts";
import { requireTrunk, type Taken, takeTrunk } from "../../../../runner/trees/take.ts";
import { isFinished, readTasks } from "../../../../store/spec-files.ts";
import { isFolder, type Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { capitalize, counted, SHELL_PROGRAM } from "../../../../text/wording.ts";
import { confirm } from "../../../stdio/terminal.ts";
import { type Command, type Context, type Input } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";

export const take: Command = {
  summary: "merge what a run has done into your branch",
  args: ["[spec]"],
  options: {
    keep: { summary: "leave the run's branch and work tree where they are" },
    yes: { summary: "do not ask if tasks are open" },
  },
  details: `A run works in its own work tree, on the branch smart-ralph/<spec or epic>. This moves the branch that you have checked out
forward to it, or merges it if yours has moved on; then the spec's state, journal and notes come into your tree, and the
run's branch and work tree are removed. A run that is not finished can be taken too, and continues in a client or with run:
it asks first, and without a terminal it needs --yes.
Of an epic, everything on its branch is taken; specs that are not finished continue from there with run.
It refuses if you have uncommitted changes in the same files, or if the merge has conflicts: then nothing has changed.`,
  async run(context, input) {
    requireShell(context, "take");
    const home = homeOf(context, input, "take");
    const open = input.options["yes"] === true ? undefined : tellOpen(home);
    if (open !== undefined && !canAsk(context, input))
      throw new Refusal(
        "refused",
        open,
        `${goOnIn(home)} continues it; ${SHELL_PROGRAM} take ${quoteName(home.name)} --yes takes it as it is`,
      );
    if (open !== undefined && !(await confirm(`${capitalize(open)}. Take it as it is? [y/N] `)))
      return { ok: false, text: "Nothing is taken." };
    const keeps = input.options["keep"] === true;
    const taken = await holdSpec(home, "take", () => takeTrunk(home, keeps));
    const { spec, branch, into, how, commit, commits, counts, unproven, notes } = taken;
    return {
      text: [describe(taken), ...notes, next(taken)].filter((line) => line !== "").join("\n"),
      json: {
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

/** Whether there is somebody to ask. */
export const canAsk = ({ width }: Context, { options }: Input): boolean =>
  width !== undefined && process.stdin.isTTY === true && options["json"] !== true;

/** How much of a run is missing; undefined if nothing is. On an epic's branch are only specs that are finished. */
function tellOpen(home: Spec): string | undefined {
  const { place, record } = requireTrunk(home, false);
  const work = findUntaken(home);
  if (work === undefined || isEpicHome(home) || record.stage === "taking") return undefined;
  if (!isFolder(work.folder) || hasBranch(home.project.root, place.branch)) return undefined;
  const file = readTasks(work);
  const tasks = file.kind === "ok" ? file.list.tasks : [];
  const done = tasks.filter(({ checked }) => checked).length;
  if (tasks.length === 0) return `no tasks are written yet on branch ${place.branch}`;
  return done === tasks.length ? undefined : tellDone(done, tasks.length, place.branch);
}

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
  const what = `${quoteName(spec.name)}${counts.total === 0 ? "" : ` (${describeCounts(counts)})`}`;
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

const goOnIn = ({ name, project }: Spec): string =>
  goOnCommand([name], lastOptions(project.root, name));

function next({ spec, counts: { done, total } }: Taken): string {
  if (isFinished(spec) || done === total) return "";
  const { voice } = spec.project.layout;
  return `${counted(total - done, "task")} to go: ${goOnIn(spec)}, or ${voice.command("resume")} in a client.`;
}
