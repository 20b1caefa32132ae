import { randomBytes } from "node:crypto";
import { delimiter, dirname, join } from "node:path";
import type { Agent } from "../agents/port.ts";
import { type Guard, type GuardedScreen, startGuard } from "../agents/process/guard.ts";
import { ATTEMPT_MARK, RUN_MARK, sweepMark } from "../agents/process/sweep.ts";
import type { Request } from "../engine/request.ts";
import { treesFolder } from "../engine/trunk-record.ts";
import { describeProcesses } from "../exec/namespace.ts";
import { identityIn } from "../git/run.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { formatSpent } from "../run/cost.ts";
import { DRIVEN } from "../run/driven.ts";
import { runnerSession } from "../run/runner-session.ts";
import { findGit } from "../store/git-files.ts";
import type { Spec } from "../store/spec.ts";
import { openAwake } from "./awake.ts";
import { claimLease, thisWorker } from "./claim-lease.ts";
import type { RunContext } from "./context.ts";
import { readKilled, sweepEarlier } from "./earlier-runs.ts";
import type { Role, RunEvent, RunNews, RunStatus } from "./events.ts";
import { goOnCommand } from "./go-on.ts";
import { type BudgetKeeper, keepBudget } from "./keep-budget.ts";
import { writeLauncher } from "./launcher.ts";
import { localExecutor } from "./local-executor.ts";
import { Lost } from "./lost.ts";
import { resumeMeter, totalSpent, usedBefore } from "./meter.ts";
import { makeNotifier } from "./notify.ts";
import type { RunOptions } from "./options.ts";
import { openPatientWriter, type PatientWriter } from "./patient-writer.ts";
import { FREE } from "./pool.ts";
import { describeUse, openRoom } from "./room.ts";
import {
  appendEvent,
  type AttemptName,
  createRun,
  isPassing,
  openTranscript,
  planRunId,
  requireVault,
  type RunFolder,
  updateRun,
} from "./run-files.ts";
import { pruneRuns } from "./run-list.ts";
import { openSlots } from "./slots.ts";
import type { Stage } from "./stage.ts";
import { openSurroundings, surroundAgent, surroundVerify } from "./surround.ts";

export interface NewRun {
  readonly request: Request;
  readonly options: RunOptions;
  readonly agents: readonly Agent[];
  readonly project: string;
  readonly specs: readonly string[];
  readonly epic: string | undefined;
  readonly version: string;
  /** Files of ours: the program that agents call, and the guard that outlives us to end them. */
  readonly program: string;
  readonly guard: string;
  readonly isAttended: boolean;
  readonly onExit: GuardedScreen["onExit"];
  readonly despiteChecklists: boolean;
  /** The user typed --strict. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
  readonly watch: (event: RunEvent) => void;
}

export interface OpenRun {
  readonly context: RunContext;
  readonly folder: () => RunFolder;
  /** The specs that the run works on, as they are in its trees. */
  readonly specs: Spec[];
  readonly update: (more: { readonly tree: string; readonly branch: string | null }) => void;
  /** Once this resolves, nothing that the run started is left. */
  readonly close: (status: RunStatus) => Promise<void>;
}

