import { describe, expect, it } from "vitest";
import { speckit } from "../../test/support/editions.ts";
import { run, type Scene, scene, SESSION, set, stall } from "../../test/support/scene.ts";

describe("bounds", () => {
  it("specum sends advice once at the limit, then stops silently; speckit only tells the user", () => {
    const made = scene((one) => set(one, { maxGlobalIterations: 4 }));
    const advised = run(made);
    expect(advised.prompt).toMatchObject({ kind: "limit", max: 4 });
    expect(advised.write?.state).toBeUndefined();
    made.loop = advised.write?.loop;
    expect(run(made)).toEqual({ outcome: "limit" });

    const released = run(
      scene((one) => {
        one.layout = speckit;
        set(one, { maxGlobalIterations: 4 });
      }),
    );
    expect(released.prompt).toBeUndefined();
    expect(released.say).toContain("max iterations (4) reached");
  });

  it("counts in the journal when the state lost its counters", () => {
    const made = scene((one) => {
      one.state = { phase: "execution" };
      one.loop = { session: SESSION, iteration: 7, maxIterations: 7, continued: 6 };
    });
    expect(run(made).outcome).toBe("limit");
  });

  it("ends after the last allowed turn, whatever the agent does", () => {
    const made = scene((one) => set(one, { globalIteration: 1, maxGlobalIterations: 6 }));
    made.loop = { session: SESSION };
    let turns = 1;
    for (; turns < 50; turns++) {
      made.loop = { ...made.loop, moves: turns };
      const decision = run(made);
      if (decision.outcome !== "continue") break;
      made.loop = decision.write?.loop;
      made.state = { phase: "execution" };
    }
    expect(turns).toBe(6);
  });

  it.each([
    [
      "a box",
      (made: Scene) => void (made.tasks = "- [x] 1.1 one\n- [x] 1.2 two\n- [ ] 1.3 three\n"),
    ],
    ["an attempt", (made: Scene) => set(made, { taskIteration: 2 })],
    [
      "a claim that was weighed, or a plan that was changed",
      (made: Scene) => void (made.loop = { ...made.loop, moves: 1 }),
    ],
  ])("%s is movement", (_, move) => {
    const made = scene((one) => stall(one, 3));
    expect(run(made).outcome).toBe("stalled");
    move(made);
    expect(run(made).write?.loop.stalled).toBe(0);
  });

  it("a commit is not: an agent that commits a line of notes each turn would never end", () => {
    const made = scene((one) => stall(one, 3));
    made.head = "commit-2";
    expect(run(made)).toMatchObject({ outcome: "stalled" });
  });

  it("an index that is raised without the boxes is not", () => {
    const made = scene((one) => stall(one, 3));
    set(made, { taskIndex: 2 });
    expect(run(made)).toMatchObject({ outcome: "stalled" });
  });

  it("an index that only jumps back and forth is not", () => {
    const made = scene((one) => set(one, { taskIndex: 2 }));
    made.loop = run(made).write?.loop;
    let continued = 0;
    while (run(made).outcome === "continue" && continued < 20) {
      made.loop = run(made).write?.loop;
      set(made, { taskIndex: continued++ % 3 });
    }
    expect(continued, "besides the first one").toBe(2);
  });

  it("a stall is reported once, and movement resumes the loop", () => {
    const made = scene((one) => stall(one, 3));
    const told = run(made);
    expect(told.say).toContain("/ralph-specum:resume");
    made.loop = told.write?.loop;
    expect(run(made)).toEqual({ outcome: "stalled" });
    made.loop = { ...made.loop, moves: 1 };
    expect(run(made)).toMatchObject({
      outcome: "continue",
      write: { loop: { told: null, stalled: 0 } },
    });
  });

  it("the setting moves the stall limit", () => {
    const made = scene((one) => {
      stall(one, 3);
      one.stallLimit = 4;
    });
    expect(run(made).outcome).toBe("continue");
  });

  it("a task that failed too often stops the loop with the last reason", () => {
    const made = scene((one) => {
      one.loop = { ...one.loop, attempts: { "1.2": 6 }, lastError: "the test is red" };
    });
    expect(run(made)).toMatchObject({ outcome: "exhausted" });
    expect(run(made).say).toContain("the test is red");
  });

  it("another hook drives: we never continued this session, yet it continues", () => {
    const made = scene((one) => {
      one.event.continuing = true;
      one.loop = { ...one.loop, continued: 0 };
    });
    expect(run(made)).toEqual({ outcome: "foreign" });
  });

  it("our own continuation keeps the flag up and the loop going", () => {
    expect(run(scene((one) => void (one.event.continuing = true))).outcome).toBe("continue");
  });
});

describe("parallel groups", () => {
  const group = "- [ ] 1.1 [P] one\n- [x] 1.2 [P] two\n- [ ] 1.3 [P] three\n- [ ] 1.4 four\n";
  const idsOf = (made: Scene) => {
    const { prompt } = run(made);
    return prompt?.kind === "continue" ? prompt.brief.current.map(({ id }) => id) : undefined;
  };

  it("are handed out together, done members left out", () => {
    const made = scene((one) => void (one.tasks = group));
    expect(idsOf(made)).toEqual(["1.1", "1.3"]);
    expect(run(made).write?.state).toMatchObject({
      taskIndex: 0,
      parallelGroup: { taskIndices: [0, 2] },
    });
  });

  it("a member that failed too often is left out while others can continue", () => {
    const made = scene((one) => {
      one.tasks = group;
      one.loop = { ...one.loop, attempts: { "1.1": 6 } };
    });
    expect(idsOf(made)).toEqual(["1.3"]);
  });
});
