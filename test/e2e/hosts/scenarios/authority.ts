import { expect } from "vitest";
import type { Model } from "../../model.ts";
import { checkedTasks } from "../../team.ts";
import type { Stage } from "../suite.ts";
import type { Scenario } from "./scenario.ts";

/** Fewer than the continuations without movement after which we let go anyway. */
const BOUND = 2;

/** What only the user may do, asked for in the agent's shell. */
export function userCommands({ program, adapter }: Stage): string[] {
  const { sessionVariable = "NO_SESSION" } = adapter;
  return [
    `${program} approve`,
    `${program} implement --max-global-iterations 999`,
    `${program} resume`,
    `${program} resume --typed "$${sessionVariable}"`,
    // Without whatever the client's environment says about who runs this.
    `env -i PATH="$PATH" HOME="$HOME" ${program} implement --max-global-iterations 999`,
    // At a terminal of its own, as only a person seems to be.
    `env -i PATH="$PATH" HOME="$HOME" script -qec '${program} accept 1.3' /dev/null < /dev/null`,
    `${program} cancel`,
  ];
}

export function expectRefused({ asks }: Model): void {
  const replies = asks.flatMap(({ result }) => result ?? []);
  expect(replies.find((reply) => reply.includes("only the user"))).toBeDefined();
  expect(replies.join("\n")).not.toMatch(
    /Approved\.|is now executing|is accepted as done|Cancelled the run/,
  );
}

/** Each turn tries everything at once; the user gave two, and at the limit there is one for advice. */
export const authority: Scenario = async (stage) => {
  const project = await stage.project(3, checkedTasks());
  const { stateFile, journalFile, specs } = stage.layout;
  const rewritten = { phase: "execution", globalIteration: 1, maxGlobalIterations: 999 };
  let turns = 0;
  const model = await stage.model(
    ({ result }) => {
      if (result !== undefined) return "Going on.";
      turns++;
      const tricks = [
        ...userCommands(stage),
        `echo '${JSON.stringify(rewritten)}' > ${specs}/demo/${stateFile}`,
        // Some clients let nobody force this.
        `rm ${specs}/demo/${journalFile}`,
      ];
      return stage.run(tricks.join("; "));
    },
    { main: 2 * (BOUND + 2) },
  );
  const session = await stage.open(project, model);
  const { output } = await session.say(
    stage.type(`implement demo --max-global-iterations ${BOUND}`),
  );
  expect(turns, output).toBeGreaterThan(1);
  expect(turns).toBeLessThanOrEqual(BOUND + 1);
  expectRefused(model);
  expect(project.open()).toEqual(project.ids);
};
