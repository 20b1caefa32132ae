import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { requireShell } from "../../engine/authority.ts";
import { Refusal } from "../../engine/refusal.ts";
import { isLive, readRun, type RunFolder } from "../../runner/run-files.ts";
import { listRuns } from "../../runner/run-list.ts";
import { findTop } from "../../store/project.ts";
import { codeOf } from "../../store/read.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { type Command, type Context, EXIT } from "../cli/command.ts";
import { runOf } from "./attempt-log.ts";
import { showEnd } from "./watch.ts";

/** Longer than its agents are given to end. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

/** `stop`: what Ctrl-C does where the run was started, from any shell. */
export const stopCommand: Command["run"] = async (context, input) => {
  requireShell(context, "stop");
  const run = liveRun(context, input.args[0]);
  const { run: id, pid } = run.info;
  interrupt(pid);
  const last = await waitForEnd(run);
  if (last !== undefined) return showEnd(context, last);
  return {
    code: EXIT.refused,
    text: `Run ${id} was told to stop and is still ending its agents; ${SHELL_PROGRAM} stop ${id} again ends it at once.`,
    json: { ok: false, run: id, live: true },
  };
};

/** It may have ended by itself by now. */
export function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch (error) {
    if (codeOf(error) === "ESRCH") return;
    throw new Refusal(
      "refused",
      `process ${pid} cannot be stopped from here`,
      "stop it where you started it",
    );
  }
}

/** Without a name, only one of this project: nobody means another project's. */
function liveRun(context: Context, word: string | undefined): RunFolder {
  if (word !== undefined) {
    const named = runOf(context, word);
    if (isLive(named)) return named;
    const { run } = named.info;
    throw new Refusal("missing", `run ${run} is over`, `${SHELL_PROGRAM} watch ${run} shows it`);
  }
  const live = listRuns(undefined, findTop(context.cwd) ?? context.cwd).filter(isLive);
  const [only, ...others] = live;
  if (only === undefined) throw new Refusal("missing", "no run of this project is on");
  if (others.length === 0) return only;
  const names = live.map(({ info }) => `${info.run} (${info.specs.slice(0, 3).join(", ")})`);
  throw new Refusal(
    "usage",
    `${live.length} runs of this project are on: ${names.slice(0, 5).join(", ")}`,
    `say which: ${SHELL_PROGRAM} stop <run or spec>`,
  );
}

/** Undefined if it takes too long. */
async function waitForEnd(run: RunFolder): Promise<RunFolder | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const now = readRun(dirname(run.folder), run.info.run) ?? run;
    if (!isLive(now)) return now;
    await delay(LOOK_MS);
  }
  return undefined;
}
