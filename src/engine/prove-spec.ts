import {
  type CleanTree,
  countUncommitted,
  readMissing,
  removeOldTrees,
} from "../git/clean-tree.ts";
import { findCommit } from "../git/own-tree.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { whyNotInstalled } from "../run/claim/not-installed.ts";
import { describeMissing, describeShared, type EquippedTree } from "../run/installed.ts";
import type { TaskTrace } from "../spec/trace.ts";
import { judgeAgain, type Verdict } from "../spec/verdict.ts";
import { findGit } from "../store/git-files.ts";
import type { Project } from "../store/project.ts";
import { readRunSettings } from "../store/run-settings-file.ts";
import type { Spec } from "../store/spec.ts";
import type { Task } from "../tasks/model.ts";
import { few } from "../text/wording.ts";
import { withinRepository } from "./clean-copies.ts";
import { openClean, type Setup } from "./equip-tree.ts";
import type { Ticker } from "./make-index.ts";
import { runJobs } from "./prove-jobs.ts";
import { readProofs } from "./prove-plan.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

export interface ProveOptions {
  /** Every spec that the commit has, not only these. */
  readonly isAll: boolean;
  /** What to check out; undefined: HEAD. */
  readonly at: string | undefined;
  /** Runs each task at the commit that its receipt names. */
  readonly atReceipt: boolean;
  readonly parallel: number;
  /** How long a command may take; undefined: as the settings say. */
  readonly timeoutSeconds: number | undefined;
  /** Whether a setup command from the project's own settings may run. */
  readonly allowsSetup: boolean;
}

/** A ticked task, what was recorded about it, and how its Verify ends now. */
export interface ProvenTask extends Pick<Task, "id" | "title" | "line"> {
  readonly recorded: Pick<TaskTrace, "class" | "commit" | "note">;
  /** The commit that it was run at. */
  readonly at: string | null;
  readonly now: readonly Evidence[];
  readonly verdict: Verdict;
  /** Why it was not run. */
  readonly why: string | null;
}

export interface ProvenSpec {
  readonly spec: string;
  readonly path: string;
  /** Why there is nothing to prove. */
  readonly skipped: string | null;
  readonly tasks: readonly ProvenTask[];
}

export interface Proof {
  readonly commit: string;
  /** How many files of the user's own tree are not part of this. */
  readonly uncommitted: number;
  /** What is there besides the commit, in sentences: installed folders of the user's own tree. */
  readonly shared: readonly string[];
  /** What else is not there, in sentences. */
  readonly missing: readonly string[];
  readonly setup: readonly string[];
  readonly specs: readonly ProvenSpec[];
}

/**
 * Runs the Verify of every ticked task again, in a clean work tree, and compares. The list is that of the commit. An
 * agent may ask for it too: it can run the same commands itself.
 */
export async function proveSpecs(
  request: Request,
  specs: readonly Spec[],
  options: ProveOptions,
  tickerOf: (total: number) => Ticker,
): Promise<Proof> {
  const [{ project }] = specs as readonly [Spec];
  const { root } = project;
  if (findGit(root) === undefined)
    throw new Refusal("refused", "this is not a git repository, so nothing can be checked out");
  removeOldTrees(root);
  const commit = findCommit(root, options.at ?? "HEAD");
  if (commit === undefined)
    throw new Refusal("missing", `there is no commit ${options.at ?? "HEAD"} here`);
  const projects = [...new Set(specs.map((spec) => spec.project))];
  const setups = projects.flatMap((one) => setupOf(one, options.allowsSetup));
  const share = projects.flatMap((one) => readRunSettings(one).share);
  const trees: EquippedTree[] = [];
  const open = async (wanted: string): Promise<CleanTree> => {
    const tree = await openClean(request, project, wanted, { setups, share });
    trees.push(tree);
    return tree;
  };
  const first = await open(commit);
  try {
    const proofs = readProofs(specs, first, options);
    const jobs = proofs.flatMap(({ tasks }) => tasks.flatMap(({ job }) => job ?? []));
    const ticker = tickerOf(jobs.length);
    const found = await runJobs(request, jobs, first, open, options.parallel, ticker);
    const proven = proofs.map((proof) => ({
      ...proof,
      tasks: proof.tasks.map(({ job, ...task }): ProvenTask => {
        const now = job === undefined ? undefined : found.get(job)?.map(admitUnrun);
        if (job === undefined || now === undefined) return { ...task, at: null, now: [] };
        const verdict = judgeAgain(task.recorded.class, now);
        return { ...task, at: job.commit, now, verdict };
      }),
    }));
    const lost = trees.flatMap(({ shared }) => describeMissing(shared, "prove_setup"));
    return {
      commit,
      uncommitted: countUncommitted(root),
      shared: describeShared(trees),
      missing: [
        ...readMissing(first),
        ...new Set(lost),
        ...projects.flatMap((one) => unused(one, options)),
        ...tellNotInstalled(proven, project, setups),
      ],
      setup: setups.map(({ command }) => command),
      specs: proven,
    };
  } finally {
    first.remove();
  }
}

/** A Verify whose program is not installed says nothing about the work. */
const admitUnrun = (evidence: Evidence): Evidence => {
  const why = whyNotInstalled(evidence);
  return why === undefined ? evidence : { ...evidence, outcome: "unrun", why };
};

function tellNotInstalled(
  specs: readonly ProvenSpec[],
  { user: { path = "your own settings" } }: Project,
  [setup]: readonly Setup[],
): string[] {
  const ids = specs.flatMap(({ tasks }) =>
    tasks.flatMap(({ id, now }) =>
      now.some(({ outcome, exitCode }) => outcome === "unrun" && exitCode !== null) ? id : [],
    ),
  );
  if (ids.length === 0) return [];
  const fix =
    setup === undefined
      ? `name the command that installs it in ${path}, such as prove_setup: npm ci`
      : `the setup did not install it: \`${setup.command}\``;
  return [`${few(ids)}: what the Verify needs is not in the checkout; ${fix}`];
}

/**
 * As in the last check of a run, unless `prove_setup` says otherwise. Only the user's own file may name a command to
 * run; the project's comes with a clone.
 */
const setupOf = (project: Project, allowsSetup: boolean): Setup[] => {
  const command =
    (allowsSetup ? theirSetup(project) : undefined) ??
    project.settings.proveSetup ??
    readRunSettings(project).setup;
  return command === undefined ? [] : [{ command, within: withinRepository(project) }];
};

const theirSetup = ({ ignored }: Project): string | undefined =>
  ignored.find(({ key }) => key === "prove_setup")?.said;

function unused(project: Project, { allowsSetup }: ProveOptions): string[] {
  const command = theirSetup(project);
  if (allowsSetup || command === undefined) return [];
  return [`the project's setup was not run: \`${command}\`; --setup allows it`];
}
