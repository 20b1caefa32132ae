import type { Raw } from "../../src/run/state.ts";
import { setChecked } from "../../src/tasks/edit/tick.ts";
import type { Task, TaskList } from "../../src/tasks/model.ts";
import * as program from "./commands.ts";
import { begin, HOLLOW } from "./commands.ts";
import type { Actor, Game, Move } from "./game.ts";
import { openIds } from "./program.ts";
import {
  change,
  fresh,
  listOf,
  type Memory,
  stateOf,
  TOKEN,
  type Who,
  type World,
} from "./world.ts";

/** A tool call: the client's count of idle blocks starts again. */
const act = (who: Who, name: string, world: World, more: Partial<Move> = {}): Move => ({
  name: `${who} ${name}`,
  world: world.sessions[who].talk === 0 ? world : change(world, who, { talk: 0 }),
  ...more,
});

const work = (world: World, id: string): World =>
  world.worked.includes(id) ? world : { ...world, worked: [...world.worked, id].sort() };

function reportOf(world: World, id: string): string {
  const task = listOf(world.tasks ?? "").tasks.find((one) => one.id === id);
  return task?.tags.includes("VERIFY") === true ? "VERIFICATION_PASS" : "TASK_COMPLETE";
}

export function ownMoves(world: World, game: Game): Move[] {
  const has = (actor: Actor): boolean => game.actors.has(actor);
  return [
    ...(has("reports") ? reportMoves(world, game) : []),
    ...(has("fails") ? failMoves(world, game) : []),
    ...(has("reshapes") ? reshapeMoves(world, game) : []),
    ...(has("edits the state") ? stateMoves(world) : []),
    ...(has("forges the state") ? forgeMoves(world) : []),
    ...(has("edits the tasks") ? taskMoves(world) : []),
    ...(has("background") ? startMoves(world) : []),
    ...(has("helps itself") ? selfMoves(world, game) : []),
    ...(has("busy") ? busyMoves(world) : []),
    ...(has("other session") ? [goneMove(world)] : []),
  ];
}

function reportMoves(world: World, game: Game): Move[] {
  return openIds(world).flatMap((id) => {
    const claim = reportOf(world, id);
    const done = (at: World, report: string, most?: number): World =>
      program.claim(at, game, "a", id, report, most);
    const more = { reported: id };
    const moves = [
      act("a", `does ${id} and reports it`, done(work(world, id), claim), more),
      act("a", `reports ${id} without having done it`, done(world, claim), more),
      act(
        "a",
        `reports ${id} and contradicts itself`,
        done(work(world, id), `${claim}\nrequires manual steps`),
        { ...more, contradicts: true },
      ),
    ];
    if (!game.actors.has("dies")) return moves;
    return [
      ...moves,
      act(
        "a",
        `reports ${id}; the program is killed half way`,
        done(work(world, id), claim, 1),
        more,
      ),
    ];
  });
}

/** Past the last attempt the count continues, but nothing depends on it. */
const failMoves = (world: World, game: Game): Move[] =>
  openIds(world)
    .slice(0, 2)
    .filter((id) => (world.last?.loop.attempts[id] ?? 1) <= (world.last?.loop.maxAttempts ?? 1))
    .map((id) => act("a", `reports that ${id} failed`, program.fail(world, game, "a", id)));

const reshapeMoves = (world: World, game: Game): Move[] =>
  openIds(world)
    .slice(0, 1)
    .flatMap((id) => [
      act("a", `splits ${id}`, program.reshape(world, game, "a", id, "split")),
      act("a", `adds a task before ${id}`, program.reshape(world, game, "a", id, "add")),
    ]);

const stateWriter =
  (world: World) =>
  (name: string, state: string | undefined): Move =>
    act("a", name, { ...world, state });

function stateMoves(world: World): Move[] {
  const file = stateOf(world);
  if (file.kind === "absent") return [];
  const write = stateWriter(world);
  const broken = [write("breaks the state", "{"), write("deletes the state", undefined)];
  if (file.kind === "corrupt") {
    return [...broken, write("writes a bare state", '{"phase":"execution"}')];
  }
  const set = (name: string, fields: object): Move =>
    write(name, JSON.stringify({ ...file.raw, ...fields }));
  return [
    ...broken,
    write("drops every counter", '{"phase":"execution"}'),
    set("raises its limits", { maxGlobalIterations: 99, maxTaskIterations: 99 }),
    set("sets the index to the end", { taskIndex: 99 }),
    set("sets another phase", { phase: "design" }),
    ...(file.state.phase === "design" ? [set("sets the phase back", { phase: "execution" })] : []),
    ...(file.state.paused === true || file.state.awaitingApproval === true
      ? [set("takes the flags out of the state", { paused: false, awaitingApproval: false })]
      : []),
  ];
}

/** An agent that wants to get rid of its run, or to have another one. */
function forgeMoves(world: World): Move[] {
  const file = stateOf(world);
  const write = stateWriter(world);
  const own = { phase: "execution", maxGlobalIterations: 99 };
  return [
    write("writes a state of its own", JSON.stringify(own)),
    write("writes a state that it has seen", JSON.stringify({ ...own, runToken: TOKEN })),
    ...(file.kind === "absent" ? [] : [write("deletes the state", undefined)]),
    ...(file.kind === "ok"
      ? [
          write(
            "gives the state to another session",
            JSON.stringify({ ...file.raw, sessionId: "b" }),
          ),
        ]
      : []),
    // A copy for people: the one that counts is out of reach.
    act("a", "empties the journal", world),
  ];
}

