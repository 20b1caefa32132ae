import { array, assert, boolean, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES, TREES } from "../run/claim/evidence.ts";
import { CLASSES } from "../run/claim/verdict.ts";
import { DESIGNS } from "../tasks/tags.ts";
import {
  classify,
  countClasses,
  describeCounts,
  type Known,
  listUnproven,
  type Standing,
} from "./classify.ts";

const ran = (outcome: Known["evidence"][number]["outcome"], doubt?: string) =>
  doubt === undefined ? { outcome } : { outcome, doubt };

/** Everything that makes a task proven. */
const PROVEN: Known = {
  isTicked: true,
  isSkipped: false,
  isExhausted: false,
  isAccepted: false,
  design: null,
  before: [ran("failed")],
  evidence: [ran("passed")],
  commits: ["abc"],
  tree: "clean",
  noChange: null,
  isOlder: false,
  doubt: null,
};

describe("what a task is", () => {
  it.each<[string, Partial<Known>, string, string | null]>([
    ["it failed before, passes after, and is committed", {}, "proven", null],
    ["other files were uncommitted", { tree: "dirty" }, "proven", null],
    ["an older version recorded it", { commits: null, isOlder: true }, "proven", null],
    [
      "nobody can tell which commits are its own",
      { commits: null },
      "checked",
      "nobody can tell which commits are its own",
    ],
    [
      "one of its commands was red, and can fail",
      {
        before: [ran("passed"), ran("failed")],
        evidence: [ran("passed", "it cannot fail"), ran("passed")],
      },
      "proven",
      null,
    ],
    [
      "its Verify was green before",
      { before: [ran("passed")] },
      "checked",
      "its Verify passed before the work",
    ],
    [
      "its Verify was not tried before",
      { before: [] },
      "checked",
      "nobody saw its Verify fail before the work",
    ],
    [
      "its Verify could not be run before",
      { before: [ran("unrun")] },
      "checked",
      "its Verify was not seen to fail before the work",
    ],
    [
      "its Verify cannot fail",
      { evidence: [ran("passed", "it ends with `|| true`")] },
      "checked",
      "its Verify proves nothing: it ends with `|| true`",
    ],
    ["it has no commit of its own", { commits: [] }, "checked", "it has no commit of its own"],
    ["its work is not committed", { tree: "uncommitted" }, "checked", "its work was not committed"],
    [
      "there is no git",
      { tree: "no-git", commits: null },
      "checked",
      "without git, no commit says what was checked",
    ],
    [
      "nothing was changed",
      { commits: [], noChange: "done in 1.1" },
      "checked",
      "nothing was changed: done in 1.1",
    ],
    [
      "nothing was changed, says the agent",
      { noChange: "done in 1.1" },
      "checked",
      "nothing was changed: done in 1.1",
    ],
    ["it is [VERIFY]", { design: "verify" }, "checked", "a check by design"],
    ["it is [RED]", { design: "red" }, "checked", "a failing test by design"],
    ["it is [GUARD]", { design: "guard" }, "checked", "a regression guard by design"],
    ["there is nothing to run", { evidence: [], before: [], tree: null }, "reported", null],
    [
      "its receipt cannot be true",
      { doubt: "its commit is gone" },
      "reported",
      "its commit is gone",
    ],
    ["the user said so", { isAccepted: true, evidence: [] }, "accepted", null],
    ["the user said so, and it passes", { isAccepted: true }, "accepted", null],
    [
      "the user said so, and it fails",
      { isAccepted: true, evidence: [ran("failed")] },
      "failed",
      null,
    ],
    ["it is ticked, and fails", { evidence: [ran("failed")] }, "failed", null],
    ["one of its commands fails", { evidence: [ran("passed"), ran("timed-out")] }, "failed", null],
    ["it is not ticked", { isTicked: false }, "open", null],
    ["no attempt is left", { isTicked: false, isExhausted: true }, "failed", null],
    [
      "the user skipped it",
      { isTicked: false, isSkipped: true, isExhausted: true },
      "skipped",
      null,
    ],
  ])("%s", (_, more, is, weakness) => {
    const known = { ...PROVEN, ...more };
    expect(classify(known)).toEqual({ class: is, weakness, design: known.design });
  });
});

const outcome = constantFrom(...OUTCOMES);
const evidence = record({ outcome, doubt: constantFrom(undefined, "why") }).map((one) =>
  ran(one.outcome, one.doubt),
);
const anyKnown = record<Known>({
  isTicked: boolean(),
  isSkipped: boolean(),
  isExhausted: boolean(),
  isAccepted: boolean(),
  design: constantFrom(null, null, ...DESIGNS),
  before: array(evidence, { maxLength: 2 }),
  evidence: array(evidence, { maxLength: 2 }),
  commits: constantFrom<readonly string[] | null>(null, [], ["a"]),
  tree: constantFrom(null, ...TREES),
  noChange: constantFrom(null, null, "why"),
  isOlder: boolean(),
  doubt: constantFrom(null, null, "why"),
});

