import { recordQuestion } from "../../engine/inbox.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import { listSpecsEverywhere } from "../../engine/resolve-spec.ts";
import { readTrunkRecord, writeTrunkRecord } from "../../engine/trunk-record.ts";
import { verifyTicked } from "../../engine/verify-ticked.ts";
import { setAside } from "../../git/aside.ts";
import { commitPaths, listDirty } from "../../git/commit-paths.ts";
import { readHeadCommit } from "../../git/history.ts";
import { listTracked } from "../../git/tracked.ts";
import { renderMerge, renderRefit, withRefusal } from "../../prompts/merge.ts";
import { type InboxEntry, isOpen, MERGE } from "../../run/inbox.ts";
import { readInbox } from "../../store/inbox.ts";
import { isFinished } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { readAgreement } from "../../store/vault.ts";
import { oneLine } from "../../text/template.ts";
import { type DriveEnd, STOPPED } from "../do-job.ts";
import { FINISHED } from "../drive.ts";
import type { WorkEnding } from "../executor.ts";
import { inMerge, type RunGround } from "../ground.ts";
import type { Job } from "../jobs.ts";
import { planOrder } from "../plan-order.ts";
import type { Stage } from "../stage.ts";
import { beginConflict, finishConflict, tellUnresolved } from "../trees/conflict.ts";
import { keepList, tellPutBack } from "../trees/keep-list.ts";
import { checkpointAt, requireHead } from "../trees/merge-queue.ts";
import { takeTrunk } from "../trees/take.ts";
import type { TaskTree } from "../trees/task-tree.ts";
import type { Trunk } from "../trees/trunk.ts";
import { watchMerge } from "../trees/watch-merge.ts";
import { listReturnedSince, trunkOf } from "./epic-tree.ts";

/** How often agents try to make a finished spec fit before the user is asked. */
const MAX_ROUNDS = 2;

/** A finished spec that is brought to its epic's branch. */
export interface ReturningSpec {
  readonly stage: Stage;
  readonly fence: number;
  readonly request: Request;
  readonly epic: Trunk;
  /** The spec in the epic's tree, and in its own. */
  readonly home: Spec;
  readonly spec: Spec;
  readonly ground: RunGround;
}

/** What keeps a spec from coming back. */
interface Misfit {
  readonly text: string;
  /** What the agent that fixes it is told. */
  readonly prompt: string;
  /** The commit that is being merged, if a merge is open. */
  readonly merged?: string;
  /** Call once the agent has ended. Returns why it is not fixed, if it is not. */
  readonly finish: () => string | undefined;
}

/**
 * Brings a finished spec to the epic's branch. The epic's work is merged into the spec's own tree first. There,
 * everything is verified that this spec, or a spec that returned since it began, has proven. Then the epic's branch
 * moves forward to exactly that commit. Only one spec at a time; after an interruption it can be called again.
 */
export async function comeBack(returning: ReturningSpec): Promise<DriveEnd> {
  const { stage, spec, home, epic } = returning;
  const asked = readInbox(spec).entries.filter(({ task }) => task === MERGE);
  const open = asked.find(isOpen);
  if (open !== undefined) return { status: "stuck", text: open.text };
  let refused: string | undefined;
  for (let round = 1; ; round++) {
    if (stage.signal.aborted) return STOPPED;
    const misfit = await findMisfit(returning, asked);
    if (stage.signal.aborted) return STOPPED;
    if (misfit === undefined) break;
    if (round > MAX_ROUNDS) return ask(returning, misfit);
    const prompt = withRefusal(misfit.prompt, refused);
    const { ended, failed } = await refit(returning, { ...misfit, prompt }, round);
    if (ended !== undefined) return ended;
    refused = failed;
  }
  const { commit } = takeTrunk(home, false, true);
  noteProven(epic, commit);
  stage.emit({ kind: "merged", spec: spec.name, task: MERGE, attempt: 1, commit });
  return FINISHED;
}

