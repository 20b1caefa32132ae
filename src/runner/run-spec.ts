import { requireUser } from "../engine/authority.ts";
import { asStrict } from "../engine/outlook.ts";
import { readSpecFacts } from "../engine/read-facts.ts";
import { readApproval } from "../engine/read-status.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { findUntaken } from "../engine/run-trees.ts";
import { readGoal } from "../store/documents.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { askUser } from "./ask-user.ts";
import { beginGoal, beginSpec, refuseToBegin } from "./begin.ts";
import type { RunContext } from "./context.ts";
import { Coordinator } from "./coordinator.ts";
import { type DriveEnd, STOPPED } from "./do-job.ts";
import { driveSpec } from "./drive.ts";
import { runnerEdition } from "./edition.ts";
import type { RunGround } from "./ground.ts";
import { holdSpec, type KeptLease } from "./keep-lease.ts";
import { lostIn } from "./lost.ts";
import { openTeller } from "./tell.ts";
import { watchUser } from "./watch-user.ts";

export interface SpecEnd extends DriveEnd, Counted {
  readonly spec: Spec;
}

/** How one spec is run, and where. */
export interface SpecRun {
  readonly home: Spec;
  readonly openGround: (home: Spec) => Promise<RunGround>;
  /** Used if the spec does not exist yet. */
  readonly goal: string | undefined;
  /** Whether the user typed the goal. In an epic, a spec is identified by its name instead. */
  readonly isGoalTyped: boolean;
  /** Whether the run waits for answers, or ends with questions open. */
  readonly isAttended: boolean;
  readonly onSpec: (spec: Spec, ground: RunGround) => void;
  /** Called once everything is proven, while we still hold the spec. */
  readonly comeBack?: (
    spec: Spec,
    request: Request,
    ground: RunGround,
    fence: number,
  ) => Promise<DriveEnd>;
}

/**
 * Drives one spec as far as it goes. No other run may work on it meanwhile. If one takes it over, for example because
 * this machine slept, this run ends and leaves the tree alone.
 */
export const runSpec = (context: RunContext, run: SpecRun): Promise<SpecEnd> =>
  context.stage.awake.during(() => runHeld(context, run));

const runHeld = (context: RunContext, run: SpecRun): Promise<SpecEnd> =>
  holdSpec(context, run.home, async (lease) => {
    const isStrict = context.strict || run.home.project.settings.strict;
    const strictly = (spec: Spec): Spec => (isStrict ? asStrict(spec) : spec);
    // First, because opening the ground pauses the run in the user's tree.
    requireUser(context.request, run.home, "run");
    refuseToBegin(context.request, strictly(findUntaken(run.home) ?? run.home), context.strict);
    const opened = await run.openGround(run.home);
    const ground = { ...opened, spec: strictly(opened.spec) };
    let isBegun = false;
    const onSpec: SpecRun["onSpec"] = (spec, place) => {
      isBegun = true;
      run.onSpec(spec, place);
    };
    try {
      return await runIn(context, { ...run, onSpec }, ground, lease);
    } finally {
      // Another run may work in the tree by now.
      if (lostIn(context.stage) === undefined) ground.close(!isBegun);
    }
  });

async function runIn(
  context: RunContext,
  run: SpecRun,
  ground: RunGround,
  lease: KeptLease,
): Promise<SpecEnd> {
  const { stage } = context;
  const tell = (text: string): void => stage.emit({ kind: "note", text });
  ground.notes.forEach(tell);
  const request = requestIn(context, ground);
  const spec = await begin(context, request, ground, run);
  run.onSpec(spec, ground);
  const coordinator = new Coordinator(request, spec, context.session, tell);
  const questions = askUser(stage, request, coordinator);
  const approval = () => readApproval(request, spec);
  const watch = watchUser(stage, spec, run.isAttended, questions, approval);
  const teller = openTeller(stage, coordinator, ground, !run.isGoalTyped);
  const drive = {
    stage,
    coordinator,
    ground: { ...ground, spec },
    questions,
    lease,
    teller,
    parallel: context.options.parallel,
    signalFor: watch.signalFor,
    waitForUser: watch.waitForUser,
  };
  try {
    const end = await driveSpec(drive);
    // Without a text, a question says why.
    if (end.text !== "" && lostIn(stage) === undefined)
      coordinator.ended(end === STOPPED ? "you stopped it" : end.text);
    const tasks = countTasks(spec);
    const returned =
      end.status === "finished" ? run.comeBack?.(spec, request, ground, lease.fence) : undefined;
    return { ...((await returned) ?? end), spec, ...tasks };
  } finally {
    watch.end();
  }
}

