import { join } from "node:path";
import type { CleanTree } from "../git/clean-tree.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import type { Ticker } from "./make-index.ts";
import type { Job } from "./prove-plan.ts";
import type { Request } from "./request.ts";
import { runInOrder } from "./run-checks.ts";

/** How often the progress is shown again: one command may take minutes. */
const TICK_MS = 500;

/**
 * Runs every job, at most `parallel` at a time and each of these in its own work tree. In one work tree they run in
 * order: what a build left there is there for the next. `first` is the work tree that there is already.
 */
export async function runJobs(
  request: Request,
  jobs: readonly Job[],
  first: CleanTree,
  open: (commit: string) => Promise<CleanTree>,
  parallel: number,
  ticker: Ticker,
): Promise<ReadonlyMap<Job, readonly Evidence[]>> {
  const found = new Map<Job, readonly Evidence[]>();
  const queue = [...jobs];
  const work = async (begun: CleanTree | undefined): Promise<void> => {
    let tree = begun;
    try {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        if (tree?.commit !== job.commit) {
          if (tree !== first) tree?.remove();
          tree = await open(job.commit);
        }
        const { checks, commit, within, timeoutSeconds } = job;
        const { signal } = tree;
        const root = join(tree.top, within);
        const options = { root, commit, timeoutMs: timeoutSeconds * 1000, signal };
        found.set(job, await runInOrder(request.verifier, checks, options));
      }
    } catch (error) {
      // The others finish what they are doing, and no more.
      queue.length = 0;
      throw error;
    } finally {
      if (tree !== first) tree?.remove();
    }
  };
  const timer = setInterval(() => ticker.tick(found.size), TICK_MS);
  try {
    const count = Math.min(parallel, jobs.length);
    const workers = Array.from({ length: count }, (_, i) => work(i === 0 ? first : undefined));
    for (const ended of await Promise.allSettled(workers))
      if (ended.status === "rejected") throw ended.reason;
    return found;
  } finally {
    clearInterval(timer);
    ticker.end();
  }
}
