import { planVerification } from "../../src/run/claim/verification.ts";
import type { Outcome } from "../../src/run/decision.ts";
import { isWaiting, LIMITS } from "../../src/run/state.ts";
import { locate } from "../../src/tasks/position.ts";
import { goMoves } from "./acts.ts";
import * as program from "./commands.ts";
import { HOLLOW } from "./commands.ts";
import type { Game, Move } from "./game.ts";
import { stopMove } from "./moves.ts";
import { openIds } from "./program.ts";
import { change, keyOf, listOf, PEOPLE, stateOf, type Who, type World } from "./world.ts";

/** What is wrong with a move, in a sentence; nothing, if it is well. */
type Property = (before: World, move: Move, game: Game) => string | undefined;

const handedOut = ({ stopped }: Move) => {
  const prompt = stopped?.decision.prompt;
  return prompt?.kind === "continue" || prompt?.kind === "sent-back"
    ? prompt.brief.current
    : undefined;
};

const isBlock = ({ stopped }: Move): boolean => stopped?.decision.prompt !== undefined;

const handsOutOpenTasks: Property = (_, move) => {
  const ids = handedOut(move)?.map(({ id }) => id);
  if (ids === undefined || move.world.tasks === undefined) return undefined;
  // Boxes that were ticked by hand may have been cleared on the way.
  const open = openIds(move.world);
  const wrong = ids.filter((id) => !open.includes(id));
  if (wrong.length > 0) return `it hands out ${wrong.join(", ")}, which is not open`;
  if (ids.length === 0) return "it goes on without a task";
  if (new Set(ids).size < ids.length) return "it hands out a task twice in one answer";
  const { tasks } = listOf(move.world.tasks);
  const early = ids.filter((id) =>
    tasks.some(
      (one) =>
        !one.checked && one.tags.some((tag) => /^(FIX|PART) /.test(tag) && tag.endsWith(` ${id}`)),
    ),
  );
  return early.length > 0 ? `it hands out ${early.join(", ")} before what fixes it` : undefined;
};

const handsOutOnce: Property = (before, move) => {
  if (move.stopped === undefined || !isBlock(move)) return undefined;
  const { who } = move.stopped;
  const { agents } = before.sessions[who];
  if (agents.length > 0)
    return `it keeps ${who} going while its agent works on ${agents.join(", ")}`;
  const { driver } = before.memory;
  return driver !== null && driver !== "anyone" && driver !== who
    ? `it keeps ${who} going although ${driver} has the work in hand`
    : undefined;
};

const drivesOnlyWhatIsBegun: Property = (before, move) =>
  isBlock(move) && before.memory.driver === null
    ? "it goes on although the run is over"
    : undefined;

const finishesOnlyWhatIsDone: Property = (before, { stopped }) => {
  if (stopped?.decision.outcome !== "finished" || !before.memory.hadList) return undefined;
  if (before.tasks === undefined) return "it ends as finished though the list is gone";
  const { tasks } = listOf(before.tasks);
  if (tasks.length === 0) return "it ends as finished with no task in the list";
  const open = openIds(before);
  return open.length > 0 ? `it ends as finished with ${open.join(", ")} open` : undefined;
};

/** What was ticked before the run is the user's word, and what has no Verify rests on the tick alone. */
const finishesOnlyWhatIsProven: Property = (before, { stopped }, { settings }) => {
  const { tasks, known, agreed, worked } = before;
  if (stopped?.decision.outcome !== "finished" || tasks === undefined || !known) return undefined;
  const list = listOf(tasks);
  const loose = list.tasks.filter((task) => {
    const commands = planVerification(list, task, settings).checks.map(({ command }) => command);
    const isWord = agreed?.given?.includes(task.id) !== false || commands.length === 0;
    const isHollow = commands.includes(HOLLOW) && agreed?.commands.includes(HOLLOW) === true;
    return !isWord && !isHollow && !worked.includes(task.id);
  });
  return loose.length > 0
    ? `it ends as finished, and nothing was done for ${loose.map(({ id }) => id).join(", ")}`
    : undefined;
};

const keepsTheState: Property = (before, { world, stopped, name }) => {
  if (before.state === undefined || world.state !== undefined) return undefined;
  const isWanted = stopped?.decision.outcome === "finished" || /cancels|deletes|"go"/.test(name);
  return isWanted
    ? undefined
    : "the state is removed although the run is neither finished nor cancelled";
};

