import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO, demoAgent } from "../../agents/demo/demo.ts";
import { GREETER } from "../../agents/demo/greeter.ts";
import type { DemoScene } from "../../agents/demo/script.ts";
import { reportsCost } from "../../agents/facts.ts";
import { requireShell } from "../../engine/authority.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import { epicOf } from "../../engine/resolve-epic.ts";
import type { EpicPlace } from "../../epic/files.ts";
import { layouts } from "../../layouts/all.ts";
import type { Edition } from "../../layouts/layout.ts";
import { knownAgents, withCrew } from "../../runner/crew.ts";
import { runnerEdition } from "../../runner/edition.ts";
import type { RunEvent } from "../../runner/events.ts";
import { fileControls } from "../../runner/file-controls.ts";
import { repeatOptions } from "../../runner/go-on.ts";
import { warnOfCost } from "../../runner/keep-budget.ts";
import { openRun, type OpenRun } from "../../runner/open-run.ts";
import { parseRunOptions, type RunOptions } from "../../runner/options.ts";
import { projectOf, runTarget } from "../../runner/run-target.ts";
import { resolveTarget } from "../../runner/target.ts";
import { findMisread, readRunSettings } from "../../store/run-settings-file.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { stringOption } from "../cli/arguments.ts";
import { type Command, type Context, EXIT, type Input, type Result } from "../cli/command.ts";
import { nameOf } from "../cli/named-spec.ts";
import { version } from "../cli/version.ts";
import { SIGNALS, STOP_SIGNALS } from "../stdio/signals.ts";
import { openDemoProject } from "./demo-run.ts";
import { detachRun } from "./detach.ts";
import { openDetached } from "./detached.ts";
import { EXIT_OF } from "./exit.ts";
import { openShow } from "./show.ts";
import { hasScreen, showEnd } from "./watch.ts";

declare const __dirname: string;

/** The variable that names a script for the built-in agent in other projects than its own. */
const SCENES = "SMART_RALPH_DEMO_SCENES";

export const runRun: Command["run"] = async (context, input) => {
  requireShell(context, "run");
  const isNamed = nameOf(input, input.args[0]) !== undefined;
  const isDemoAgent = stringOption(input, "agent")?.toLowerCase() === DEMO;
  if (isDemoAgent && isNamed && context.env[SCENES] === undefined)
    throw new Refusal(
      "usage",
      "the built-in agent knows only its own project",
      `${SHELL_PROGRAM} run --agent demo shows it; ${SHELL_PROGRAM} agents lists real ones`,
    );
  const isDemo = isDemoAgent && !isNamed && context.env[SCENES] === undefined;
  if (input.options["detach"] === true) {
    if (!isDemo) return detachRun(context, input);
    throw new Refusal("usage", "the demo is meant to be watched", "leave out --detach");
  }
  if (!isDemo) return runHere(context, input);
  const demo = openDemoProject();
  try {
    return await run({ ...context, cwd: demo.folder, starts: [demo.folder] }, input, {
      isDemo: true,
    });
  } finally {
    demo.remove();
  }
};

/** Runs in this process: at a terminal, or in the background. */
async function runHere(context: Context, input: Input): Promise<Result> {
  const detached = openDetached(context);
  try {
    return await run(detached?.context ?? context, input, { tell: detached?.tell });
  } catch (error) {
    if (error instanceof Refusal) detached?.refuse(error);
    throw error;
  }
}

function readScenes(path: string | undefined): readonly DemoScene[] {
  if (path === undefined) return GREETER;
  return JSON.parse(readFileSync(path, "utf8")) as readonly DemoScene[];
}

interface Mode {
  readonly isDemo?: boolean;
  /** Gets every event before the view does. */
  readonly tell?: ((event: RunEvent) => void) | undefined;
}

async function run(
  context: Context,
  input: Input,
  { isDemo = false, tell }: Mode = {},
): Promise<Result> {
  const request: Request = {
    ...context,
    layout: undefined,
    editions: layouts.map(runnerEdition) as [Edition, ...Edition[]],
  };
  const name = nameOf(input, input.args[0]);
  const words = name === undefined ? [] : [name, ...input.args.slice(1)];
  const given = repeatOptions(input.options);
  const target = resolveTarget(request, words, stringOption(input, "epic"), given);
  const project = projectOf(target);
  const misread = findMisread(project);
  if (misread !== undefined)
    throw new Refusal(
      "usage",
      `"${oneLine(misread, 80)}" in your settings is not understood`,
      `${SHELL_PROGRAM} doctor says what it takes`,
    );
  const asked = parseRunOptions(input.options, readRunSettings(project));
  const agents = [...knownAgents(asked.acp), demoAgent(readScenes(context.env[SCENES]))];
  const options = await withCrew(asked, agents, context);
  const stop = new AbortController();
  // The second signal exits at once; the guard ends what is left. A closed terminal may say it more than once.
  const onSignal = (signal?: NodeJS.Signals): void =>
    stop.signal.aborted && signal !== "SIGHUP" ? process.exit(EXIT.stopped) : stop.abort();
  // A background run does not end with the terminal that started it.
  const signals = tell === undefined ? SIGNALS : STOP_SIGNALS;
  for (const signal of signals) process.on(signal, onSignal);
  let opened: OpenRun | undefined;
  const show = openShow(context, {
    json: options.output === "json",
    plain: options.output === "plain",
    controls: fileControls(request, () => opened?.specs ?? [], onSignal),
    folder: () => opened?.folder(),
  });
  try {
    opened = await openRun({
      request,
      options,
      agents,
      project: project.root,
      specs: "epic" in target ? epicSpecs(request, target.epic) : [target.spec.name],
      epic: "epic" in target ? target.epic.name : undefined,
      version,
      program: join(__dirname, "smart-ralph.cjs"),
      guard: join(__dirname, "guard.cjs"),
      isAttended: options.output === "auto" && hasScreen(context),
      despiteChecklists: input.options["despite-checklists"] === true,
      strict: input.options["strict"] === true,
      signal: stop.signal,
      watch(event) {
        tell?.(event);
        show.tell(event);
      },
    });
    warn(opened, options);
    const status = await runTarget(opened, target);
    show.close();
    const { text, json } = showEnd({ ...context, ...request }, opened.folder(), { isDemo });
    const ok = status === "finished";
    return { code: EXIT_OF[status], text, json: { ...json, ok }, streamed: true };
  } finally {
    show.close();
    for (const signal of signals) process.off(signal, onSignal);
  }
}

const epicSpecs = (request: Request, place: EpicPlace): string[] =>
  [place, ...epicOf(request, place).specs].map(({ name }) => name);

/** Says at once if a bound on cost cannot be enforced. */
function warn({ context }: OpenRun, { budget, taskBudget, agents, prices }: RunOptions): void {
  const bounds = { run: budget, task: taskBudget };
  const text = warnOfCost(bounds, Object.values(agents).flat(), prices, reportsCost);
  if (text !== undefined) context.stage.emit({ kind: "note", text });
}
