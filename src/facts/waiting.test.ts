import { describe, expect, it } from "vitest";
import { planWaiting, type WaitingFacts } from "./waiting.ts";

const task = (id: string, more: Partial<WaitingFacts["tasks"][number]> = {}) => ({
  id,
  title: `Write ${id}`,
  class: "open" as const,
  ticked: false,
  note: null,
  ...more,
});

const specWith = (more: Partial<WaitingFacts>): WaitingFacts => ({
  spec: "shop",
  command: (verb) => `smart-ralph ${verb}`,
  isActive: true,
  entries: [],
  tasks: [],
  unproven: [],
  ...more,
});

const entry = { id: 4, task: "1.2", text: "Which \u001b[31mone?", options: ["3", "--yes"] };
const BRANCH = { name: "shop", branch: "smart-ralph/shop" };
const STOPPED = { goOn: "smart-ralph run shop", why: null };

describe("what waits for the user", () => {
  it.each<[name: string, facts: Partial<WaitingFacts>, kinds: string[], text: RegExp]>([
    ["nothing in a spec at work", { tasks: [task("1.1")] }, [], /^$/],
    [
      "a question, in quotes and without control characters, with the number of an option",
      { entries: [{ ...entry, kind: "question" }] },
      ["question"],
      /^Question 4 \(1\.2\): "Which .*one\?" \[1\. 3, 2\. --yes\] → smart-ralph answer 4 1$/,
    ],
    [
      "a skipped task",
      { tasks: [task("1.2")], entries: [{ ...entry, kind: "skip", text: "" }] },
      ["skipped"],
      /^1\.2 was skipped by you: Write 1\.2 → smart-ralph unskip 1\.2$/,
    ],
    [
      "a ticked task whose Verify fails, which another run would not change",
      {
        tasks: [task("1.1", { class: "failed", ticked: true, note: "ticked before the run" })],
        stopped: STOPPED,
      },
      ["failed"],
      /^1\.1 does not hold: ticked before the run → smart-ralph evidence 1\.1 --spec shop$/,
    ],
    [
      "a task that has failed and is open, as the rest of a run",
      { tasks: [task("1.1", { class: "failed" }), task("1.2")], stopped: STOPPED },
      ["stopped"],
      /^2 tasks of 2 are not done → smart-ralph run shop$/,
    ],
    [
      "what nothing shows, with the name of a spec that is not the active one",
      { tasks: [task("1.1", { ticked: true })], unproven: ["1.1"], isActive: false },
      ["unproven"],
      /accept 1\.1 --spec shop$/,
    ],
    [
      "a branch to take",
      { tasks: [task("1.1", { ticked: true })], branch: BRANCH },
      ["branch"],
      /^The finished work is on branch smart-ralph\/shop\. To merge it: → smart-ralph take shop$/,
    ],
    [
      "a branch whose work is not finished, as such",
      { tasks: [task("1.1", { ticked: true }), task("1.2")], branch: BRANCH },
      ["branch"],
      /^1 of 2 tasks is done on branch smart-ralph\/shop\. To merge it: → smart-ralph take shop$/,
    ],
    [
      "a branch whose work tree is gone",
      { tasks: [task("1.1")], lost: { branch: "smart-ralph/shop", goOn: "smart-ralph run shop" } },
      ["branch"],
      /^The run's work tree is gone, and its work is on branch smart-ralph\/shop\. .* → smart-ralph run shop$/,
    ],
  ])("%s", (_, facts, kinds, text) => {
    const all = planWaiting([specWith(facts)]);
    expect(all.map(({ kind }) => kind)).toEqual(kinds);
    const lines = all.map(({ what, todo }) => `${what} → ${todo}`).join("\n");
    expect(lines).toMatch(text);
    expect(lines).not.toContain("\u001b");
  });

  it("tells once what one command continues, and one branch of several specs", () => {
    const branch = { name: "epic", branch: "smart-ralph/epic" };
    const one = specWith({ tasks: [task("1.1")], stopped: STOPPED, branch });
    const other = specWith({ spec: "cart", stopped: STOPPED, branch });
    expect(planWaiting([one, other]).map(({ what }) => what)).toEqual([
      "1 task of 1 is not done; the tasks of cart are not written yet",
      "0 of 1 task is done on branch smart-ralph/epic. To merge it:",
    ]);
  });
});
