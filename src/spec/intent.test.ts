import { expect, it } from "vitest";
import { INTENTS, intentOf } from "./intent.ts";

it("every intent has a budget of questions and a plan", () => {
  for (const { id, questions, plan } of INTENTS) {
    expect(questions.min, id).toBeLessThanOrEqual(questions.max);
    expect(plan.length, id).toBeGreaterThan(3);
    expect(plan.at(-1), id).toBe("Pull Request");
  }
});

it("an unknown intent is mid-sized", () => {
  expect(intentOf("huge").id).toBe("mid-sized");
});
