import { agreeToPending, ask, NOTHING } from "../../src/run/agreement.ts";
import type { RunStanding } from "../../src/run/change/insert-tasks.ts";
import { type Change, planAddition, planSplit } from "../../src/run/change/plan-change.ts";
import { planFailure } from "../../src/run/change/recovery.ts";
import { planRefusal } from "../../src/run/claim/claim-outcome.ts";
import { hasVerdict, isSettled } from "../../src/run/claim/settled.ts";
import { planVerification } from "../../src/run/claim/verification.ts";
import type { Write } from "../../src/run/decision.ts";
import { AT_END, planHandOut, readyKey } from "../../src/run/hand-out.ts";
import { currentLoop, sumBoxes } from "../../src/run/loop.ts";
import { findLost } from "../../src/run/lost-tasks.ts";
import { isWaiting, type Raw } from "../../src/run/state.ts";
import { keepTrusted } from "../../src/run/trust.ts";
import { setChecked } from "../../src/tasks/edit/tick.ts";
import { groupOf } from "../../src/tasks/groups.ts";
import type { Task } from "../../src/tasks/model.ts";
import {
  ALL,
  apply,
  agreementOf,
  disk,
  isStranger,
  now,
  type Setting,
  type Writes,
} from "./program.ts";
import { listOf, stateOf, verdictsOf, type Who, type World } from "./world.ts";

/** A run as a command finds it. Commands refuse where there is none, and where it is another session's. */
function standing(world: World, setting: Setting, who: Who): RunStanding | undefined {
  const at = disk(world, setting);
  const { state, tasks, last, spec } = at;
  if (state.kind !== "ok" || tasks.kind !== "ok" || tasks.list.tasks.length === 0) return undefined;
  if (isStranger(at, who)) return undefined;
  const loop = currentLoop(state.state, last, now);
  if (loop.session !== null && loop.session !== who) return undefined;
  return { spec, list: tasks.list, state: state.state, loop };
}

const taskOf = (at: RunStanding, id: string): Task | undefined =>
  at.list.tasks.find((task) => task.id === id);

/** `done`, and what the hook does when a sub-agent reports: every layer, then Verify, then the box. */
export function claim(
  world: World,
  setting: Setting,
  who: Who,
  id: string,
  report: string | null,
  most: Writes = ALL,
): World {
  const at = standing(world, setting, who);
  const task = at === undefined ? undefined : taskOf(at, id);
  if (at === undefined || task === undefined) return world;
  const { judgeClaim: weigh, judgeEvidence: weighEvidence, planDone: plan } = setting.rules;
  const entries = verdictsOf(world);
  if (task.checked && isSettled(entries, task)) return world;
  const refused = (note: string): World => {
    const { tasks, write } = planRefusal(at, task, { note }, { isByHand: report === null });
    return apply(world, setting, tasks, [write], { most });
  };
  const refusal = weigh({
    task,
    report,
    list: at.list,
    ticked: at.loop.ticked,
    peers: groupOf(at.list, task)
      .filter((one) => !isSettled(entries, one))
      .map((one) => one.id),
    uncommitted: [],
    outside: [],
  });
  if (refusal !== undefined) return refused(refusal);
  const commands = planVerification(at.list, task, setting.settings).checks.map(
    ({ command }) => command,
  );
  const agreed = world.agreed ?? NOTHING;
  const question = setting.rules.questionOf(agreed, task, commands);
  if (question !== undefined)
    return wait({ ...world, agreed: ask(agreed, question) }, setting, at, task, report, most);
  const evidence = commands.map((command) => {
    const isPassed = command === HOLLOW || world.worked.includes(id);
    return {
      command,
      outcome: isPassed ? ("passed" as const) : ("failed" as const),
      exitCode: isPassed ? 0 : 1,
      milliseconds: 1,
      commit: "",
      tail: "",
    };
  });
  const unproven = weighEvidence(task, evidence);
  if (unproven !== undefined) return refused(unproven);
  const event = report === null && evidence.length === 0 ? "ticked" : "done";
  const { tasks, write } = plan(at, task, String(world.head), {}, event);
  return prepare(apply(world, setting, tasks, [write], { most }), setting, who, most);
}

