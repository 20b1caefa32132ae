import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../../test/support/editions.ts";
import { run, type Scene, scene, SESSION, set, stall } from "../../test/support/scene.ts";
import type { Outcome } from "./decision.ts";

type Row = readonly [row: number, outcome: Outcome, make: (made: Scene) => void];
const loopWith = (made: Scene, fields: Scene["loop"]): void =>
  void (made.loop = { ...made.loop, ...fields });

/** The rows of the contract that look at the disk, in order. Row 1 is the host's, tested with the hook. */
const rows: readonly Row[] = [
  [2, "idle", (made) => void (made.state = undefined)],
  [3, "other-session", (made) => void (made.event.sessionId = "session-b")],
  [4, "agents-running", (made) => void (made.event.agentsRunning = 1)],
  [5, "corrupt", (made) => void (made.state = '{"phase": "exec')],
  [6, "not-executing", (made) => set(made, { phase: "design" })],
  [7, "unsettled", (made) => loopWith(made, { boxes: "as they were before" })],
  [8, "finished", (made) => void (made.tasks = "- [x] 1.1 one\n- [X] 1.2 two\n")],
  [9, "sent-back", (made) => void (made.event.message = "Done.\n\nALL_TASKS_COMPLETE")],
  [10, "awaiting", (made) => set(made, { awaitingApproval: true })],
  [11, "limit", (made) => set(made, { maxGlobalIterations: 4 })],
  [12, "exhausted", (made) => loopWith(made, { attempts: { "1.2": 6 } })],
  [
    13,
    "foreign",
    (made) => {
      made.event.continuing = true;
      loopWith(made, { continued: 0 });
    },
  ],
  [14, "stalled", (made) => stall(made, 3)],
  [15, "continue", () => {}],
];

/** What else a row may come to. */
const besides: readonly Row[] = [
  [6, "phase", (made) => set(made, { phase: "tasks", quickMode: true })],
  [
    8,
    "review",
    (made) => {
      made.tasks = "- [x] 1.1 one\n";
      made.settings = { review: "on" };
    },
  ],
];

/** Row 9 is a continuation like any other: the bounds below it come first. */
const wins = (first: number): number => (first === 9 ? 10 : first);

it("the list in the docs has the same rows", () => {
  const list =
    readFileSync("docs/guarantees.md", "utf8").split("## What happens at a stop")[1] ?? "";
  const told = [...list.matchAll(/^(\d+)\. (.*)$/gm)].flatMap(([, row, text = ""]) =>
    [...text.matchAll(/`([a-z-]+)`:/g)].map(([, outcome]) => `${row} ${outcome}`),
  );
  const tried = [...rows, ...besides].map(([row, outcome]) => `${row} ${outcome}`);
  expect([...told].sort()).toEqual([...tried].sort());
});

describe.each(layouts)("decide in the $id layout", (layout) => {
  it.each([...rows, ...besides])("row %i: %s", (_, outcome, make) => {
    const made = scene((one) => void (one.layout = layout));
    make(made);
    expect(run(made).outcome).toBe(outcome);
  });

  const pairs = rows
    .slice(0, -1)
    .map((row, i) => [row, rows[i + 1] as (typeof rows)[number]] as const);
  it.each(pairs.map(([a, b]) => [a[0], b[0], a, b] as const))(
    "rows %i and %i together: the earlier one decides",
    (first, second, a, b) => {
      const made = scene((one) => void (one.layout = layout));
      b[2](made);
      // A corrupt file has no fields: what the next row needs is in its text.
      if (first === 5) made.state = `${JSON.stringify(made.state)}}`;
      else a[2](made);
      const expected = rows.find(([row]) => row === wins(first)) ?? b;
      expect(run(made).outcome, `${first} before ${second}`).toBe(expected[1]);
    },
  );

  it.each([
    [10, "awaiting", (made: Scene) => set(made, { paused: true })] as Row,
    ...rows.filter(([row]) => row > 10 && row < 15),
  ])("row %i bounds a false claim of completion too: %s", (_, outcome, make) => {
    const made = scene((one) => {
      one.layout = layout;
      one.event.message = "ALL_TASKS_COMPLETE";
    });
    make(made);
    expect(run(made).outcome).toBe(outcome);
  });
});

