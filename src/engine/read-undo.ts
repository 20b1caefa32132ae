import { listCheckpoints } from "../git/checkpoint.ts";
import { readOperation } from "../git/operation.ts";
import { findRepository, type Repository } from "../git/repository.ts";
import {
  isInHistory,
  readFilesInTheWay,
  readChangesSince,
  type ChangesSince,
} from "../git/reset-to-checkpoint.ts";
import { readWorkTree, type WorkTree } from "../git/working-tree.ts";
import { type Checkpoint, findStart, planCleared } from "../run/undo.ts";
import { readAllEntries, readState } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { oneLine } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** What `undo` would do; nothing has happened yet. */
export interface Undo {
  readonly repository: Repository;
  readonly tree: WorkTree;
  readonly checkpoint: Checkpoint;
  readonly since: ChangesSince;
  readonly list: TaskList;
  readonly cleared: readonly Task[];
  /** Uncommitted changes that survive only in the saved state. */
  readonly discarded: readonly string[];
}

/** Collects everything needed to undo a task, and refuses if the user would lose something without warning. */
export function readUndo(
  request: Request,
  spec: Spec,
  list: TaskList,
  task: string,
  discards: boolean,
): Undo {
  refuseCorrupt(request, spec);
  const repository = findRepository(spec);
  const tree = repository === undefined ? undefined : readWorkTree(repository.git.top);
  if (repository === undefined || tree === undefined) {
    throw new Refusal(
      "missing",
      repository === undefined
        ? `${spec.project.root} is not in a git repository, so there are no checkpoints`
        : `git has no commit in ${repository.git.top}, or cannot be run`,
      `clear the box of ${task} in tasks.md to have it run again`,
    );
  }
  const entries = readAllEntries(spec);
  const checkpoint = requireStart(request, repository, spec, task, entries);
  if (checkpoint.branch !== tree.branch) {
    throw new Refusal(
      "refused",
      `the checkpoint of ${task} was made on ${checkpoint.branch}, and ${tree.branch} is checked out`,
      `git switch ${checkpoint.branch}`,
    );
  }
  const unfinished = readOperation(repository.git);
  if (unfinished !== undefined) {
    throw new Refusal("refused", `a ${unfinished} is in progress`, "finish or abort it first");
  }
  const discarded = tree.dirty.filter((name) => !repository.isOwn(name));
  if (discarded.length > 0 && !discards) {
    throw new Refusal(
      "refused",
      `these files have uncommitted changes: ${some(discarded)}`,
      "commit or stash them, or add --discard-changes; they are saved either way",
    );
  }
  const inTheWay = readFilesInTheWay(repository, checkpoint);
  if (inTheWay.length > 0) {
    throw new Refusal(
      "refused",
      `these files are not tracked and would be overwritten: ${some(inTheWay)}`,
      "move them away first",
    );
  }
  const cleared = planCleared(list, checkpoint, entries);
  const since = readChangesSince(repository, checkpoint);
  return { repository, tree, checkpoint, since, list, cleared, discarded };
}

function refuseCorrupt(request: Request, spec: Spec): void {
  const state = readState(spec);
  if (state.kind !== "corrupt") return;
  throw new Refusal(
    "broken",
    `${spec.basePath}/${spec.project.layout.stateFile} cannot be used: ${state.why}`,
    `${request.program} repair rebuilds it from tasks.md`,
  );
}

function requireStart(
  request: Request,
  repository: Repository,
  spec: Spec,
  task: string,
  entries: Parameters<typeof findStart>[2],
): Checkpoint {
  const all = listCheckpoints(spec).filter((one) => one.task === task);
  // A spec may have been run on several branches: only this branch's checkpoints are in our past.
  const here = all.filter((one) => isInHistory(repository, one));
  const start = findStart(here, task, entries);
  if (start !== undefined) return start;
  const shown = `${request.program} undo --list shows all checkpoints`;
  const elsewhere = findStart(all, task, entries);
  if (elsewhere === undefined) {
    throw new Refusal(
      "missing",
      `there is no checkpoint of ${task}, it was never handed out`,
      shown,
    );
  }
  throw new Refusal(
    "refused",
    `the checkpoint of ${task}, ${elsewhere.base.slice(0, 9)}, is not in the history of what is checked out`,
    `check out the branch that the run worked on; ${shown}`,
  );
}

/** Continues "take the project". */
export function describeUndo(undo: Undo, spec: Spec, saved: string, when: string): string {
  const { checkpoint, since, cleared, discarded, repository, tree } = undo;
  const { commits, pushed, changed, added } = since;
  const { task, attempt, base, branch, commit } = checkpoint;
  const isWhole = repository.git.top === spec.project.root;
  const lines = [
    `  to: commit ${base} on ${branch}, ${checkpoint.ref}`,
    isWhole ? "" : `  repository: all of ${repository.git.top}`,
    `  commits taken back: ${commits.length || "none"}`,
    ...commits
      .slice(0, 20)
      .map((one) => `    ${one.commit.slice(0, 9)} ${oneLine(one.subject, 100)}`),
    commits.length > 20 ? `    and ${commits.length - 20} more` : "",
    pushed > 0 ? `  already on a remote: ${pushed} of them` : "",
    `  files changed: ${changed.length || "none"}`,
    added.length > 0 ? `  files removed (they did not exist then): ${some(added)}` : "",
    commit === base ? "" : "  put back: the changes that were uncommitted then",
    discarded.length > 0 ? `  uncommitted changes dropped: ${some(discarded)}` : "",
    `  boxes cleared: ${cleared.map(({ id }) => id).join(", ") || "none"}`,
    `  kept: ${spec.basePath}, and every file that git ignores or does not track`,
    `  the previous state is saved at ${saved}${tree.dirty.length > 0 ? ", uncommitted changes included" : ""}`,
  ];
  const which = attempt === 1 ? "first handed out" : `handed out, attempt ${attempt}`;
  const head = `back to where it was when ${task} was ${which}, ${when}:`;
  return [head, ...lines.filter((line) => line !== "")].join("\n");
}

export const jsonOf = ({ checkpoint, since, cleared, discarded }: Undo, spec: Spec): object => ({
  spec: spec.name,
  task: checkpoint.task,
  checkpoint,
  ...since,
  discarded,
  cleared: cleared.map(({ id }) => id),
});

/** The first few, each on one line whatever its name. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => oneLine(name, 100));
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
