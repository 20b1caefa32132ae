import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { specUnit } from "../store/lease.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { askUser } from "./ask-user.ts";
import { beginGoal, beginSpec } from "./begin.ts";
import type { RunContext } from "./context.ts";
import { Coordinator } from "./coordinator.ts";
import type { DriveEnd } from "./do-job.ts";
import { driveSpec } from "./drive.ts";
import type { RunGround } from "./ground.ts";
import type { Job } from "./jobs.ts";
import { openTeller } from "./tell.ts";
import { watchUser } from "./watch-user.ts";

export interface SpecEnd extends DriveEnd {
  readonly spec: Spec;
  readonly done: number;
  readonly total: number;
}

/** How often the lease is renewed. */
const BEAT_MS = 20_000;

/**
 * Drives one spec to its end, as far as it goes. `goal`: it does not exist yet. Nobody else may work on it meanwhile; if
 * somebody takes it over, for example because this machine slept, what we bring afterwards is refused by the engine,
 * which knows the run by another session then.
 */
export async function runSpec(
  context: RunContext,
  home: Spec,
  openGround: (home: Spec) => Promise<RunGround>,
  goal: string | undefined,
  onSpec: (spec: Spec, ground: RunGround) => void,
): Promise<SpecEnd> {
  const { assignments, worker, stage } = context;
  const claimed = await assignments.claim(specUnit(home.folder), worker);
  if (claimed.kind === "taken") {
    const { run, pid, machine } = claimed.by;
    throw new Refusal(
      "refused",
      `run ${run} (process ${pid} on ${machine}) is working on "${home.name}"`,
      `watch it with smart-ralph watch ${run}, or stop it there`,
    );
  }
  const { assignment } = claimed;
  const beat = setInterval(() => void assignments.heartbeat(assignment), BEAT_MS);
  beat.unref();
  try {
    const ground = await openGround(home);
    for (const text of ground.notes) context.emit({ kind: "note", text });
    const request = requestIn(context, ground);
    const spec = await begin(context, request, ground, goal);
    onSpec(spec, ground);
    const coordinator = new Coordinator(request, spec, context.session);
    const watch = watchUser(stage, spec, context.isAttended);
    try {
      const end = await driveSpec({
        stage,
        coordinator,
        ground: { ...ground, spec },
        questions: askUser(stage, request, coordinator),
        assign: async (task) => {
          const unit = `${assignment.unit}#${task}`;
          const given = await assignments.claim(unit, worker);
          if (given.kind === "taken") return undefined;
          return {
            commit: (write) => assignments.commit(given.assignment, write),
            release: () => assignments.release(given.assignment),
          };
        },
        teller: openTeller(stage, coordinator, ground),
        parallel: context.options.parallel,
        skips: watch.skips,
        waitForUser: watch.waitForUser,
      });
      return { ...end, spec, ...countTasks(spec) };
    } finally {
      watch.end();
      ground.close();
    }
  } finally {
    clearInterval(beat);
    await assignments.release(assignment);
  }
}

/** The same request, as it is made in the run's tree. */
function requestIn({ request, session, edition }: RunContext, { spec }: RunGround): Request {
  const { root, layout } = spec.project;
  return {
    ...request,
    caller: { session, authority: request.caller.authority },
    layout: edition(layout),
    cwd: root,
    starts: [root],
  };
}

/** What a run that was killed had begun goes back to where it began; then the engine takes the run up. */
async function begin(
  context: RunContext,
  request: Request,
  ground: RunGround,
  goal: string | undefined,
): Promise<Spec> {
  const { spec } = ground;
  const options = { mayAmend: context.options.mayAmend, despite: context.despiteChecklists };
  const isThere = readGlance(spec).state.kind !== "absent" || readTasks(spec).kind === "ok";
  if (!isThere && goal !== undefined)
    return beginGoal(request, spec.project, { name: spec.name, goal }, options);
  for (const job of interrupted(spec)) {
    await ground.rewind(job);
    context.emit({ kind: "note", text: `${job.id} was interrupted and begins again` });
  }
  const step = await beginSpec(request, spec, options);
  for (const text of "notes" in step ? step.notes : []) context.emit({ kind: "note", text });
  return spec;
}

/** Tasks whose agents died with their run. One that is ticked was settled, or is about to be checked again. */
function interrupted(spec: Spec): Job[] {
  const { last } = readGlance(spec);
  const out = last?.loop.open === true ? Object.values(last.loop.out) : [];
  const tasks = readTasks(spec);
  const open = new Set(
    tasks.kind === "ok" ? tasks.list.tasks.filter((one) => !one.checked).map(({ id }) => id) : [],
  );
  const ids = [...new Set(out)].filter((id) => open.has(id));
  return ids.map((id) => ({
    id,
    title: id,
    role: "execution",
    type: "spec-executor",
    attempt: last?.loop.attempts[id] ?? 1,
    of: 1,
  }));
}

export function countTasks(spec: Spec): { readonly done: number; readonly total: number } {
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  return { done: all.filter(({ checked }) => checked).length, total: all.length };
}
