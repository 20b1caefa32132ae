import type { Agent } from "../agents/port.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { Spec } from "../store/spec.ts";
import type { Awake } from "./awake.ts";
import type { Role, RunNews } from "./events.ts";
import type { Executor, OrderLimits } from "./executor.ts";
import type { Tried } from "./give-up.ts";
import type { Ground } from "./ground.ts";
import type { BudgetKeeper } from "./keep-budget.ts";
import type { Pool } from "./pool.ts";
import type { Room } from "./room.ts";
import type { Slots } from "./slots.ts";
import type { Surrounded } from "./surround.ts";

/** Which attempt something belongs to. */
export interface About {
  readonly spec: string;
  readonly task: string;
  readonly attempt: number;
}

/** What every attempt of a run shares. */
export interface Stage {
  readonly run: string;
  /** The agents for a role, in the order in which they are tried. */
  readonly choose: (role: Role) => readonly AgentChoice[];
  readonly agents: readonly Agent[];
  /** Who does the orders for a spec whose work is in this tree. */
  readonly executorIn: (spec: Spec, ground: Ground) => Executor;
  /** Which agents cannot be used at the moment. */
  pool: Pool;
  /** The attempts of this run that counted, oldest first. */
  tried: readonly Tried[];
  /** Bounds how many agents work at the same time, across all specs. */
  readonly slots: Slots;
  readonly emit: (news: RunNews) => void;
  readonly budget: BudgetKeeper;
  readonly record: (about: About, agent: string, line: string) => void;
  /** The environment of an agent, and the container around it. */
  readonly surround: (agent: Agent, place: WorkPlace) => Surrounded;
  readonly limits: OrderLimits;
  readonly awake: Awake;
  /** Waits until there is room on the disk. Returns why the run ends instead, if it does. */
  readonly room: Room;
  /** Aborts when the user stops the run, or it has lost what it works on. */
  readonly signal: AbortSignal;
  /** Ends the run because another one may have what it works on. */
  readonly lose: (why: string) => void;
  /** Aborts when the run has used its time. */
  readonly timeUp: AbortSignal;
}

/** Where an attempt works. */
export interface WorkPlace {
  readonly cwd: string;
  readonly writable: readonly string[];
  /** Whether it is a tree of the run's own: then any process that works in it was started by an agent. */
  readonly isOwn?: boolean;
  /** Variables of this attempt. */
  readonly env: Readonly<Record<string, string>>;
}