const NEED_A_WORD: ReadonlySet<Outcome> = new Set([
  "finished",
  "awaiting",
  "limit",
  "exhausted",
  "stalled",
  "corrupt",
]);

const saysWhyItLetsGo: Property = (before, { stopped }) => {
  if (stopped === undefined || stopped.decision.prompt !== undefined) return undefined;
  const { who, decision } = stopped;
  const { outcome, say } = decision;
  const { memory, sessions } = before;
  if (NEED_A_WORD.has(outcome)) {
    // Whoever knows that the last turn is over needs no other reason.
    const isTold = [outcome, "limit" as const].some((one) => memory.told.includes(one));
    return say === undefined && !isTold ? `it stops (${outcome}) and nobody was told` : undefined;
  }
  const file = stateOf(before);
  const isRight: Partial<Record<Outcome, boolean>> = {
    // A run that was on is noticed when gone, unless its user knows anyway that it is not moving.
    idle:
      say !== undefined ||
      memory.driver !== who ||
      (file.kind === "absent" && (memory.waits || memory.told.some((one) => one !== "corrupt"))),
    "other-session": memory.driver !== who,
    "agents-running": sessions[who].agents.length > 0,
    "not-executing": file.kind === "ok" && file.state.phase !== "execution",
    foreign: sessions[who].continuing && !memory.driven.includes(who),
  };
  return isRight[outcome] === true ? undefined : `it stops (${outcome}), but that is not the case`;
};

const staysWithinItsTurns: Property = (_, { world }) => {
  const { blocks, limit } = world.memory;
  return blocks > limit
    ? `it has kept the agent going ${blocks} times, ${limit} are allowed`
    : undefined;
};

const keepsTheCache: Property = (_, move) => {
  const { world } = move;
  if (handedOut(move) === undefined || world.tasks === undefined) return undefined;
  const file = stateOf(world);
  const { index, total } = locate(listOf(world.tasks));
  if (file.kind !== "ok") return "it goes on without a state";
  const { taskIndex, totalTasks } = file.state;
  return taskIndex === index && totalTasks === total
    ? undefined
    : `the state says task ${taskIndex} of ${totalTasks}, the boxes say ${index} of ${total}`;
};

const leavesTheUserAlone: Property = (before, move) => {
  const file = stateOf(before);
  const prompt = move.stopped?.decision.prompt;
  if (prompt === undefined || prompt.kind === "corrupt" || file.kind !== "ok") return undefined;
  return before.memory.waits || isWaiting(file.state)
    ? "it goes on although the user paused it or is asked"
    : undefined;
};

const runsOnlyWhatIsAgreed: Property = (before, move, { settings }) => {
  const { world, reported } = move;
  if (reported === undefined || before.tasks === undefined || before.agreed === undefined)
    return undefined;
  const list = listOf(before.tasks);
  const task = list.tasks.find(({ id }) => id === reported);
  // Whatever came of it, it has been run if the journal has a verdict on it.
  if (task === undefined || world.last === before.last || world.last?.event !== "done")
    return undefined;
  const commands = planVerification(list, task, settings).checks.map(({ command }) => command);
  const fresh = commands.filter((command) => before.agreed?.commands.includes(command) !== true);
  return fresh.length > 0 ? `it runs ${fresh.join(", ")}, which no user agreed to` : undefined;
};

const ticksOnlyWhatIsProven: Property = (before, move, { settings }) => {
  const { world, reported, contradicts } = move;
  if (reported === undefined || before.tasks === undefined) return undefined;
  const list = listOf(before.tasks);
  const task = list.tasks.find(({ id }) => id === reported);
  if (task?.checked !== false || openIds(world).includes(reported)) return undefined;
  if (contradicts === true) return `the box of ${reported} is ticked though its report says no`;
  if (world.worked.includes(reported)) return undefined;
  // What has no Verify rests on its report alone, and what the user agreed to proves what it does.
  const commands = planVerification(list, task, settings).checks.map(({ command }) => command);
  const isHollow = commands.includes(HOLLOW) && before.agreed?.commands.includes(HOLLOW) === true;
  return commands.length > 0 && !isHollow
    ? `the box of ${reported} is ticked and nothing was done`
    : undefined;
};

