import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { adoptRun, planAdoption } from "../../engine/adopt-run.ts";
import { drivePhase, findingsOf, firstTasks, tellWritten } from "../../engine/drive-phases.ts";
import type { RareStop } from "../../engine/stop.ts";
import { readWrittenSummary } from "../../engine/summary.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { host } from "../../hosts/all.ts";
import type { Environment } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { runnableUnder } from "../../run/claim/runnable-task.ts";
import { oneLine } from "../../text/template.ts";
import { permission } from "./permission.ts";
import * as promptEvents from "./prompt-events.ts";
import { sessionEnd, sessionStart, stopFailure } from "./session-events.ts";
import type { Handler } from "./stop.ts";

/**
 * What a rare stop, and every other event, needs besides the hook: a separate bundle, so that no other stop loads it.
 */
export interface Quick {
  /** Every event of the client except the end of a turn, by its name in the gate. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly rareStop: (layout: Edition, env: Environment, input: unknown) => RareStop;
}

export const quick: Quick = {
  handlers: {
    "stop-failure": stopFailure,
    "session-end": sessionEnd,
    "session-start": sessionStart,
    permission,
    ...promptEvents,
  },

  rareStop: (layout, env, input) => ({
    planAdoption: (spec, { transcript }) =>
      planAdoption(spec, {
        began: transcript === undefined ? undefined : host.transcript.readBegan(transcript),
        isInClient: host.environment.isInClient(env),
      }),
    adoptRun,
    keepOutOfGit,
    findings: findingsOf,
    prompt: drivePhase,
    summary: readWrittenSummary,
    written: tellWritten,
    firstTasks,
    isRunnable: ({ project }, list, task) => runnableUnder(project.settings)(list, task),
    settle: () => runSettle(layout, env, input),
  }),
};

declare const __dirname: string;

/** Within the time that the client gives a stop. */
const TIMEOUT_MS = 840_000;

/** A process of its own, because it waits for commands and a stop does not wait for anything else. */
function runSettle({ id }: Edition, env: Environment, input: unknown): readonly string[] {
  const cli = join(__dirname, "cli.cjs");
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [cli, `--layout=${id}`, "settle"],
    {
      input: JSON.stringify(input),
      env: { ...env },
      encoding: "utf8",
      timeout: TIMEOUT_MS,
      windowsHide: true,
    },
  );
  if (status === 0) return stdout.split("\n").filter((line) => line !== "");
  const why = error?.message ?? oneLine(stderr, 300);
  throw new Error(`boxes that were ticked by hand could not be checked: ${why}`);
}
