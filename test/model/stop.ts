import type { Decision } from "../../src/run/decision.ts";
import { ALL_TASKS_COMPLETE } from "../../src/run/signal.ts";
import { whoseRun } from "../../src/run/trust.ts";
import { settle } from "./commands.ts";
import { ALL, append, apply, disk, now, openIds, type Setting, type Writes } from "./program.ts";
import type { Who, World } from "./world.ts";

/** What the hook answers to a stop, and the world that it leaves. */
export function stop(
  world: World,
  setting: Setting,
  who: Who,
  says: "all is done" | "nothing",
  most: Writes = ALL,
): { decision: Decision; world: World } {
  const before = disk(world, setting);
  if (before.state.kind === "absent") return miss(world, setting, who);
  const owner = whoseRun(before, who);
  if (owner === "elsewhere") return { decision: { outcome: "other-session" }, world };
  // A run that ended is reported once more if the hook was killed before it removed the state.
  const isOver = world.known && before.last?.loop.open === false && openIds(world).length === 0;
  if (owner === "stranger" && !isOver && setting.rules.knowsRuns) return tellStranger(world, who);
  const session = world.sessions[who];
  const event = {
    sessionId: who,
    continuing: session.continuing,
    message: says === "all is done" ? ALL_TASKS_COMPLETE : "That was this turn.",
    agentsRunning: session.agents.length,
  };
  const decision = setting.rules.decide(event, before, now);
  if (decision.outcome === "unsettled") {
    const settled = settle(world, setting, who);
    return settled === world ? { decision, world } : stop(settled, setting, who, says, most);
  }
  const { write } = decision;
  if (write === undefined) return { decision, world };
  return { decision, world: apply(world, setting, undefined, [write], { most }) };
}

/** What was written there is not run; it is reported once. */
function tellStranger(world: World, who: Who): { decision: Decision; world: World } {
  const { strangers } = world.memory;
  if (strangers.includes(who)) return { decision: { outcome: "idle" }, world };
  const memory = { ...world.memory, strangers: [...strangers, who].sort() };
  return { decision: { outcome: "idle", say: "stranger" }, world: { ...world, memory } };
}

/** The session's run was on, and its state is gone: its user is told, and the run is over. */
function miss(
  world: World,
  { rules: { missesRuns } }: Setting,
  who: Who,
): { decision: Decision; world: World } {
  const { known, last } = world;
  const isOn = known && last?.loop.open === true && last.loop.session === who;
  const { paused, awaitingApproval } = last?.held ?? {};
  if (!isOn || !missesRuns || paused === true || awaitingApproval === true)
    return { decision: { outcome: "idle" }, world };
  const over = append(world, {
    at: now.at,
    event: "lost",
    note: "its state file is gone",
    loop: { ...last.loop, open: false },
  });
  const isNews = last.loop.told === null || last.loop.told === "corrupt";
  return { decision: { outcome: "idle", ...(isNews ? { say: "lost" } : {}) }, world: over };
}