/** The same request, as if made in the run's tree. */
function requestIn({ request, session }: RunContext, { spec }: RunGround): Request {
  const { root, layout } = spec.project;
  return {
    ...request,
    caller: { session, authority: request.caller.authority },
    layout: runnerEdition(layout),
    cwd: root,
    starts: [root],
  };
}

/** Rewinds the unfinished tasks of a killed run, then has the engine start or resume the spec. */
async function begin(
  context: RunContext,
  request: Request,
  ground: RunGround,
  { goal, isGoalTyped }: Pick<SpecRun, "goal" | "isGoalTyped">,
): Promise<Spec> {
  const { spec } = ground;
  const options = { mayAmend: context.options.mayAmend, despite: context.despiteChecklists };
  const isThere = readGlance(spec).state.kind !== "absent" || readTasks(spec).kind === "ok";
  if (!isThere && goal !== undefined)
    return beginGoal(request, spec.project, { name: spec.name, goal }, options);
  if (goal !== undefined && isGoalTyped) refuseOther(spec, goal);
  for (const id of interrupted(spec)) {
    await ground.rewind(id);
    context.stage.emit({ kind: "note", text: `${id} was interrupted and begins again` });
  }
  const step = await beginSpec(request, spec, options);
  for (const text of "notes" in step ? step.notes : []) context.stage.emit({ kind: "note", text });
  return spec;
}

/** Two goals may produce the same name: refuses if the existing spec has a different goal. */
function refuseOther(spec: Spec, goal: string): void {
  if (readGoal(spec) === goal.trim()) return;
  const { name } = spec;
  throw new Refusal(
    "refused",
    `a run named "${name}" works on another goal`,
    `name this one: ${SHELL_PROGRAM} run <name> "<goal>"; or take the other first: ${SHELL_PROGRAM} take ${name}`,
  );
}

/** Open tasks whose agents died with their run. A ticked task was settled, or is about to be checked again. */
function interrupted(spec: Spec): string[] {
  const { last } = readGlance(spec);
  const out = last?.loop.open === true ? Object.values(last.loop.out) : [];
  const tasks = readTasks(spec);
  const open = new Set(
    tasks.kind === "ok" ? tasks.list.tasks.filter((one) => !one.checked).map(({ id }) => id) : [],
  );
  return [...new Set(out)].filter((id) => open.has(id));
}

/** How far a spec is, and which of its tasks are not proven. */
export interface Counted {
  readonly done: number;
  readonly total: number;
  readonly unproven: readonly string[];
}

/** The same of several: what is not proven has the name of its spec. */
export function countAll(specs: readonly Spec[]): Counted {
  const all = specs.map(countTasks);
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    total: all.reduce((sum, { total }) => sum + total, 0),
    unproven: all.flatMap(({ unproven }, i) =>
      unproven.map((id) => (specs.length === 1 ? id : `${specs[i]?.name} ${id}`)),
    ),
  };
}

export function countTasks(spec: Spec): Counted {
  const tasks = readTasks(spec);
  if (tasks.kind !== "ok") return { done: 0, total: 0, unproven: [] };
  const { counts, unproven } = readSpecFacts(spec, tasks.list);
  return { done: counts.done, total: counts.total, unproven };
}
