import { describe, expect, onTestFinished, test } from "vitest";
import { isFull } from "../../support/full.ts";
import type { Limits, Model, Script } from "../model.ts";
import { type Layout, type Place, specum } from "../place.ts";
import { makeProject, type Project } from "../project.ts";
import { stageModel, stagePlace } from "../stage.ts";
import { loneLine, type Roles, type Team, team, workLine } from "../team.ts";
import type { Answer } from "../wire.ts";
import { type Adapter, installAdapter, installClientNode, type Session } from "./adapter.ts";
import { ALWAYS, BEHAVIOURS, type BehaviourId, IN_ONE, type ScenarioName } from "./behaviours.ts";
import { scenarios } from "./scenarios/all.ts";
import { solo } from "./solo.ts";

/** What a scenario has to work with: one client, and everything it does in this client's own way. */
export interface Stage {
  readonly adapter: Adapter;
  readonly layout: Layout;
  /** An empty project, and one with a spec of so many tasks; in a home in which our plugin is installed. */
  readonly place: () => Promise<Place>;
  readonly project: (tasks: number, text?: (ids: readonly string[]) => string) => Promise<Project>;
  readonly player: (project: Project, roles: Roles) => Team;
  readonly model: (script: Script, limits: Limits) => Promise<Model>;
  readonly open: (place: Place, model: Model) => Promise<Session>;
  /** What the user types. */
  readonly type: (command: string) => string;
  /** A shell command of the agent's. */
  readonly run: (command: string) => Answer;
  /** Does a task's work; before it, in the same shell, what else the agent wants to try. */
  readonly work: (id: string, before?: string) => Answer;
  /** Our program, in the agent's shell. */
  readonly program: string;
}

export function stageOf(adapter: Adapter, layout: Layout = specum): Stage {
  async function seated<P extends Place>(place: P): Promise<P> {
    const [client, node] = await Promise.all([installAdapter(adapter), installClientNode()]);
    await adapter.install({ place, client, node });
    return place;
  }
  const run = (command: string): Answer => ({ call: [adapter.shell(command)] });
  return {
    adapter,
    layout,
    place: () => seated(stagePlace(layout)),
    project(tasks, text) {
      const project = makeProject(layout, tasks, text);
      onTestFinished(() => project.remove());
      return seated(project);
    },
    player: (project, roles) =>
      adapter.worker === "agents" ? team(project, roles) : solo(project, roles, adapter),
    model: (script, limits) => stageModel(script, limits, adapter.isSide),
    async open(place, { url }) {
      const [client, node] = await Promise.all([installAdapter(adapter), installClientNode()]);
      const session = await adapter.open({ place, client, node, url });
      onTestFinished(() => session.close());
      return {
        ...session,
        async say(prompt) {
          const said = await session.say(prompt);
          // Enough for whoever has to find out what went wrong.
          const output = said.output.slice(-3000);
          expect(said.timedOut, output).toBe(false);
          return { ...said, output };
        },
      };
    },
    type: (command) => adapter.type(layout, command),
    run,
    work(id, before) {
      const line = adapter.worker === "agents" ? workLine(id) : loneLine(id);
      return run(before === undefined ? line : `${before}; ${line}`);
    },
    program: adapter.program(layout),
  };
}

const behavioursOf = (name: ScenarioName): BehaviourId[] =>
  (Object.keys(BEHAVIOURS) as BehaviourId[]).filter((id) => BEHAVIOURS[id].scenario === name);

const isDue = ({ id }: Adapter, name: ScenarioName): boolean =>
  isFull || ALWAYS.includes(name) || (id === IN_ONE.client && IN_ONE.scenarios.includes(name));

/** The suite: every scenario, in one client. What the adapter says does not hold there is not tried. */
export function describeClient(adapter: Adapter): void {
  describe(`${adapter.name}`, () => {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const holds = behavioursOf(name as ScenarioName).filter((id) => !(id in adapter.differences));
      if (isDue(adapter, name as ScenarioName) && holds.length > 0)
        test(name, { timeout: 300_000 }, () => scenario(stageOf(adapter), new Set(holds)));
    }
  });
}
