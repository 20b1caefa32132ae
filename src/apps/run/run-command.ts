import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO, demoAgent } from "../../agents/demo/demo.ts";
import { GREETER } from "../../agents/demo/greeter.ts";
import type { DemoScene } from "../../agents/demo/script.ts";
import { requireShell } from "../../engine/authority.ts";
import { tellIgnored } from "../../engine/doctor/settings.ts";
import { Refusal } from "../../engine/refusal.ts";
import { isAtTerminal, type Request } from "../../engine/request.ts";
import { epicOf } from "../../engine/resolve-epic.ts";
import type { EpicPlace } from "../../epic/files.ts";
import { layouts } from "../../layouts/all.ts";
import type { Edition } from "../../layouts/layout.ts";
import { type AgentChoice, parseAgentChoices } from "../../run/agent-choice.ts";
import { findCrew, knownAgents } from "../../runner/crew.ts";
import { runnerEdition } from "../../runner/edition.ts";
import type { EventSink } from "../../runner/emit.ts";
import { fileControls } from "../../runner/file-controls.ts";
import { repeatOptions } from "../../runner/go-on.ts";
import { openRun, type OpenRun } from "../../runner/open-run.ts";
import { parseRunOptions } from "../../runner/options.ts";
import { describePreflight, planPreflight, refusalIn } from "../../runner/preflight.ts";
import { readPreflight } from "../../runner/read-preflight.ts";
import { readRunPlan } from "../../runner/run-plan.ts";
import { RUN_ENDS } from "../../runner/run-status.ts";
import { projectOf, runTarget } from "../../runner/run-target.ts";
import { resolveTarget, type Target, type UnknownName } from "../../runner/target.ts";
import { findMisread, readRunSettings } from "../../store/run-settings-file.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { stringOption } from "../cli/arguments.ts";
import type { Command, Context, Input, Result } from "../cli/command.ts";
import { nameOf } from "../cli/named-spec.ts";
import { version } from "../cli/version.ts";
import { confirm, SIGNALS, STOP_SIGNALS } from "../stdio/terminal.ts";
import { openDemoProject } from "./demo-run.ts";
import { detachRun } from "./detach.ts";
import { openDetached } from "./detached.ts";
import { showDryRun } from "./dry-run.ts";
import { openShow } from "./show.ts";
import { hasScreen, showEnd } from "./watch.ts";

declare const __dirname: string;

/** The variable that names a script for the built-in agent in other projects than its own. */
const SCENES = "SMART_RALPH_DEMO_SCENES";

export const runRun: Command["run"] = async (context, typed) => {
  requireShell(context, "run");
  const isNamed = nameOf(typed, typed.args[0]) !== undefined;
  const choices = parseAgentChoices(stringOption(typed, "agent") ?? "") ?? [];
  const isAlone = choices.every(({ agent }) => agent === DEMO);
  if (isNamed || !isAlone) refuseDemo(context, choices);
  const isDemo = choices.length > 0 && isAlone && !isNamed && context.env[SCENES] === undefined;
  const input = isDemo ? typed : await confirmGoal(context, typed);
  if (input.options["detach"] === true && input.options["dry-run"] !== true) {
    if (!isDemo) return detachRun(context, input);
    throw new Refusal("usage", "the demo is meant to be watched", "leave out --detach");
  }
  if (!isDemo) return runHere(context, input);
  const demo = openDemoProject();
  try {
    const here = { ...context, cwd: demo.folder, starts: [demo.folder] };
    return await run(here, input, demo.parent);
  } finally {
    demo.remove();
  }
};

/** The built-in agent is a script for its own project: it never works in another one, nor beside real agents. */
function refuseDemo({ env }: Context, choices: readonly AgentChoice[]): void {
  if (env[SCENES] !== undefined || choices.every(({ agent }) => agent !== DEMO)) return;
  throw new Refusal(
    "usage",
    "the built-in agent knows only its own project",
    `${SHELL_PROGRAM} run --agent demo, and nothing else, shows it; ${SHELL_PROGRAM} agents lists real ones`,
  );
}

/** A single word that names nothing may be a goal. At a terminal one question settles it. */
async function confirmGoal(context: Context, input: Input): Promise<Input> {
  const { json, "dry-run": isDry } = input.options;
  const canAsk = isAtTerminal(context) && hasScreen(context) && json !== true && isDry !== true;
  if (!canAsk || input.args.length !== 1) return input;
  const { target } = targetOf(context, input);
  if (!("unknown" in target)) return input;
  const { unknown, unit, goal } = target;
  const question = `There is no ${unit} ${unknown}. Begin one with the goal "${goal}"? [y/N] `;
  if (!(await confirm(question))) throw refuseName(target);
  return { ...input, options: { ...input.options, fresh: true } };
}

