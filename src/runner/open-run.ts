import { randomBytes } from "node:crypto";
import { delimiter, dirname, join } from "node:path";
import type { Agent } from "../agents/port.ts";
import { type Guard, startGuard } from "../agents/process/guard.ts";
import { ATTEMPT_MARK, RUN_MARK, sweepMark } from "../agents/process/sweep.ts";
import type { Request } from "../engine/request.ts";
import { describeProcesses } from "../exec/namespace.ts";
import { formatSpent } from "../run/cost.ts";
import { DRIVEN } from "../run/driven.ts";
import { runnerSession } from "../run/runner-session.ts";
import type { Spec } from "../store/spec.ts";
import type { RunContext } from "./context.ts";
import { readKilled, sweepEarlier } from "./earlier-runs.ts";
import type { Role, RunEvent, RunNews, RunStatus } from "./events.ts";
import { type BudgetKeeper, keepBudget } from "./keep-budget.ts";
import { writeLauncher } from "./launcher.ts";
import { localAssignments, thisWorker } from "./local-assignments.ts";
import { resumeMeter, totalSpent, usedBefore } from "./meter.ts";
import { makeNotifier } from "./notify.ts";
import type { RunOptions } from "./options.ts";
import { FREE } from "./pool.ts";
import {
  appendEvent,
  createRun,
  openTranscript,
  planRunId,
  requireVault,
  type RunFolder,
  updateRun,
} from "./run-files.ts";
import { pruneRuns } from "./run-list.ts";
import { openSlots } from "./slots.ts";
import type { Choice, Stage } from "./stage.ts";
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
  const { request, options, agents, signal } = run;
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
  const emit = (news: RunNews): void => {
    const event = { at: new Date().toISOString(), ...news } as RunEvent;
    appendEvent(folder, event);
    run.watch(event);
    notifier.tell(event);
  };
  const notifier = makeNotifier({ command: options.notify, url: options.notifyUrl }, id, (text) =>
    emit({ kind: "note", text }),
  );
  const guard: Guard = startGuard(id, run.guard);
  const mark = { [RUN_MARK]: id, [DRIVEN]: session };
  const bin = writeLauncher(folder.folder, run.program);
  const path = [bin, request.env["PATH"] ?? ""].join(delimiter);
  const surroundings = openSurroundings(options, request.env, [
    bin,
    join(dirname(run.program), ".."),
  ]);
  const timeUp = new AbortController();
  const transcripts = new Map<string, (line: string) => void>();
  const stage: Stage = {
    run: id,
    choose: (role) => chooseFor(options, agents, role),
    pool: FREE,
    slots: openSlots(options.parallel),
    emit,
    budget: keepBudget(used, { run: options.budget, task: options.taskBudget }, options.prices),
    record({ spec, task, attempt }, agent, line) {
      const key = `${spec}\0${task}\0${attempt}\0${agent}`;
      const write = transcripts.get(key) ?? openTranscript(folder, { spec, task, attempt, agent });
      transcripts.set(key, write);
      write(line);
    },
    surround({ id: agent }, { cwd, env }) {
      const marks = { ...mark, [ATTEMPT_MARK]: `${id}/${++attempts}` };
      const own = { ...env, ...marks, PATH: path };
      return surroundAgent(surroundings, agent, cwd, own);
    },
    limits: options.limits,
    mayWait: options.waits,
    maxBusyMs: options.busyMs,
    signal,
    timeUp: timeUp.signal,
  };
  const clock = watchTime(stage.budget, () => timeUp.abort());
  const ended = new AbortController();
  for (const one of [signal, timeUp.signal])
    one.addEventListener("abort", () => ended.abort(), { once: true });
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
      worker: thisWorker(id),
      request: {
        ...request,
        verifier: surroundVerify(surroundings, mark),
        signal: () => ended.signal,
      },
      options,
      assignments: localAssignments(vault),
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
      folder = updateRun(folder, { ended: new Date().toISOString(), status });
    },
  };
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
): readonly Choice[] =>
  wanted[role].length === 0
    ? agents.map((agent) => (model === undefined ? { agent } : { agent, model }))
    : wanted[role].flatMap((choice) => {
        const agent = agents.find(({ id }) => id === choice.agent);
        return agent === undefined
          ? []
          : [choice.model === undefined ? { agent } : { agent, model: choice.model }];
      });
