import type { Decision } from "../../src/run/decision.ts";
import { agentMoves, goMoves, otherMoves, ownMoves } from "./acts.ts";
import { approve, cancel, flag } from "./commands.ts";
import type { Game, Move } from "./game.ts";
import { stop } from "./stop.ts";
import { change, PEOPLE, type Who, type World } from "./world.ts";

export function movesOf(world: World, game: Game): Move[] {
  const others = game.actors.has("other session");
  return [
    ...(others ? PEOPLE : (["a"] as const)).flatMap((who) => movesBy(world, game, who)),
    ...(game.actors.has("user") ? userMoves(world, game) : []),
  ];
}

function movesBy(world: World, game: Game, who: Who): Move[] {
  const { turn, agents } = world.sessions[who];
  const ending = agents.length > 0 ? agentMoves(world, game, who) : [];
  if (turn === "gone") return [];
  if (turn === "idle") {
    const typed = change(world, who, { turn: "works", continuing: false, talk: 0 });
    return [{ name: `the user types something to ${who}`, world: typed }, ...ending];
  }
  return [
    ...stopMoves(world, game, who),
    ...ending,
    ...(who === "a" ? ownMoves(world, game) : otherMoves(world, game)),
  ];
}

function stopMoves(world: World, game: Game, who: Who): Move[] {
  const moves = [stopMove(world, game, who, false), stopMove(world, game, who, true)];
  if (!game.actors.has("dies")) return moves;
  // Killed after the journal and before the state: the client hears nothing and lets the turn end.
  const { world: after } = stop(world, game, who, "nothing", 1);
  const idle = change(after, who, { turn: "idle", continuing: false, talk: 0 });
  // What the journal says, `status` and the next session tell.
  const reason = after.last?.loop.told ?? null;
  const told =
    reason === null ? world.memory.told : [...new Set([...world.memory.told, reason])].sort();
  const died = { ...idle, memory: { ...world.memory, told } };
  return [...moves, { name: `${who} stops; the hook is killed half way`, world: died }];
}

export function stopMove(world: World, game: Game, who: Who, claim: boolean): Move {
  const { decision, world: after } = stop(world, game, who, claim ? "all is done" : "nothing");
  const { outcome, prompt } = decision;
  const { talk } = world.sessions[who];
  const goesOn = prompt !== undefined && talk < game.client.blockCap;
  const session = goesOn
    ? { turn: "works" as const, continuing: true, talk: talk + 1 }
    : { turn: "idle" as const, continuing: false, talk: 0 };
  const ids =
    prompt !== undefined && "brief" in prompt ? prompt.brief.current.map(({ id }) => id) : [];
  const answer =
    prompt === undefined
      ? `${outcome}, let go`
      : `${outcome}, kept: ${ids.join(", ") || prompt.kind}`;
  return {
    name: `${who} ${claim ? "says that all is done" : "stops"} → ${answer}${prompt !== undefined && !goesOn ? "; the client's cap ends the turn" : ""}`,
    world: remember(change(after, who, session), who, decision),
    stopped: { who, decision },
  };
}

/** What the properties keep of an answer. */
function remember(world: World, who: Who, { outcome, prompt, say }: Decision): World {
  const { memory } = world;
  // A run that is lost is over, too.
  if (outcome === "finished" || (outcome === "idle" && say !== undefined)) {
    return { ...world, memory: { ...memory, driver: null } };
  }
  const isNew = say !== undefined && !memory.told.includes(outcome);
  const told = isNew ? [...memory.told, outcome].sort() : memory.told;
  if (prompt === undefined)
    return told === memory.told ? world : { ...world, memory: { ...memory, told } };
  const handsOut = ["continue", "sent-back", "phase"].includes(outcome);
  return {
    ...world,
    memory: {
      ...memory,
      blocks: memory.blocks + 1,
      told: handsOut ? [] : told,
      driver: who,
      driven: memory.driven.includes(who) ? memory.driven : [...memory.driven, who].sort(),
      hadList: memory.hadList || (handsOut && world.tasks !== undefined),
    },
  };
}

function userMoves(world: World, game: Game): Move[] {
  const people = game.actors.has("other session") ? PEOPLE : (["a"] as const);
  const paused = flag(world, game, "a", "paused", { paused: true });
  const approved = approve(world, game, "a");
  const cancelled = cancel(world, game);
  const ended = { ...cancelled, memory: { ...world.memory, driver: null } };
  return [
    ...people.flatMap((who) => goMoves(world, game, who)),
    ...(paused === world ? [] : [{ name: "the user pauses the loop", world: paused }]),
    ...(approved === world ? [] : [{ name: "the user approves it", world: approved }]),
    ...(cancelled === world ? [] : [{ name: "the user cancels the run", world: ended }]),
  ];
}