async function findMisfit(
  { stage, request, epic, home, spec, ground }: ReturningSpec,
  asked: readonly InboxEntry[],
): Promise<Misfit | undefined> {
  const trunk = trunkOf(home);
  const { top } = trunk;
  const { layout } = spec.project;
  // Uncommitted work would not be merged, so it must not help a Verify to pass.
  const kept = setAside(spec, checkpointAt(trunk, requireHead(top)));
  if (kept.kind === "failed") throw new Refusal("broken", `${top}: ${kept.why}`);
  const tree = asTree(epic, trunk);
  const begun = beginConflict(tree);
  const about = { spec: spec.name, task: MERGE, attempt: 1 };
  const decided = asked.flatMap(({ answer }) => answer ?? []);
  if ("failed" in begun)
    throw new Refusal("broken", `${spec.name} cannot be merged: ${oneLine(begun.failed, 300)}`);
  if (begun.files.length > 0) {
    stage.emit({ kind: "conflict", ...about, files: begun.files });
    return {
      text: `it and a spec that was merged before it both changed ${begun.files.slice(0, 5).join(", ")}`,
      prompt: renderMerge(layout, spec, { ...begun, title: spec.name, decided }),
      merged: begun.commit,
      finish: () => tellUnresolved(finishConflict(tree, begun)),
    };
  }
  const failures: string[] = [];
  // A spec whose commands nobody agreed to was not proven by a run, so there is nothing to verify.
  const others = listReturnedSince(epic, beganAt(trunk)).filter(
    (one) => readAgreement(one) !== undefined,
  );
  for (const one of [spec, ...others]) {
    stage.emit({ kind: "verifying", ...about, command: `every Verify of ${one.name}` });
    const signal = request.signal();
    const commit = await readHeadCommit(ground.cwd, "HEAD", signal);
    const checked = await verifyTicked(request, one, { root: ground.cwd, commit, signal });
    failures.push(
      ...checked.flatMap(({ why }) => (why === undefined ? [] : `${one.name}: ${why}`)),
    );
  }
  if (!isFinished(spec)) failures.push(`${spec.name}: not all of its tasks are ticked any more.`);
  if (failures.length === 0) return undefined;
  stage.emit({ kind: "refused", ...about, reason: oneLine(failures[0] ?? "", 500) });
  return {
    text: `with what the others have brought, ${oneLine(failures[0] ?? "", 300)}`,
    prompt: renderRefit(layout, spec, failures, decided),
    finish: () => commitTracked(top),
  };
}

/** Notes that everything on the epic's branch has just been verified together. */
function noteProven({ place }: Trunk, proven: string): void {
  const record = readTrunkRecord(place);
  if (record !== undefined) writeTrunkRecord(place, { ...record, proven });
}

const beganAt = ({ place }: Trunk): string => readTrunkRecord(place)?.began ?? "";

/** Treats the spec's own tree like a task's tree, with the epic's tree as its trunk. */
const asTree = (epic: Trunk, { top, branch, base, project, spec }: Trunk): TaskTree => ({
  trunk: epic,
  task: spec.name,
  attempt: 1,
  top,
  branch,
  base,
  project,
  spec,
});

function commitTracked(top: string): string | undefined {
  const dirty = listDirty(top);
  const tracked = listTracked(top, dirty);
  return commitPaths(
    top,
    dirty.filter((name) => tracked.has(name)),
    "fix: fit with the rest of the epic",
  );
}

/** Has an agent make the spec fit. `ended`: why the run cannot go on. `failed`: why its work was not accepted. */
async function refit(
  { stage, fence, home, spec, ground }: ReturningSpec,
  { prompt, merged, finish }: Misfit,
  round: number,
): Promise<{ readonly ended: DriveEnd | undefined; readonly failed: string | undefined }> {
  const putBack = keepList(spec);
  const leave = watchMerge(trunkOf(home), spec.name, merged);
  const job: Job = {
    id: MERGE,
    title: `bring ${spec.name} back to its epic`,
    role: "merge",
    type: "spec-executor",
    attempt: round,
    of: MAX_ROUNDS,
  };
  const tree = inMerge(ground, () => {
    const { notes, failed } = leave();
    const all = [...notes, ...(putBack() ? [tellPutBack(spec.name)] : [])];
    const why = failed ?? finish();
    return { notes: all, ...(why === undefined ? {} : { failed: why }) };
  });
  const from = { stage, lease: { fence }, coordinator: { spec } };
  const order = planOrder(from, job, ground.cwd, prompt);
  const on = { emit: stage.emit, signal: stage.signal };
  const { ending, rejected } = await stage.executorIn(spec, tree).execute(order, on);
  const about = { spec: spec.name, task: MERGE, attempt: round };
  if (rejected !== undefined)
    stage.emit({ kind: "refused", ...about, reason: oneLine(rejected, 500) });
  const isOver = ending.kind === "turn" || ending.kind === "failed";
  return { ended: isOver ? undefined : endOf(stage, ending), failed: rejected };
}

function endOf(
  { emit }: Stage,
  end: Exclude<WorkEnding, { kind: "turn" | "failed" }>,
): DriveEnd | undefined {
  switch (end.kind) {
    case "stopped":
      return STOPPED;
    case "busy":
    case "unavailable":
      return { status: "unavailable", text: end.reason };
    case "no-room":
      return { status: "waits", text: end.reason };
    case "over-budget":
      emit({ kind: "budget", text: end.reason });
      return end.scope === "run" ? { status: "budget", text: end.reason } : undefined;
    case "too-long":
      return undefined;
  }
}

function ask({ stage, request, spec }: ReturningSpec, { text: why }: Misfit): DriveEnd {
  const text = `${spec.name} is done, but does not fit with the rest of its epic: ${why}. ${MAX_ROUNDS} agents could not make it fit. How should that be resolved?`;
  const asked = { task: MERGE, text, options: [], run: stage.run };
  const { entry } = recordQuestion(spec, asked, request.now(), listSpecsEverywhere(request));
  const { id, options } = entry;
  stage.emit({ kind: "question", spec: spec.name, task: MERGE, id, text: entry.text, options });
  return { status: "stuck", text };
}