/** Prepares everything that a run needs before its first agent starts. First ends what earlier runs left. */
export async function openRun(run: NewRun): Promise<OpenRun> {
  const { request, options, agents } = run;
  const stop = new AbortController();
  const { signal } = stop;
  if (run.signal.aborted) stop.abort();
  else run.signal.addEventListener("abort", () => stop.abort(), { once: true });
  const { vault, runs } = requireVault();
  await sweepEarlier(runs, run.project);
  const used = resumeMeter(readKilled(runs, run.project, run.specs), Date.now());
  const before = usedBefore(used);
  pruneRuns(runs);
  const id = planRunId(new Date(), randomBytes(4).toString("hex"));
  const session = runnerSession(id);
  const names = namesIn(options);
  let folder = createRun(runs, {
    run: id,
    project: run.project,
    specs: run.specs,
    tree: run.project,
    branch: null,
    session,
    agents: names,
    began: new Date().toISOString(),
  });
  const log = openPatientWriter<RunEvent>((event) => appendEvent(folder, event), isPassing);
  const emit = (news: RunNews): void => {
    const event = { at: new Date().toISOString(), ...news } as RunEvent;
    log.write(event);
    run.watch(event);
    notifier.tell(event);
  };
  const notifier = makeNotifier({ command: options.notify, url: options.notifyUrl }, id, (text) =>
    emit({ kind: "note", text }),
  );
  const goOn = goOnCommand(run.epic === undefined ? run.specs : [run.epic], options.given);
  const screen = run.isAttended ? { goOn, onExit: run.onExit } : undefined;
  const guard: Guard = startGuard(id, run.guard, screen);
  const mark = { [RUN_MARK]: id, [DRIVEN]: session };
  // An agent's own `git commit` has to work too, and its tests have to pass as Verify.
  const identity = findGit(run.project) === undefined ? {} : identityIn(run.project);
  const bin = writeLauncher(folder.folder, run.program);
  const path = [bin, request.env["PATH"] ?? ""].join(delimiter);
  const surroundings = openSurroundings(options, request.env, [
    bin,
    join(dirname(run.program), ".."),
  ]);
  const timeUp = new AbortController();
  const transcripts = new Map<string, PatientWriter<string>>();
  const stage: Stage = {
    run: id,
    choose: (role) => chooseFor(options, agents, role),
    agents,
    executorIn: (spec, ground) => localExecutor(stage, spec, ground),
    pool: FREE,
    tried: [],
    slots: openSlots(options.parallel),
    emit,
    budget: keepBudget(used, { run: options.budget, task: options.taskBudget }, options.prices),
    record({ spec, task, attempt }, agent, line) {
      const key = `${spec}\0${task}\0${attempt}\0${agent}`;
      const known = transcripts.get(key) ?? recordFor(folder, { spec, task, attempt, agent });
      transcripts.set(key, known);
      known.write(line);
    },
    surround({ id: agent }, { cwd, env }) {
      const marks = { ...mark, [ATTEMPT_MARK]: `${id}/${++attempts}` };
      const own = { ...identity, ...env, ...marks, PATH: path };
      return surroundAgent(surroundings, agent, cwd, own);
    },
    limits: { ...options.limits, mayWait: options.waits, maxBusyMs: options.busyMs },
    awake: openAwake(options.awake, request.env),
    room: openRoom({
      emit,
      mayWait: options.waits,
      minFree: options.minFree,
      project: run.project,
      tellUse: () => describeUse(treesFolder() ?? vault, runs),
    }),
    signal,
    lose: (why) => stop.abort(new Lost(why)),
    timeUp: timeUp.signal,
  };
  const clock = watchTime(stage.budget, () => timeUp.abort());
  emit({
    kind: "run-started",
    run: id,
    version: run.version,
    pid: process.pid,
    agents: names,
    parallel: options.parallel,
    budget: options.budget,
    sandbox: options.sandbox,
    processes: describeProcesses(surroundings.namespace),
    ...(run.epic === undefined ? {} : { epic: run.epic }),
    ...(options.given.length === 0 ? {} : { options: options.given }),
    ...(before === undefined ? {} : { before }),
  });
  if (before !== undefined) {
    const spent = formatSpent({ ...totalSpent(used), ms: before.ms });
    emit({ kind: "note", text: `continues a run that was killed; what it used counts: ${spent}` });
  }
  return {
    context: {
      session,
      request: {
        ...request,
        verifier: surroundVerify(surroundings, { ...identity, ...mark }),
        // Time that is up ends agents, and no Verify: what was reported counts.
        signal: () => signal,
      },
      options,
      claim: (home) => claimLease(vault, home, thisWorker(id)),
      stage,
      isAttended: run.isAttended,
      despiteChecklists: run.despiteChecklists,
      strict: run.strict,
    },
    folder: () => folder,
    specs: [],
    update: (more) => void (folder = updateRun(folder, more)),
    async close(status) {
      clearInterval(clock);
      const count = await sweepMark(RUN_MARK, id);
      if (count > 0) emit({ kind: "swept", count });
      guard.end();
      await notifier.drained();
      for (const { flush } of [...transcripts.values(), log]) flush();
      folder = updateRun(folder, { ended: new Date().toISOString(), status });
    },
  };
}

function recordFor(folder: RunFolder, name: AttemptName): PatientWriter<string> {
  let write: ReturnType<typeof openTranscript> | undefined;
  return openPatientWriter((line) => (write ??= openTranscript(folder, name))(line));
}

/** Calls `over` when the run's time is up. Agents watch the time themselves, but a Verify does not. */
function watchTime(budget: BudgetKeeper, over: () => void): NodeJS.Timeout | undefined {
  if (budget.timeLeft() === undefined) return undefined;
  const timer = setInterval(() => {
    if ((budget.timeLeft() ?? 1) <= 0) over();
  }, LOOK_MS);
  timer.unref();
  return timer;
}

const LOOK_MS = 250;

let attempts = 0;

const namesIn = ({ agents }: RunOptions): string[] => [
  ...new Set(Object.values(agents).flatMap((all) => all.map(({ agent }) => agent))),
];

/** The agents for a role, in the order in which they are tried. */
const chooseFor = (
  { agents: wanted, model }: RunOptions,
  agents: readonly Agent[],
  role: Role,
): readonly AgentChoice[] =>
  wanted[role].length === 0
    ? agents.map(({ id: agent }) => (model === undefined ? { agent } : { agent, model }))
    : wanted[role].filter(({ agent }) => agents.some(({ id }) => id === agent));
