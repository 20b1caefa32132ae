import { planBegin, planRepair } from "../../src/core/begin.ts";
import { type Change, planAddition, planSplit } from "../../src/core/change.ts";
import { decide } from "../../src/core/decide.ts";
import type { Decision, Disk, Write } from "../../src/core/decision.ts";
import type { Standing } from "../../src/core/grow.ts";
import type { Entry, EventName } from "../../src/core/journal.ts";
import type { Layout } from "../../src/core/layout.ts";
import { currentLoop, type Now } from "../../src/core/loop.ts";
import { isProven } from "../../src/core/receipt.ts";
import { planFailure } from "../../src/core/recovery.ts";
import { judge } from "../../src/core/report.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import { planDone, planRefusal } from "../../src/core/settle.ts";
import { ALL_TASKS_COMPLETE } from "../../src/core/signal.ts";
import type { Raw } from "../../src/core/state.ts";
import { judgeEvidence, planVerification } from "../../src/core/verify.ts";
import { groupOf } from "../../src/tasks/groups.ts";
import type { Task } from "../../src/tasks/types.ts";
import { diskOf, listOf, stateOf, type Who, type World } from "./world.ts";

export const now: Now = { at: "2026-01-01T00:00:00.000Z", runId: "run" };

/** The parts of the program that decide. A test may put a broken one in place of each. */
export interface Rules {
  readonly decide: typeof decide;
  readonly planBegin: typeof planBegin;
  readonly planRepair: typeof planRepair;
  readonly planDone: typeof planDone;
  readonly judge: typeof judge;
  readonly judgeEvidence: typeof judgeEvidence;
}

export const rules: Rules = { decide, planBegin, planRepair, planDone, judge, judgeEvidence };

export interface Setting {
  readonly layout: Layout;
  readonly settings: Settings;
  readonly rules: Rules;
}

export const settingOf = (layout: Layout, stallLimit: number, own: Rules = rules): Setting => ({
  layout,
  settings: { ...defaultSettings, stallLimit },
  rules: own,
});

/** A process that dies after so many writes leaves the rest undone. */
type Writes = number;
const ALL: Writes = Number.POSITIVE_INFINITY;

/** As the store writes: tasks first, then the journal, and the state last. */
function apply(
  world: World,
  tasks: string | undefined,
  writes: readonly Write[],
  { most = ALL, base }: { most?: Writes; base?: Raw } = {},
): World {
  const file = stateOf(world);
  const raw = base ?? (file.kind === "ok" ? file.raw : {});
  const steps: ((at: World) => World)[] = [];
  if (tasks !== undefined) steps.push((at) => ({ ...at, tasks }));
  for (const { state, evidence: _, agent: __, ...entry } of writes) {
    steps.push((at) => append(at, { at: now.at, ...entry }));
    if (state === undefined) continue;
    const text = state === "remove" ? undefined : JSON.stringify({ ...raw, ...state });
    steps.push((at) => ({ ...at, state: text }));
  }
  return steps.slice(0, most).reduce((at, step) => step(at), world);
}

const VERDICTS: ReadonlySet<EventName> = new Set(["done", "refused", "failed", "undone"]);

function append(world: World, entry: Entry): World {
  const { task, event } = entry;
  const verdicts =
    task !== undefined && VERDICTS.has(event)
      ? { ...world.verdicts, [task]: event }
      : world.verdicts;
  return { ...world, last: entry, verdicts };
}

const disk = (world: World, { layout, settings }: Setting): Disk => diskOf(world, layout, settings);

/** What the hook answers to a stop, and the world that it leaves. */
export function stop(
  world: World,
  setting: Setting,
  who: Who,
  says: "all is done" | "nothing",
  most: Writes = ALL,
): { decision: Decision; world: World } {
  const session = world.sessions[who];
  const event = {
    sessionId: who,
    continuing: session.continuing,
    message: says === "all is done" ? ALL_TASKS_COMPLETE : "That was this turn.",
    agentsRunning: session.agents.length,
  };
  const decision = setting.rules.decide(event, disk(world, setting), now);
  const { write } = decision;
  return {
    decision,
    world: write === undefined ? world : apply(world, undefined, [write], { most }),
  };
}

/** A run as a command finds it. Commands refuse where there is none, and where it is another session's. */
function standing(world: World, setting: Setting, who: Who | null): Standing | undefined {
  const { state, tasks, last, spec } = disk(world, setting);
  if (state.kind !== "ok" || tasks.kind !== "ok" || tasks.list.tasks.length === 0) return undefined;
  const loop = currentLoop(state.state, last, now);
  if (who !== null && loop.session !== null && loop.session !== who) return undefined;
  return { spec, list: tasks.list, state: state.state, loop };
}

const taskOf = (at: Standing, id: string): Task | undefined =>
  at.list.tasks.find((task) => task.id === id);

