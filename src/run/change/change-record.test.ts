import { describe, expect, it } from "vitest";
import { now } from "../../../test/support/scene.ts";
import { findTask } from "../../tasks/find.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import type { Entry } from "../journal.ts";
import { startLoop } from "../loop.ts";
import type { State } from "../state.ts";
import type { RunStanding, InsertPosition } from "./insert-tasks.ts";
import { type Change, planAddition, planSplit } from "./plan-change.ts";

type Changed = Extract<Change, { kind: "changed" }>;

const standing = (text = "- [ ] 1.1 First\n- [ ] 1.2 Second\n"): RunStanding => ({
  spec: { name: "demo", basePath: "./specs/demo" },
  list: parseTasks(text),
  state: { phase: "execution" },
  loop: startLoop(null, {}, undefined, now),
});

const add = (at: RunStanding, where: InsertPosition, id: string, title: string): Change =>
  planAddition(at, findTask(at.list, id) as Task, where, { title, fields: new Map() }, "why");

const changed = (change: Change): Changed => {
  expect(change.kind, JSON.stringify(change)).toBe("changed");
  return change as Changed;
};

function after(at: RunStanding, { list, write }: Changed): RunStanding {
  return { ...at, list, state: { ...at.state, ...(write.state as State) }, loop: write.loop };
}

describe("the record of changes", () => {
  const entryOf = (at: RunStanding, { write }: Changed): Entry =>
    ({ ...write, at: now.at, loop: at.loop }) as Entry;

  /** An agent that clears the map after each change it makes. */
  function clearing(first: RunStanding, make: (at: RunStanding) => Change): Change {
    let at = first;
    for (let i = 0; i < 20; i++) {
      const change = make(at);
      if (change.kind !== "changed") return change;
      const entries = [...(at.entries ?? []), entryOf(at, change)];
      const { modificationMap: _, ...state } = after(at, change).state;
      at = { ...after(at, change), state, entries };
    }
    throw new Error("it was never refused");
  }

  it.each(["1.1", "1.2"])("of %s is kept by the journal, whatever becomes of the state", (id) => {
    let title = 0;
    const last = clearing(standing(), (at) => add(at, "after", id, `more ${title++}`));
    expect(last).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("changed 3 times"),
    });
    expect(title).toBe(4);
  });

  it("of boxes without an id too", () => {
    let title = 0;
    const at = standing("- [ ] one\n- [ ] two\n");
    clearing(at, (one) => add(one, "after", title % 2 === 0 ? "#1" : "#2", `more ${title++}`));
    expect(title).toBe(4);
  });

  it("says how deep an addition nests, and is written again", () => {
    const ids = ["1.1", "1.1.1", "1.1.1.1"];
    let step = 0;
    const last = clearing(standing(), (at) => {
      const change = add(at, "before", ids[step] as string, `more ${step++}`);
      if (step === 2)
        expect(changed(change).write.state).toMatchObject({
          modificationMap: {
            "1.1": { count: 1, modifications: [{ id: "1.1.1", type: "ADD_PREREQUISITE" }] },
            "1.1.1": { count: 1 },
          },
        });
      return change;
    });
    expect(last).toMatchObject({ kind: "refused", why: expect.stringContaining("nest no deeper") });
  });

  it("counts nothing twice, and nothing of another run", () => {
    const at = standing();
    const change = changed(add(at, "after", "1.1", "one"));
    const entry = entryOf(at, change);
    const kept = after({ ...at, entries: [entry] }, change);
    expect(changed(add(kept, "after", "1.1", "two")).write.state).toMatchObject({
      modificationMap: { "1.1": { count: 2, modifications: [{ id: "1.1.1" }, { id: "1.1.2" }] } },
    });
    const other = { ...entry, loop: { ...entry.loop, run: "another" } };
    const entries = [other, other, other, { ...entry, event: "done" as const }];
    expect(
      changed(planSplit({ ...at, entries }, findTask(at.list, "1.1") as Task, ["a", "b"], "")).write
        .state,
    ).toMatchObject({
      modificationMap: { "1.1": { count: 1 } },
    });
  });
});