const refuseName = ({ unknown, unit, goal }: UnknownName): Refusal =>
  new Refusal(
    "missing",
    `there is no ${unit} "${unknown}"`,
    `to begin one with the goal "${goal}": ${SHELL_PROGRAM} run --fresh ${unknown}`,
  );

/** What the words of the command line mean, for the request of a run. */
function targetOf(
  context: Context,
  { args, options }: Input,
): { request: Request; target: Target | UnknownName } {
  const request: Request = {
    ...context,
    layout: undefined,
    editions: layouts.map(runnerEdition) as [Edition, ...Edition[]],
  };
  const name = nameOf({ args, options }, args[0]);
  const words = name === undefined ? [] : [name, ...args.slice(1)];
  const epic = stringOption({ args, options }, "epic");
  const isFresh = options["fresh"] === true;
  return {
    request,
    target: resolveTarget(request, words, epic, repeatOptions(options), isFresh),
  };
}

/** Runs in this process: at a terminal, or in the background. */
async function runHere(context: Context, input: Input): Promise<Result> {
  const detached = openDetached(context);
  try {
    return await run(detached?.context ?? context, input, undefined, detached?.tell);
  } catch (error) {
    if (error instanceof Refusal) detached?.refuse(error);
    throw error;
  }
}

function readScenes(path: string | undefined): readonly DemoScene[] {
  if (path === undefined) return GREETER;
  return JSON.parse(readFileSync(path, "utf8")) as readonly DemoScene[];
}

/** `demo`: its folder, if it is that. `tell` gets every event before the view does. */
async function run(
  context: Context,
  input: Input,
  demo?: string,
  tell?: EventSink,
): Promise<Result> {
  const isDemo = demo !== undefined;
  const { request, target } = targetOf(context, input);
  if ("unknown" in target) throw refuseName(target);
  const project = projectOf(target);
  const misread = findMisread(project);
  if (misread !== undefined)
    throw new Refusal(
      "usage",
      `"${oneLine(misread, 80)}" in your settings is not understood`,
      `${SHELL_PROGRAM} doctor says what it takes`,
    );
  const asked = parseRunOptions(input.options, readRunSettings(project));
  if (!isDemo) refuseDemo(context, Object.values(asked.agents).flat());
  const agents = [...knownAgents(asked.acp), demoAgent(readScenes(context.env[SCENES]))];
  const strict = input.options["strict"] === true;
  const crew = await findCrew(asked, agents, context);
  const { options } = crew;
  const checks = planPreflight(readPreflight(request, target, crew, agents, strict));
  if (input.options["dry-run"] === true)
    return showDryRun(context, checks, readRunPlan(request, target), options);
  const refusal = refusalIn(checks);
  if (refusal !== undefined) throw refusal;
  const stop = new AbortController();
  // The second signal exits at once; the guard ends what is left. A closed terminal may say it more than once.
  const onSignal = (signal?: NodeJS.Signals): void =>
    stop.signal.aborted && signal !== "SIGHUP" ? process.exit(RUN_ENDS.stopped.exit) : stop.abort();
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
      passing: demo,
      onExit: (work) => void process.once("exit", work),
      isAttended: options.output === "auto" && hasScreen(context),
      despiteChecklists: input.options["despite-checklists"] === true,
      strict,
      signal: stop.signal,
      sinks: tell === undefined ? [show.tell] : [tell, show.tell],
    });
    for (const [i, text] of describePreflight(checks).entries())
      opened.context.stage.emit({ kind: "note", text, ...(i === 0 ? { checks } : {}) });
    for (const text of isDemo ? [] : tellIgnored(project))
      opened.context.stage.emit({ kind: "note", text });
    const status = await runTarget(opened, target);
    show.close();
    const here = { ...context, ...request };
    const end = showEnd(here, opened.folder(), input.options, isDemo);
    return { ...end, code: RUN_ENDS[status].exit, streamed: true };
  } finally {
    show.close();
    for (const signal of signals) process.off(signal, onSignal);
  }
}

const epicSpecs = (request: Request, place: EpicPlace): string[] =>
  [place, ...epicOf(request, place).specs].map(({ name }) => name);