describe("whose stop it is", () => {
  it("binds an unbound state to the session that it continues", () => {
    const made = scene((one) => {
      one.loop = undefined;
      one.state = { phase: "execution" };
    });
    const { outcome, write } = run(made);
    expect(outcome).toBe("continue");
    expect(write?.loop.session).toBe(SESSION);
    expect(write?.state).toMatchObject({ sessionId: SESSION });
  });

  it("knows its session from the journal when the state lost it", () => {
    const made = scene((one) => {
      one.state = { phase: "execution" };
      one.event.sessionId = "session-b";
    });
    expect(run(made).outcome).toBe("other-session");
  });

  it("a corrupt state of another session is not reported to a bystander", () => {
    const made = scene((one) => {
      one.state = "";
      one.event.sessionId = "session-b";
    });
    expect(run(made).outcome).toBe("other-session");
  });

  it("forgets the session of a run that ended", () => {
    const made = scene((one) => {
      one.state = { phase: "execution" };
      one.loop = { session: "session-old", open: false, told: "corrupt" };
    });
    expect(run(made).write?.loop).toMatchObject({ session: SESSION, told: null, run: "run-2" });
  });
});

describe("corrupt files", () => {
  it("a byte order mark corrupts nothing", () => {
    const made = scene((one) => void (one.state = `\uFEFF${JSON.stringify(one.state)}`));
    expect(run(made).outcome).toBe("continue");
  });

  it("are reported once, whatever the flag says, and then the agent may stop", () => {
    const made = scene((one) => {
      one.state = "[]";
      one.event.continuing = true;
    });
    const first = run(made);
    expect(first.prompt).toMatchObject({ kind: "corrupt", file: ".ralph-state.json" });
    expect(first.write?.state).toBeUndefined();
    made.loop = first.write?.loop;
    expect(run(made)).toEqual({ outcome: "corrupt" });
  });

  it("cost a turn, so that breaking and fixing one does not go on forever", () => {
    const made = scene((one) => void (one.state = "{"));
    expect(run(made).write?.loop).toMatchObject({ iteration: 5, told: "corrupt" });
  });

  it("are only reported to the user when all turns are used, and not at all after that was reported", () => {
    const made = scene((one) => {
      one.state = "{";
      one.loop = { session: SESSION, iteration: 4, maxIterations: 4 };
    });
    const { prompt, say, write } = run(made);
    expect(prompt).toBeUndefined();
    expect(say).toContain("cannot be used");
    expect(write?.loop).toMatchObject({ iteration: 4, told: "corrupt" });
    made.loop = { ...made.loop, told: "limit" };
    expect(run(made)).toEqual({ outcome: "corrupt" });
  });

  it("a tasks.md without tasks is not a finished spec", () => {
    const made = scene((one) => void (one.tasks = ""));
    expect(run(made).prompt).toMatchObject({ kind: "corrupt", file: "tasks.md" });
  });
});