export const properties: Readonly<Record<string, Property>> = {
  "hands out open tasks only": handsOutOpenTasks,
  "hands each out once at a time": handsOutOnce,
  "drives only what its user began": drivesOnlyWhatIsBegun,
  "finishes only what is done": finishesOnlyWhatIsDone,
  "finishes only what is proven": finishesOnlyWhatIsProven,
  "keeps the state until the end": keepsTheState,
  "says why it stops": saysWhyItLetsGo,
  "stays within its turns": staysWithinItsTurns,
  "keeps the cache true": keepsTheCache,
  "leaves a waiting user alone": leavesTheUserAlone,
  "ticks only what is proven": ticksOnlyWhatIsProven,
  "runs only what is agreed to": runsOnlyWhatIsAgreed,
};

/** Stops that an agent which only stops is kept going for: the stalls, and one last word. */
const mostStops = ({ settings }: Game): number => settings.stallLimit + 1;

/** From every world: an agent that does nothing more may stop soon, and for good. */
export class Endings {
  private readonly known = new Map<string, number>();

  /** How often it is still kept going, if it only stops from here on. */
  blocksLeft(world: World, game: Game, who: Who, claim: boolean): number {
    const seen: string[] = [];
    const kept: number[] = [];
    const most = mostStops(game);
    let at = world;
    let rest = 0;
    for (;;) {
      const key = `${who}${claim ? "!" : "."}${keyOf(at)}`;
      const known = this.known.get(key);
      if (known !== undefined) rest = known;
      if (known !== undefined || seen.includes(key)) break;
      const { world: next, stopped } = stopMove(at, game, who, claim);
      seen.push(key);
      kept.push(stopped?.decision.prompt === undefined ? 0 : 1);
      // The user may make it stop again at any time.
      at = next.sessions[who].turn === "idle" ? change(next, who, { turn: "works" }) : next;
      // Only the bounds themselves may end this; what runs on is cut here and found too long.
      if (kept.length > 4 * most + LIMITS.maxGlobalIterations) {
        rest = Number.POSITIVE_INFINITY;
        break;
      }
    }
    for (let i = seen.length - 1; i >= 0; i--) {
      rest += kept[i] as number;
      this.known.set(seen[i] as string, rest);
    }
    return rest;
  }

  check(world: World, game: Game): string | undefined {
    for (const who of PEOPLE) {
      const { turn } = world.sessions[who];
      if (turn !== "works") continue;
      for (const claim of [false, true]) {
        const blocks = this.blocksLeft(world, game, who, claim);
        if (blocks > mostStops(game)) {
          return `an agent that only stops${claim ? ", saying that all is done," : ""} is kept going ${blocks} times, ${mostStops(game)} are allowed`;
        }
      }
    }
    return undefined;
  }
}

/** From every world: once the user says "go", an agent that does what it is handed comes to the end, each task once. */
export class Successes {
  private readonly known = new Map<string, string | undefined>();

  check(world: World, game: Game): string | undefined {
    // By `implement`, which approves the list as it is.
    const fields = { maxGlobalIterations: 99, maxTaskIterations: 9 };
    const [go] = goMoves(world, game, "a", { fields, event: "start" });
    if (go === undefined || go.world.state === undefined) return undefined;
    const quiet = change(go.world, "a", { agents: [] });
    const key = keyOf(quiet);
    if (!this.known.has(key)) this.known.set(key, this.play(quiet, game));
    return this.known.get(key);
  }

  private play(start: World, game: Game): string | undefined {
    let at = start;
    // Boxes that were ticked by hand may have to be done again.
    const stops = listOf(start.tasks ?? "").tasks.length;
    for (let i = 0; i <= stops; i++) {
      const move = stopMove(at, game, "a", false);
      const { decision } = move.stopped as NonNullable<Move["stopped"]>;
      if (decision.outcome === "finished") return undefined;
      const ids = handedOut(move)?.map(({ id }) => id);
      if (ids === undefined) return `an agent that does its work ends in "${decision.outcome}"`;
      at = move.world;
      for (const id of ids) at = doTask(at, game, id);
    }
    return `an agent that does its work is not done after ${stops} turns`;
  }
}

function doTask(world: World, game: Game, id: string): World {
  const task = listOf(world.tasks ?? "").tasks.find((one) => one.id === id);
  const report = task?.tags.includes("VERIFY") === true ? "VERIFICATION_PASS" : "TASK_COMPLETE";
  const worked = { ...world, worked: [...new Set([...world.worked, id])].sort() };
  return program.claim(worked, game, "a", id, report);
}
