import type { Edition } from "../../src/layouts/layout.ts";
import type { Raw } from "../../src/run/state.ts";
import { begin } from "./commands.ts";
import type { Bounds } from "./explore.ts";
import type { Actor, Game } from "./game.ts";
import { type Rules, settingOf } from "./program.ts";
import { fresh, type World } from "./world.ts";

/** A small spec, who plays in it, and how far it is followed. */
export interface Scenario {
  readonly name: string;
  readonly tasks: string;
  readonly actors: readonly Actor[];
  readonly bounds: Bounds;
  readonly fields?: Raw;
  /**
   * Who began it, if not the user in session a: at a terminal, in no session, or nobody on this machine. Such a state is
   * of another one, of an older version, or came with a clone.
   */
  readonly begun?: "at a terminal" | "not here";
  readonly maxIterations?: number;
  readonly stallLimit?: number;
  readonly blockCap?: number;
}

const task = (line: string): string => `- [ ] ${line}\n  - **Verify**: \`true\`\n`;
const ONE = task("1.1 one");
const PAIR = task("1.1 [P] one") + task("1.2 [P] two");
const CHECKED = task("1.1 one") + task("1.2 [VERIFY] check");
const THREE = PAIR + task("1.3 [VERIFY] check");
const FIXED = task("1.1 one") + task("1.1.1 [FIX 1.1] fix");

const EVERYBODY: readonly Actor[] = [
  "reports",
  "fails",
  "reshapes",
  "edits the state",
  "forges the state",
  "edits the tasks",
  "other session",
  "background",
  "user",
  "helps itself",
  "busy",
  "dies",
];

/** How many times as many worlds as in CI, for a night's run. */
const DEEPER = Number(process.env["MODEL_TIMES"] ?? 1);
const within = (depth: number, worlds: number): Bounds => ({ depth, worlds: worlds * DEEPER });

export const scenarios: readonly Scenario[] = [
  {
    name: "one task, reported, hidden and lied about",
    tasks: ONE,
    actors: ["reports", "busy"],
    bounds: within(40, 3000),
  },
  {
    name: "one task and its user",
    tasks: ONE,
    actors: ["reports", "helps itself", "user"],
    maxIterations: 3,
    bounds: within(40, 4000),
  },
  {
    name: "a state that is rewritten, broken and removed",
    tasks: ONE,
    actors: ["edits the state"],
    maxIterations: 5,
    bounds: within(40, 4000),
  },
  {
    name: "a state that is given away, removed and forged",
    tasks: ONE,
    actors: ["forges the state", "other session", "user"],
    maxIterations: 2,
    bounds: within(40, 3000),
  },
  {
    name: "an agent that helps itself to more turns",
    tasks: ONE,
    actors: ["edits the state", "helps itself"],
    maxIterations: 2,
    bounds: within(40, 2500),
  },
  {
    name: "a list that is edited, emptied and removed",
    tasks: ONE,
    actors: ["edits the tasks", "helps itself"],
    maxIterations: 2,
    bounds: within(40, 2500),
  },
  {
    name: "a parallel pair with failures and fixes",
    tasks: PAIR,
    fields: { recoveryMode: true },
    actors: ["reports", "fails"],
    bounds: within(40, 1000),
  },
  {
    name: "a task and its check, split, added to and killed",
    tasks: CHECKED,
    actors: ["reports", "reshapes", "dies"],
    bounds: within(40, 1000),
  },
  {
    name: "a fix in the list, edited by hand",
    tasks: FIXED,
    actors: ["reports", "edits the tasks", "fails"],
    bounds: within(40, 1000),
  },
  {
    name: "agents in the background and another session",
    tasks: ONE,
    actors: ["background", "other session"],
    bounds: within(40, 1000),
  },
  {
    name: "a parallel pair, two sessions, and their user",
    tasks: PAIR,
    actors: ["reports", "background", "other session", "user"],
    bounds: within(40, 1500),
  },
  {
    name: "a run that the user began at a terminal",
    tasks: ONE,
    begun: "at a terminal",
    actors: ["other session", "edits the state", "user"],
    maxIterations: 3,
    bounds: within(40, 1500),
  },
  {
    name: "a state that nobody began here",
    tasks: ONE,
    begun: "not here",
    actors: ["other session", "edits the state", "user"],
    maxIterations: 3,
    bounds: within(40, 1000),
  },
  {
    name: "a client whose own cap comes first",
    tasks: ONE,
    stallLimit: 3,
    blockCap: 2,
    actors: ["reports", "user"],
    bounds: within(40, 2500),
  },
  {
    name: "everything at once",
    tasks: THREE,
    fields: { recoveryMode: true },
    actors: EVERYBODY,
    bounds: within(40, 700),
  },
  {
    name: "everything at once, with one task and two turns",
    tasks: ONE,
    actors: EVERYBODY,
    maxIterations: 2,
    bounds: within(40, 1000),
  },
];

export const gameOf = (
  { actors, maxIterations = 5, stallLimit = 2, blockCap = 8 }: Scenario,
  layout: Edition,
  rules?: Rules,
): Game => ({
  ...settingOf(layout, stallLimit, rules),
  actors: new Set(actors),
  maxIterations,
  client: { blockCap },
});

export function startOf(scenario: Scenario, game: Game): World {
  const limits = {
    maxGlobalIterations: game.maxIterations,
    maxTaskIterations: 2,
    maxFixTasksPerOriginal: 1,
    maxModificationsPerTask: 1,
    ...scenario.fields,
  };
  const empty: World = {
    tasks: scenario.tasks,
    state: JSON.stringify({ phase: "execution", ...limits }),
    known: false,
    agreed: undefined,
    last: undefined,
    verdicts: {},
    head: 0,
    worked: [],
    sessions: { a: fresh, b: fresh },
    memory: {
      blocks: 0,
      limit: game.maxIterations,
      told: [],
      driver: null,
      driven: [],
      hadList: false,
      strangers: [],
      waits: false,
    },
  };
  if (scenario.begun === "not here") return empty;
  const isAnyones = scenario.begun === "at a terminal";
  const begun = begin(empty, game, isAnyones ? null : "a", "start", limits) as World;
  const driver = isAnyones ? "anyone" : "a";
  return { ...begun, memory: { ...begun.memory, driver, hadList: true } };
}
