import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Edition, Phase } from "../../src/layouts/layout.ts";
import type { Ran } from "../program/child.ts";
import * as sync from "../program/flow.ts";
import type { Answer } from "../program/support.ts";
import { AGENT, type Desk, openDesk } from "../support/in-process.ts";

export { GOAL, nameIn, written } from "../program/flow.ts";

type Kept = "root" | "folder" | "layout" | "env" | "state" | "entries" | "tasks" | "write" | "read";

/** A project in which specs are written, whose commands run in this process. */
export interface Flow extends Desk, Pick<sync.Flow, Kept> {
  readonly type: (...args: string[]) => Promise<Ran>;
  readonly prompt: (...args: string[]) => Promise<string>;
  readonly typeJson: (...args: string[]) => Promise<Answer>;
  readonly call: (...args: string[]) => Promise<Ran>;
  readonly at: (name: string, specs?: string) => Flow;
}

export const makeFlow = (layout: Edition, files: Readonly<Record<string, string>> = {}): Flow =>
  openFlow(sync.makeFlow(layout, files));

function openFlow(flow: sync.Flow): Flow {
  const desk = openDesk(flow);
  const type: Flow["type"] = (...args) => desk.slash(args);
  return {
    ...flow,
    ...desk,
    type,
    async prompt(...args) {
      const { code, out, err } = await type(...args);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return out;
    },
    typeJson: (...args) => desk.slashJson(args),
    call: (...args) => desk.run(args, AGENT),
    at: (name, specs) => openFlow(flow.at(name, specs)),
  };
}

/** A flow with a spec in its first phase. */
export async function startFlow(
  layout: Edition,
  flow: Flow = makeFlow(layout),
  ...more: string[]
): Promise<Flow> {
  await flow.prompt("start", "rate-limit", sync.GOAL, ...more);
  expect(existsSync(flow.folder)).toBe(true);
  return flow;
}

/** Brings a spec into a phase, all documents before it written. */
export async function enterPhase(flow: Flow, name: string): Promise<Phase> {
  const { phases } = flow.layout;
  const at = phases.findIndex((phase) => phase.name === name);
  for (const { document } of phases.slice(0, at)) flow.write(document);
  await flow.prompt(name, sync.nameIn(flow.layout));
  return phases[at] as Phase;
}