/** `done`, and what the hook does when a sub-agent reports: every layer, then Verify, then the box. */
export function claim(
  world: World,
  setting: Setting,
  who: Who,
  id: string,
  report: string,
  most: Writes = ALL,
): World {
  const at = standing(world, setting, who);
  const task = at === undefined ? undefined : taskOf(at, id);
  if (at === undefined || task === undefined) return world;
  const { judge: weigh, judgeEvidence: weighEvidence, planDone: plan } = setting.rules;
  const entries = Object.entries(world.verdicts).map(([one, event]) => ({
    task: one,
    event,
  })) as Entry[];
  if (task.checked && isProven(entries, task)) return world;
  const refused = (note: string): World => {
    const { tasks, write } = planRefusal(at, task, { note });
    return apply(world, tasks, [write], { most });
  };
  const refusal = weigh({
    task,
    report,
    list: at.list,
    ticked: at.loop.ticked,
    peers: groupOf(at.list, task)
      .filter((one) => !isProven(entries, one))
      .map((one) => one.id),
    uncommitted: [],
    outside: [],
  });
  if (refusal !== undefined) return refused(refusal);
  const evidence = planVerification(at.list, task, setting.settings).commands.map((command) => ({
    command,
    outcome: world.worked.includes(id) ? ("passed" as const) : ("failed" as const),
    exitCode: world.worked.includes(id) ? 0 : 1,
    milliseconds: 1,
    commit: "",
    tail: "",
  }));
  const unproven = weighEvidence(task, evidence);
  if (unproven !== undefined) return refused(unproven);
  const { tasks, write } = plan(at, task, String(world.head));
  return apply(world, tasks, [write], { most });
}

export function fail(world: World, setting: Setting, who: Who, id: string): World {
  const at = standing(world, setting, who);
  const task = at === undefined ? undefined : taskOf(at, id);
  if (at === undefined || task === undefined || task.checked) return world;
  const { tasks, writes } = planFailure(at, world.last, task, "it broke");
  return apply(world, tasks, writes);
}

export function reshape(
  world: World,
  setting: Setting,
  who: Who,
  id: string,
  how: "split" | "add",
): World {
  const at = standing(world, setting, who);
  const task = at === undefined ? undefined : taskOf(at, id);
  if (at === undefined || task === undefined) return world;
  const fields = new Map([["Do", "more"]]);
  const made: Change =
    how === "split"
      ? planSplit(at, task, ["one half", "the other"], "")
      : planAddition(at, task, "before", { title: "more", fields }, "");
  return made.kind === "changed" ? apply(world, made.tasks, [made.write]) : world;
}

/** `implement` and `resume`. Undefined where they refuse. */
export function begin(
  world: World,
  setting: Setting,
  who: Who,
  byUser: boolean,
  fields: Raw = {},
): World | undefined {
  const at = disk(world, setting);
  if (at.tasks.kind !== "ok" || at.tasks.list.tasks.length === 0) return undefined;
  const wish = { event: "resume", session: who, byUser, fields } as const;
  const { loop, raw, write } = setting.rules.planBegin(at, at.tasks.list, wish, now);
  if (at.tasks.list.tasks.some((task) => !task.checked)) {
    return apply(world, undefined, [write], { base: raw });
  }
  if (at.state.kind === "absent") return world;
  const finished: Write = { event: "finished", loop: { ...loop, open: false }, state: "remove" };
  return apply(world, undefined, [finished]);
}

export function repair(world: World, setting: Setting, who: Who): World {
  const at = disk(world, setting);
  if (at.state.kind === "absent" && at.last?.loop.open !== true) return world;
  if (at.tasks.kind !== "ok" || at.tasks.list.tasks.length === 0) return world;
  return apply(world, undefined, [setting.rules.planRepair(at, at.tasks.list, who, now).write]);
}

/** `pause`, `await-approval`, `approve`: flags of the state. Anybody may pause, the others are the session's own. */
export function flag(
  world: World,
  setting: Setting,
  who: Who | null,
  event: "paused" | "awaiting" | "approved",
  fields: Raw,
): World {
  const file = stateOf(world);
  if (file.kind !== "ok") return world;
  const loop = currentLoop(file.state, world.last, now);
  if (who !== null && loop.session !== null && loop.session !== who) return world;
  const isSet = Object.entries(fields).every(
    ([name, value]) => (file.raw[name] ?? false) === value,
  );
  return isSet ? world : apply(world, undefined, [{ event, loop, state: fields }]);
}

export function cancel(world: World, setting: Setting): World {
  const { state, last } = disk(world, setting);
  if (state.kind === "absent" && last?.loop.open !== true) return world;
  const loop = currentLoop(state.kind === "ok" ? state.state : {}, last, now);
  return apply(world, undefined, [
    { event: "cancelled", loop: { ...loop, open: false }, state: "remove" },
  ]);
}

export const openIds = ({ tasks }: World): string[] =>
  tasks === undefined
    ? []
    : listOf(tasks)
        .tasks.filter((task) => !task.checked)
        .map((task) => task.id);