describe("quick mode", () => {
  it.each([
    ["research", "requirements", specum],
    ["design", "tasks", specum],
    ["specify", "plan", speckit],
  ] as const)("goes from %s to %s", (phase, next, layout) => {
    const made = scene((one) => {
      one.layout = layout;
      set(one, { phase, quickMode: true });
    });
    expect(run(made)).toMatchObject({
      outcome: "phase",
      say: expect.stringMatching(new RegExp(`: phase ${next}$`)),
      prompt: { kind: "phase", phase: { name: next }, brief: { iteration: 5 } },
      write: { state: { phase: next, globalIteration: 5 } },
    });
  });

  it("goes from the last phase into execution", () => {
    const made = scene((one) => set(one, { phase: "tasks", quickMode: true, taskIteration: 4 }));
    expect(run(made)).toMatchObject({
      prompt: { kind: "execute", brief: { current: [{ id: "1.2", attempt: 1 }] } },
      write: {
        loop: { task: "1.2", ticked: 1 },
        state: { phase: "execution", taskIndex: 1, totalTasks: 3, taskIteration: 1 },
      },
    });
  });

  it("sends a document back with the findings, three times, and then stops", () => {
    const made = scene((one) => {
      one.findings = ["Overview is missing"];
      set(one, { phase: "design", quickMode: true });
    });
    for (const round of [1, 2, 3]) {
      const { prompt, write } = run(made);
      expect(prompt).toMatchObject({ kind: "phase-back", round, findings: made.findings });
      expect(write?.state).not.toHaveProperty("phase");
      made.loop = write?.loop;
    }
    const end = run(made);
    expect(end).toMatchObject({
      outcome: "exhausted",
      say: expect.stringContaining("design.md failed its check again: Overview is missing"),
    });
    expect(end.prompt).toBeUndefined();
    made.findings = [];
    expect(run(made)).toMatchObject({ prompt: { kind: "phase", phase: { name: "tasks" } } });
    expect(run(made).write?.loop.attempts).toEqual({});
  });

  it("continues with a document that was fixed in its last round", () => {
    const made = scene((one) => set(one, { phase: "design", quickMode: true }));
    made.findings = ["Overview is missing"];
    for (let round = 1; round <= 3; round++) made.loop = run(made).write?.loop;
    made.findings = [];
    expect(run(made)).toMatchObject({ outcome: "phase", prompt: { kind: "phase" } });
  });

  it("does not loop forever with an agent that resets the phase", () => {
    const made = scene((one) => set(one, { phase: "design", quickMode: true }));
    const outcomes = Array.from({ length: 5 }, () => {
      const { outcome, write } = run(made);
      made.loop = write?.loop ?? made.loop;
      return outcome;
    });
    expect(outcomes).toEqual(["phase", "phase", "phase", "stalled", "stalled"]);
  });

  it("is limited like any continuation, and a pause stops it", () => {
    const made = scene((one) =>
      set(one, { phase: "design", quickMode: true, awaitingApproval: true }),
    );
    expect(run(made).outcome).toBe("phase");
    stall(made, 3);
    expect(run(made).outcome).toBe("stalled");
    set(made, { paused: true });
    expect(run(made).outcome).toBe("awaiting");
  });

  it("does not push on from a phase it does not know", () => {
    expect(run(scene((one) => set(one, { phase: "dreaming", quickMode: true }))).outcome).toBe(
      "not-executing",
    );
  });
});

describe("completion", () => {
  it("removes the state and closes the run", () => {
    const made = scene((one) => void (one.tasks = "- [x] 1.1 one\n"));
    expect(run(made).write).toMatchObject({
      event: "finished",
      state: "remove",
      loop: { open: false },
    });
  });

  it.each([
    ["the index at the end", { taskIndex: 3, totalTasks: 3 }, "ok", "finished"],
    ["the signal", {}, "ALL_TASKS_COMPLETE", "finished"],
    ["neither", {}, "working", "continue"],
    ["no totals at all", { taskIndex: undefined, totalTasks: undefined }, "working", "continue"],
  ] as const)("without tasks.md, %s", (_, fields, message, outcome) => {
    const made = scene((one) => {
      one.tasks = undefined;
      one.event.message = message;
      set(one, fields);
    });
    expect(run(made).outcome).toBe(outcome);
  });

  it("a tasks.md that vanished while the loop waits is not finished by a claim", () => {
    const made = scene((one) => {
      one.tasks = undefined;
      one.loop = { ...one.loop, ticked: 1 };
      one.event.message = "ALL_TASKS_COMPLETE";
      set(one, { paused: true, taskIndex: 3 });
    });
    expect(run(made).outcome).toBe("awaiting");
  });

  it("a run that never had a tasks.md does not report it as gone", () => {
    const made = scene((one) => {
      one.tasks = undefined;
      one.loop = undefined;
    });
    made.loop = run(made).write?.loop;
    expect(run(made).outcome).toBe("continue");
  });

  it("an index at the end does not hide unticked boxes", () => {
    const { outcome, prompt, write } = run(scene((one) => set(one, { taskIndex: 3 })));
    expect(outcome).toBe("sent-back");
    expect(prompt).toMatchObject({ missing: [{ id: "1.2" }, { id: "1.3" }] });
    expect(write?.state).toMatchObject({ taskIndex: 1, totalTasks: 3 });
  });

  it("a silent agent is neither a signal nor a fault", () => {
    expect(run(scene((one) => void (one.event.message = null))).outcome).toBe("continue");
  });
});
