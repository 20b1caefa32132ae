import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { CURRENT, MIDDLE } from "./install.ts";
import { specum } from "./place.ts";
import { noScreen, openScreen } from "./screen.ts";
import { stageModel, stageProject } from "./stage.ts";

/** A promise that somebody else keeps. */
function makeSignal(): { readonly come: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const come = new Promise<void>((resolve) => (give = resolve));
  return { come, give };
}

// No native build of the terminal for this machine.
describe.skipIf(noScreen).each(isFull ? [CURRENT, MIDDLE] : [CURRENT])(
  "Escape in %s",
  (version) => {
    test("pauses a run with an agent in the background, until the user types", async () => {
      const project = stageProject(specum, 3);
      const agentEnds = makeSignal();
      const model = await stageModel(
        async (ask) => {
          if (ask.agentId !== undefined) {
            await agentEnds.come;
            return "I could not find it.";
          }
          const isAsked = ask.text.includes("## Task") && ask.result === undefined;
          if (ask.call === 1)
            return {
              call: [
                {
                  name: "Agent",
                  input: {
                    description: "Task 1.1",
                    prompt: "Do 1.1.",
                    subagent_type: "general-purpose",
                    run_in_background: true,
                  },
                },
              ],
            };
          // The turn that the user interrupts.
          if (ask.call === 2) return { say: "Too late.", delayMs: 60_000 };
          return isAsked ? "On it." : "Noted.";
        },
        { main: 20, sub: 5 },
      );
      const screen = await openScreen(project, model, { permissions: "skip", version });
      await screen.type(project.slash("implement"));
      await screen.until(/Backgrounded agent/);
      screen.press("escape");
      await screen.until(/Interrupted/);
      agentEnds.give();
      await screen.until(/paused, because you pressed Esc/);
      await screen.until(/● Noted\./);
      expect(project.state()).toMatchObject({ paused: true });
      expect(project.journal().map(({ event }) => event)).toEqual(["start", "paused"]);

      await screen.type("please go on");
      await screen.until(/Continue spec: demo/);
      expect(project.journal().map(({ event }) => event)).toContain("unpaused");
    });
  },
);
