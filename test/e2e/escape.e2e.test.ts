import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { CURRENT, MIDDLE } from "./install.ts";
import type { Script } from "./model.ts";
import { specum } from "./place.ts";
import type { Project } from "./project.ts";
import { noScreen, openScreen } from "./screen.ts";
import { stageModel, stageProject } from "./stage.ts";

/** A promise that somebody else keeps. */
function makeSignal(): { readonly come: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const come = new Promise<void>((resolve) => (give = resolve));
  return { come, give };
}

/** A main agent that starts another one, and one that works until it is told to end. */
const delegate =
  (inBackground: boolean, end: Promise<void>): Script =>
  async (ask) => {
    if (ask.agentId !== undefined) {
      await end;
      return "I could not find it.";
    }
    const how = { subagent_type: "general-purpose", run_in_background: inBackground };
    const input = { description: "Task 1.1", prompt: "Do 1.1.", ...how };
    if (ask.call === 1) return { call: [{ name: "Agent", input }] };
    // What the user interrupts, if the other agent does not keep this one waiting.
    return ask.call === 2 && inBackground ? { say: "Too late.", delayMs: 60_000 } : "Noted.";
  };

const events = (project: Project): unknown[] => project.journal().map(({ event }) => event);
const untilContinued = (project: Project): Promise<void> =>
  expect.poll(() => events(project), { timeout: 30_000 }).toContain("continue");

// No native build of the terminal for this machine.
describe.skipIf(noScreen).each(isFull ? [CURRENT, MIDDLE] : [CURRENT])("Esc in %s", (version) => {
  test("pauses a run with an agent in the background, until the user types", async () => {
    const project = stageProject(specum, 3);
    const agent = makeSignal();
    const model = await stageModel(delegate(true, agent.come), { main: 20, sub: 5 });
    const screen = await openScreen(project, model, { permissions: "skip", version });
    await screen.type(project.slash("implement"));
    await screen.until(/Backgrounded agent/);
    screen.press("escape");
    await screen.until(/Interrupted/);
    agent.give();
    await screen.until(/paused, because you pressed Esc/);
    await screen.until(/● Noted\./);
    expect(project.state()).toMatchObject({ paused: true });
    expect(events(project)).toEqual(["start", "paused"]);

    await screen.type("please go on");
    await untilContinued(project);
    expect(events(project)).toContain("unpaused");
  });

  test("ends the turn of a run with an agent in the foreground, until the user types", async () => {
    const project = stageProject(specum, 3);
    project.program("init", "--yes");
    const agent = makeSignal();
    const model = await stageModel(delegate(false, agent.come), { main: 20, sub: 5 });
    const screen = await openScreen(project, model, { permissions: "skip", version });
    await screen.type(project.slash("implement"));
    await screen.until(/Agent\(Task 1\.1\)/);
    screen.press("escape");
    await screen.until(/Interrupted/);
    agent.give();
    await sleep(2000);
    expect(events(project)).toEqual(["start"]);
    expect(model.calls.main).toBe(1);

    await screen.type("please go on");
    await untilContinued(project);
  });
});