it("calls a task proven only if everything speaks for it", () => {
  assert(
    property(anyKnown, (known) => {
      const { class: is, weakness } = classify(known);
      const isProven =
        known.isTicked &&
        !known.isAccepted &&
        known.doubt === null &&
        known.design === null &&
        known.noChange === null &&
        known.evidence.length > 0 &&
        known.evidence.every((one) => one.outcome === "passed") &&
        known.evidence.some((one) => one.doubt === undefined) &&
        known.before.some((one) => one.outcome === "failed" && one.doubt === undefined) &&
        (known.commits === null ? known.isOlder : known.commits.length > 0) &&
        known.tree !== "uncommitted" &&
        known.tree !== "no-git";
      expect(is === "proven").toBe(isProven);
      // What is checked says why it is not more.
      expect(weakness !== null).toBe(
        is === "checked" || (is === "reported" && known.doubt !== null),
      );
    }),
    { numRuns: 2000 },
  );
});

describe("what keeps a finished run from being a success", () => {
  const task = (id: string, more: Partial<Known> = {}): Standing => {
    const known = { ...PROVEN, ...more };
    return { ...known, id, class: classify(known).class };
  };
  const green: Partial<Known> = { before: [ran("passed")] };
  const idle: Partial<Known> = { ...green, commits: [], noChange: "done before" };
  const vacuous: Partial<Known> = { evidence: [ran("passed", "it cannot fail")] };

  it.each<[string, Standing[], string[]]>([
    ["nothing", [task("1"), task("2", { isAccepted: true })], []],
    ["not a refactoring under green tests", [task("1", green)], []],
    ["not one of an older version", [task("1", { ...green, commits: null })], []],
    ["green, and not committed", [task("1", { ...green, commits: null, tree: "no-git" })], ["1"]],
    [
      "green, without a commit of its own",
      [task("1"), task("2", { ...green, commits: [] })],
      ["2"],
    ],
    ["not a Verify that cannot fail, if it has a commit", [task("1", vacuous)], []],
    [
      "a Verify that cannot fail, without a commit",
      [task("1", { ...vacuous, commits: [] })],
      ["1"],
    ],
    ["not what is so by design", [task("1"), task("2", { design: "guard", commits: [] })], []],
    ["the agent's word", [task("1"), task("2", { evidence: [] })], ["2"]],
    [
      "what failed, is open or skipped",
      [task("1", { evidence: [ran("failed")] }), task("2", { isTicked: false })],
      ["1", "2"],
    ],
    ["not what had been done before, next to real work", [task("1"), task("2", idle)], []],
    [
      "what had been done before, if its Verify cannot fail",
      [task("1"), task("2", { ...idle, ...vacuous })],
      ["2"],
    ],
    ["everything, if nothing at all was changed", [task("1", idle), task("2", idle)], ["1", "2"]],
    [
      "a run that changed nothing but has checks",
      [task("1", idle), task("2", { design: "verify" })],
      ["1"],
    ],
  ])("%s", (_, tasks, expected) => {
    expect(listUnproven(tasks)).toEqual(expected);
  });

  it("is never a proven task, and always one that is not done", () => {
    assert(
      property(array(anyKnown, { maxLength: 4 }), (all) => {
        const tasks = all.map((known, i) => task(String(i), known));
        const bad = new Set(listUnproven(tasks));
        for (const one of tasks) {
          if (one.class === "proven" || one.class === "accepted") expect(bad).not.toContain(one.id);
          if (["reported", "failed", "open", "skipped"].includes(one.class))
            expect(bad).toContain(one.id);
        }
      }),
    );
  });
});

describe("counts", () => {
  it("add up, and say every class but open", () => {
    assert(
      property(array(record({ class: constantFrom(...CLASSES) })), (tasks) => {
        const counts = countClasses(tasks);
        const sum = (names: readonly (typeof CLASSES)[number][]): number =>
          names.reduce((all, name) => all + counts[name], 0);
        expect(counts.total).toBe(tasks.length);
        expect(sum(CLASSES)).toBe(tasks.length);
        expect(sum(["proven", "checked", "accepted", "reported"])).toBe(counts.done);
        const said = describeCounts(counts);
        for (const name of CLASSES)
          expect(said.includes(name)).toBe(name !== "open" && counts[name] > 0);
      }),
    );
  });

  it.each([
    [[], "0 of 0 tasks done"],
    [["open"], "0 of 1 task done"],
    [["failed", "open"], "0 of 2 tasks done; 1 failed"],
    [
      ["accepted", "proven", "skipped", "checked", "failed", "proven"],
      "4 of 6 tasks done: 2 proven, 1 checked, 1 accepted; 1 failed, 1 skipped",
    ],
  ] as const)("%j: %s", (classes, said) => {
    expect(describeCounts(countClasses(classes.map((is) => ({ class: is }))))).toBe(said);
  });
});
