import { expect } from "vitest";
import type { Ask } from "../../ask.ts";
import { crew } from "../../crew.ts";
import { without } from "../../documents.ts";
import { specFiles } from "../../place.ts";
import type { Answer } from "../../wire.ts";
import { writer } from "../writer.ts";
import type { Scenario } from "./scenario.ts";

const QUESTION = "Is it ready?";

/** The first document comes without one of its sections at first; later its writer would approve it. */
export const documents: Scenario = async (stage) => {
  const { layout, adapter } = stage;
  const place = await stage.place();
  const [first, second] = layout.phases;
  const habits = {
    draft: (text: string, { round }: { readonly round: number }) =>
      round === 1 ? without(text, "Risks") : text,
    instead: ({ text, agentId, result }: Ask): Answer | undefined =>
      agentId === undefined && result === undefined && text.includes(QUESTION)
        ? stage.run(`${stage.program} ${second}`)
        : undefined,
  };
  const { script } =
    adapter.worker === "agents" ? crew(place, habits) : writer(place, adapter, habits);
  const model = await stage.model(script, { main: 20, sub: 10 });
  const session = await stage.open(place, model);
  const { output } = await session.say(stage.type('start "Add a greeting to the program"'));
  const spec = specFiles(place, `${layout.specs}/add-greeting-program`);
  expect(spec.state(), output).toMatchObject({ phase: first, awaitingApproval: true });
  const told = model.asks.filter(({ news }) => /research\.md is not finished/.test(news));
  expect(told.length).toBeGreaterThan(0);

  await session.say(QUESTION);
  expect(model.asks.flatMap(({ result }) => result ?? []).at(-1)).toContain("only the user");
  expect(spec.state()).toMatchObject({ phase: first, awaitingApproval: true });

  // The command of the next phase approves what is there.
  await session.say(stage.type(second));
  expect(spec.state()).toMatchObject({ phase: second });
};
