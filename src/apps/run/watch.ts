import { dirname, join } from "node:path";
import { startGuard } from "../../agents/process/guard.ts";
import type { Controls } from "../../runner/controls.ts";
import type { RunEvent } from "../../runner/events.ts";
import { followEvents } from "../../runner/read-events.ts";
import { readPage } from "../../runner/read-report.ts";
import { isLive, readRun, type RunFolder } from "../../runner/run-files.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { wholeNumber } from "../cli/arguments.ts";
import { wrap } from "../cli/columns.ts";
import type { Command, Context, Input, Result } from "../cli/command.ts";
import { escapeUnsafe } from "../cli/output.ts";
import { paint } from "../cli/paint.ts";
import { openLogs, runOf } from "./attempt-log.ts";
import { openLive, type Stage } from "./live.ts";
import { showPage } from "./page.ts";
import { lineFor } from "./view/lines.ts";

declare const __dirname: string;

/** More events than any log has. */
export const MAX_FROM = 1_000_000_000;

/** How a run is paused, stopped and answered from another terminal. */
export type ControlsFor = (run: RunFolder) => Controls;

/** Whether there is a screen to draw on and a keyboard to listen to. */
export const hasScreen = ({ width }: Pick<Context, "width">): boolean =>
  width !== undefined && process.stdin.isTTY === true && process.stdout.isTTY === true;

/** What all live views on this process's terminal share. */
export const stageOf = (context: Context): Pick<Stage, "write" | "size" | "colour"> => ({
  write: (text) => void context.write(text),
  size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
  colour: context.colour,
});

/** `watch`: follows a live run, or shows how the last one ended. */
export const watchRun =
  (controlsFor: ControlsFor): Command["run"] =>
  async (context, input) => {
    const run = runOf(context, input.args[0]);
    const wantsData = input.options["json"] === true;
    const from = wholeNumber(input, "from", MAX_FROM);
    if (from !== undefined) {
      await tellEach(run, (wantsData ? jsonTeller : lineTeller)(context), from);
      return { text: "", streamed: true };
    }
    if (isLive(run) && !wantsData) {
      const isOver = hasScreen(context)
        ? await watchLive(context, run, freshControls(run, controlsFor))
        : await tellEach(run, lineTeller(context));
      if (!isOver)
        return { text: `${run.info.run} keeps running; ${SHELL_PROGRAM} watch shows it again` };
    }
    return showEnd(context, run, input.options);
  };

/** The report. */
export function showEnd(
  context: Context,
  run: RunFolder,
  options: Input["options"] = {},
  isDemo = false,
): Result {
  const { specs, report: all } = readPage(context, run);
  const report = isDemo ? { ...all, waiting: [] } : all;
  const after = [
    ...(run.info.discarded === undefined ? [] : ["", DISCARDED]),
    ...(isDemo ? ["", wrap(DEMO_END, context.width ?? Infinity)] : []),
  ];
  return {
    text: [showPage({ specs, report }, context, options), ...after].join("\n"),
    json: { live: isLive(run), ...report },
    verbatim: true,
  };
}

const DISCARDED = "You have discarded its work.";

/** Instead of what waits for the user: the demo's project and branch are gone. */
const DEMO_END = `The agent was a script, its project is gone; the rest was real. In yours:
  ${SHELL_PROGRAM} agents
  ${SHELL_PROGRAM} run "what you want"`;

/** A run that has just begun does not know its tree yet, so its file is read again for every key. */
function freshControls(run: RunFolder, controlsFor: ControlsFor): Controls {
  const now = (): Controls => controlsFor(readRun(dirname(run.folder), run.info.run) ?? run);
  return {
    pause: () => now().pause(),
    resume: () => now().resume(),
    skip: (spec, task) => now().skip(spec, task),
    answer: (spec, id, text) => now().answer(spec, id, text),
    stop: () => now().stop(),
  };
}

/** Returns whether the run has ended. */
async function watchLive(context: Context, run: RunFolder, controls: Controls): Promise<boolean> {
  const leaving = new AbortController();
  const guard = startGuard("", join(__dirname, "guard.cjs"), {
    told: `${SHELL_PROGRAM} watch shows it again`,
    onExit: (work) => void process.once("exit", work),
  });
  const live = openLive({
    ...stageOf(context),
    now: Date.now,
    seat: "watching",
    controls,
    readLog: openLogs(run),
  });
  void live.left.then(() => leaving.abort());
  try {
    for await (const events of followEvents(run, leaving.signal)) live.tell(events);
  } finally {
    live.close();
    guard.end();
  }
  return !leaving.signal.aborted;
}

/** Returns whether the run has ended, and not just its reader. */
async function tellEach(run: RunFolder, tell: Printer, from = 1): Promise<boolean> {
  for await (const events of followEvents(run, undefined, from))
    if (!events.every(tell)) return false;
  return true;
}

/** Prints an event. Returns false once nobody reads the output. */
type Printer = (event: RunEvent) => boolean;

export const jsonTeller =
  (context: Context): Printer =>
  (event) =>
    context.write(`${escapeUnsafe(JSON.stringify(event))}\n`);

/** Prints the line of an event, if it has one. */
export function lineTeller(context: Context): Printer {
  const style = paint(context.colour);
  let isEpic = false;
  return (event) => {
    if (event.kind === "run-started") isEpic = event.epic !== undefined;
    const line = lineFor(event, style, event.at, isEpic);
    return line === undefined || context.write(`${line}\n`);
  };
}
