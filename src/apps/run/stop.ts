import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { requireShell } from "../../engine/authority.ts";
import { tellDied } from "../../engine/local-time.ts";
import { Refusal } from "../../engine/refusal.ts";
import { readPage } from "../../runner/read-report.ts";
import { isLive, readRun, type RunFolder, type RunInfo } from "../../runner/run-files.ts";
import { listRuns, newestOf } from "../../runner/run-list.ts";
import { isOwnNamespace } from "../../store/process-id.ts";
import { findTop } from "../../store/project.ts";
import { codeOf } from "../../store/read.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { Command, Context } from "../cli/command.ts";
import { runOf } from "./attempt-log.ts";
import { showEnd } from "./watch.ts";

/** Longer than its agents are given to end. */
const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** `stop`: does from any shell what Ctrl-C does where the run was started. */
export const stopCommand: Command["run"] = async (context, input) => {
  requireShell(context, "stop");
  const run = liveRun(context, input.args[0]);
  const { run: id } = run.info;
  interrupt(run.info);
  const ended = await waitForEnd(run);
  if (ended !== undefined) return showEnd(context, ended);
  return {
    ok: false,
    text: `Run ${id} was told to stop and is still ending its agents; ${SHELL_PROGRAM} stop ${id} again ends it at once.`,
    json: { run: id, live: true },
  };
};

/** Does nothing if the process has already ended. */
export function interrupt({ pid, namespace }: Pick<RunInfo, "pid" | "namespace">): void {
  try {
    if (isOwnNamespace(namespace)) return void process.kill(pid, "SIGINT");
  } catch (error) {
    if (codeOf(error) === "ESRCH") return;
  }
  throw new Refusal(
    "refused",
    `process ${pid} cannot be stopped from here`,
    "stop it where you started it",
  );
}

/** Without a name, only runs of this project are considered. */
function liveRun(context: Context, word: string | undefined): RunFolder {
  if (word !== undefined) {
    const named = runOf(context, word);
    if (isLive(named)) return named;
    refuseDead(context, named);
    const { run } = named.info;
    throw new Refusal("missing", `run ${run} has ended`, `${SHELL_PROGRAM} watch ${run} shows it`);
  }
  const all = listRuns(undefined, findTop(context.cwd) ?? context.cwd);
  const live = all.filter(isLive);
  const [only, ...others] = live;
  if (only === undefined) {
    refuseDead(context, newestOf(all));
    throw new Refusal("missing", "no run of this project is active");
  }
  if (others.length === 0) return only;
  const names = live.map(({ info }) => `${info.run} (${info.specs.slice(0, 3).join(", ")})`);
  throw new Refusal(
    "usage",
    `${live.length} runs of this project are active: ${names.slice(0, 5).join(", ")}`,
    `say which: ${SHELL_PROGRAM} stop <run or spec>`,
  );
}

function refuseDead(context: Context, run: RunFolder | undefined): void {
  const { died, goOn } = run === undefined ? { died: null } : readPage(context, run).report;
  if (died !== null) throw new Refusal("missing", tellDied(died), `${goOn} continues`);
}

/** Undefined if it takes too long. */
async function waitForEnd(run: RunFolder): Promise<RunFolder | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const now = readRun(dirname(run.folder), run.info.run) ?? run;
    if (!isLive(now)) return now;
    await delay(POLL_MS);
  }
  return undefined;
}