/** What an agent would write for its Verify: it passes, whatever was done. */
export const HOLLOW = "test 1";

/** The user has to agree to a command before it is run. */
function wait(
  world: World,
  setting: Setting,
  at: RunStanding,
  task: Task,
  report: string | null,
  most: Writes,
): World {
  const state = { awaitingApproval: true, approvalReason: "new Verify" };
  const write: Write = { event: "awaiting", task: task.id, loop: at.loop, state };
  const tasks = report === null ? setChecked(at.list, task, false) : undefined;
  return apply(world, setting, tasks, [write], { most });
}

/** What a stop does before it decides: boxes that were ticked by hand are claims, and the next tasks get ready. */
export function settle(world: World, setting: Setting, who: Who): World {
  const ids = listOf(world.tasks ?? "")
    .tasks.filter(({ checked, id }) => checked && isClaim(world, id))
    .map(({ id }) => id);
  const claimed = ids.reduce(
    (at, id) => (isWaitingIn(at) ? at : claim(at, setting, who, id, null)),
    world,
  );
  const at = standing(claimed, setting, who);
  if (at === undefined || isWaitingIn(claimed)) return claimed;
  const agreed = claimed.agreed ?? NOTHING;
  const isDone = at.list.tasks.every((task) => task.checked);
  const lost = isDone ? findLost(agreed, at.list, verdictsOf(claimed)) : [];
  if (lost.length > 0) {
    const questions = lost.map((task) => ({ task, commands: [] }));
    const state = { awaitingApproval: true, approvalReason: "gone" };
    const asked = { ...claimed, agreed: questions.reduce(ask, agreed) };
    return apply(asked, setting, undefined, [{ event: "awaiting", loop: at.loop, state }]);
  }
  const { list, loop } = at;
  const boxes = sumBoxes(list.tasks);
  const ready = isDone ? AT_END : loop.ready;
  const counted =
    boxes === loop.boxes && ready === loop.ready
      ? claimed
      : apply(claimed, setting, undefined, [{ event: "ready", loop: { ...loop, boxes, ready } }]);
  return prepare(counted, setting, who);
}

/** The next tasks get ready: a checkpoint each, which the model does not have, and a word about it. */
function prepare(world: World, setting: Setting, who: Who, most: Writes = ALL): World {
  const at = standing(world, setting, who);
  if (most !== ALL || at === undefined || isWaitingIn(world)) return world;
  const { spec, list, state, loop } = at;
  const brief = planHandOut(spec, list, state, loop);
  const ready = readyKey(brief);
  if (brief.current.length === 0) return world;
  if (state.phase !== "execution" || loop.ready === ready) return world;
  return apply(world, setting, undefined, [{ event: "ready", loop: { ...loop, ready } }]);
}

const isWaitingIn = (world: World): boolean => {
  const file = stateOf(world);
  return file.kind === "ok" && isWaiting(file.state);
};

const isClaim = (world: World, id: string): boolean => {
  const entries = verdictsOf(world);
  if (isSettled(entries, { id })) return false;
  const { given } = world.agreed ?? NOTHING;
  return given !== undefined && !(given.includes(id) && !hasVerdict(entries, id));
};

export function fail(world: World, setting: Setting, who: Who, id: string): World {
  const at = standing(world, setting, who);
  const task = at === undefined ? undefined : taskOf(at, id);
  if (at === undefined || task === undefined || task.checked) return world;
  const recent = world.last === undefined ? [] : [world.last];
  const { tasks, writes } = planFailure(at, recent, task, { reason: "it broke" });
  return prepare(apply(world, setting, tasks, writes), setting, who);
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
  if (made.kind !== "changed") return world;
  return prepare(apply(world, setting, made.tasks, [made.write]), setting, who);
}