function taskMoves(world: World): Move[] {
  if (world.tasks === undefined) return [];
  const list = listOf(world.tasks);
  const write = (name: string, tasks: string | undefined): Move =>
    act("a", name, { ...world, tasks });
  const textOf = (tasks: readonly Task[]): string =>
    tasks.flatMap((task) => list.lines.slice(task.line - 1, task.endLine)).join("");
  const open = list.tasks.find((task) => !task.checked);
  const ticked = list.tasks.findLast((task) => task.checked);
  return [
    ...(open === undefined
      ? []
      : [
          write(`ticks ${open.id} by hand`, setChecked(list, open, true)),
          ...(textOf([open]).includes(HOLLOW)
            ? []
            : [write(`writes another Verify for ${open.id}`, hollow(list, open))]),
          write(
            `takes ${open.id} out of the list`,
            textOf(list.tasks.filter((task) => task !== open)),
          ),
        ]),
    ...(ticked === undefined
      ? []
      : [write(`clears ${ticked.id} by hand`, setChecked(list, ticked, false))]),
    ...(list.tasks.length > 1
      ? [write("turns the list around", textOf(list.tasks.toReversed()))]
      : []),
    ...(world.tasks.includes("9.9")
      ? []
      : [write("writes another task", `${world.tasks}- [ ] 9.9 more\n`)]),
    write("deletes the list", undefined),
  ];
}

/** The same task with a Verify that always passes. */
const hollow = ({ lines }: TaskList, { line, endLine }: Task): string =>
  [
    ...lines.slice(0, line),
    ...lines.slice(line, endLine).filter((one) => !one.includes("**Verify**")),
    `  - **Verify**: \`${HOLLOW}\`\n`,
    ...lines.slice(endLine),
  ].join("");

function startMoves(world: World): Move[] {
  const [id] = openIds(world);
  if (id === undefined || world.sessions.a.agents.length > 0) return [];
  return [
    act("a", `starts an agent for ${id} in the background`, change(world, "a", { agents: [id] })),
  ];
}

/** The client wakes the session when an agent ends; what the agent says is heard by our own hook. */
export function agentMoves(world: World, game: Game, who: Who): Move[] {
  const [id] = world.sessions[who].agents as readonly [string];
  const { turn, continuing } = world.sessions[who];
  const woken = change(world, who, {
    agents: [],
    turn: "works",
    continuing: turn === "works" && continuing,
    talk: 0,
  });
  const report = reportOf(world, id);
  const more = { reported: id };
  return [
    { name: `${who}'s agent ends without a word`, world: woken },
    {
      name: `${who}'s agent has done ${id}`,
      world: program.claim(work(woken, id), game, who, id, report),
      ...more,
    },
    {
      name: `${who}'s agent claims ${id}`,
      world: program.claim(woken, game, who, id, report),
      ...more,
    },
  ];
}

const selfMoves = (world: World, game: Game): Move[] => [
  act("a", "repairs the state", program.repair(world, game, "a")),
  act(
    "a",
    "asks for an approval",
    program.flag(world, game, "a", "awaiting", { awaitingApproval: true }),
  ),
  ...usurpMoves(world, game),
];

const busyMoves = (world: World): Move[] => [
  act("a", "is busy without progress", world),
  // A commit only has to differ from the one before.
  act("a", "commits something", { ...world, head: (world.head + 1) % 3 }),
];

const goneMove = (world: World): Move => ({
  name: "a's session dies",
  world: change(world, "a", { ...fresh, turn: "gone" }),
});

/** Another session in the same folder, which has its own agent with its own work. */
export function otherMoves(world: World, game: Game): Move[] {
  const [id] = openIds(world);
  if (id === undefined) return [];
  const report = reportOf(world, id);
  return [
    act("b", `reports ${id}`, program.claim(work(world, id), game, "b", id, report), {
      reported: id,
    }),
  ];
}

/** `resume` or `implement`, said by the user in a session. Where no run is on, they say how long. */
export function goMoves(
  world: World,
  game: Game,
  who: Who,
  { fields, event = "resume" }: { fields?: Raw; event?: "start" | "resume" } = {},
): Move[] {
  if (world.sessions[who].turn === "gone") return [];
  const isOn = world.last?.loop.open === true;
  const wished = fields ?? (isOn ? {} : { maxGlobalIterations: game.maxIterations });
  const begun = begin(world, game, who, event, wished);
  if (begun === undefined) return [];
  const turned = change(begun, who, { turn: "works", continuing: false, talk: 0 });
  return [{ name: `the user says "go" to ${who}`, world: { ...turned, memory: memoryOf(turned) } }];

  function memoryOf({ state, last, memory }: World): Memory {
    const isOwn = world.last?.loop.session === who;
    return {
      ...memory,
      driver: state === undefined ? null : who,
      hadList: true,
      // The record of a run is about the session that it is bound to.
      driven: isOwn ? memory.driven : [],
      blocks: 0,
      told: [],
      ...(isOn || isOwn ? {} : { limit: last?.loop.maxIterations ?? game.maxIterations }),
    };
  }
}

/** What is the user's to say, in the agent's mouth: it is refused, unless the rules are broken. */
function usurpMoves(world: World, game: Game): Move[] {
  const { trustsAgents } = game.rules;
  const begun = trustsAgents ? begin(world, game, "a", "resume") : undefined;
  const approved = trustsAgents ? program.approve(world, game, "a") : world;
  return [
    act("a", "calls resume itself", begun ?? world),
    act("a", "takes it as approved", approved),
  ];
}
