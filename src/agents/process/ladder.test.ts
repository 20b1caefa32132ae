import { describe, expect, it } from "vitest";
import { endAgent } from "./ladder.ts";

type Step = "cancel" | "endInput" | "SIGTERM" | "SIGKILL";

/** An agent that ends at one of the steps, and records the steps it got. */
function agent(endsAt: Step | "by itself" | "never", isOpen = true) {
  const steps: Step[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<never>((resolve) => (end = resolve as () => void));
  if (endsAt === "by itself") end();
  const take = (step: Step): void => {
    steps.push(step);
    if (step === endsAt) end();
  };
  const running = {
    ended,
    isOpen: () => isOpen,
    endInput: () => take("endInput"),
    signal: (name: "SIGTERM" | "SIGKILL") => take(name),
  };
  return { steps, running, cancel: () => take("cancel") };
}

describe("the ladder", () => {
  it.each<[endsAt: Step | "by itself" | "never", steps: Step[]]>([
    ["by itself", []],
    ["cancel", ["cancel"]],
    ["endInput", ["cancel", "endInput"]],
    ["SIGTERM", ["cancel", "endInput", "SIGTERM"]],
    ["SIGKILL", ["cancel", "endInput", "SIGTERM", "SIGKILL"]],
    ["never", ["cancel", "endInput", "SIGTERM", "SIGKILL"]],
  ])("for an agent that ends %s", async (endsAt, steps) => {
    const one = agent(endsAt);
    await endAgent(one.running, { graceMs: 20, cancel: one.cancel, firstMs: 20 });
    expect(one.steps).toEqual(steps);
  });

  it("skips the steps that the agent does not support", async () => {
    const one = agent("SIGTERM", false);
    await endAgent(one.running, { graceMs: 20 });
    expect(one.steps).toEqual(["SIGTERM"]);
  });

  it("continues after a cancel that throws", async () => {
    const one = agent("SIGTERM", false);
    const cancel = (): void => {
      throw new Error("closed");
    };
    await endAgent(one.running, { graceMs: 20, cancel });
    expect(one.steps).toEqual(["SIGTERM"]);
  });
});