/** `implement` and `resume`. Undefined where there is nothing to begin; an agent is refused. */
export function begin(
  world: World,
  setting: Setting,
  who: Who | null,
  event: "start" | "resume",
  fields: Raw = {},
): World | undefined {
  const at = keepTrusted(disk(world, setting), who);
  if (at.tasks.kind !== "ok" || at.tasks.list.tasks.length === 0) return undefined;
  const wish = { event, session: who, fields } as const;
  const { loop, raw, write } = setting.rules.planRun(at, at.tasks.list, wish, now);
  const { tasks } = at.tasks.list;
  const isResumed = at.last?.loop.open === true && event === "resume";
  const isCut = isResumed && (at.lost?.(at.tasks.list) ?? []).length > 0;
  const isClaimed = (loop.boxes !== null && loop.boxes !== sumBoxes(tasks)) || isCut;
  if (isClaimed || tasks.some((task) => !task.checked)) {
    const all = agreementOf(world);
    const isOn = at.last?.loop.open === true;
    const given = (isOn ? world.agreed?.given : undefined) ?? all.given ?? [];
    const agreed = { ...(event === "resume" ? (world.agreed ?? all) : all), given };
    const known = { ...world, known: true, agreed };
    return apply(known, setting, undefined, [write], { base: raw });
  }
  if (at.state.kind === "absent") return world;
  const finished: Write = { event: "finished", loop: { ...loop, open: false }, state: "remove" };
  return apply(world, setting, undefined, [finished]);
}

export function repair(world: World, setting: Setting, who: Who): World {
  const at = disk(world, setting);
  const isOn = world.known && at.last?.loop.open === true;
  if ((at.state.kind === "absent" && !isOn) || isStranger(at, who)) return world;
  if (at.tasks.kind !== "ok" || at.tasks.list.tasks.length === 0) return world;
  const { write } = setting.rules.planRepair(at, at.tasks.list, who, now);
  return apply(world, setting, undefined, [write]);
}

/** `pause`, `await-approval`, `approve`: flags of the state. Anybody may pause, the others are the session's own. */
export function flag(
  world: World,
  setting: Setting,
  who: Who,
  event: "paused" | "awaiting" | "approved",
  fields: Raw,
): World {
  const at = disk(world, setting);
  const { state: file } = at;
  if (file.kind !== "ok" || isStranger(at, who)) return world;
  const loop = currentLoop(file.state, world.last, now);
  if (event !== "paused" && loop.session !== null && loop.session !== who) return world;
  const isSet = Object.entries(fields).every(
    ([name, value]) => (file.raw[name] ?? false) === (value ?? false),
  );
  return isSet ? world : apply(world, setting, undefined, [{ event, loop, state: fields }]);
}

/** The user's yes: to whatever is asked, and to the commands that they were shown. */
export function approve(world: World, setting: Setting, who: Who): World {
  const at = disk(world, setting);
  if (standing(world, setting, who) === undefined || at.state.kind !== "ok") return world;
  if (at.state.state.phase !== "execution") return world;
  const yes = { awaitingApproval: false, approvalReason: undefined };
  const { agreed } = world;
  const isAsked = agreed?.pending !== undefined;
  return flag(
    isAsked ? { ...world, agreed: agreeToPending(agreed) } : world,
    setting,
    who,
    "approved",
    yes,
  );
}

export function cancel(world: World, setting: Setting): World {
  const { state, last } = disk(world, setting);
  if (state.kind === "absent" && last?.loop.open !== true) return world;
  const loop = currentLoop(state.kind === "ok" ? state.state : {}, last, now);
  return apply(world, setting, undefined, [
    { event: "cancelled", loop: { ...loop, open: false }, state: "remove" },
  ]);
}
