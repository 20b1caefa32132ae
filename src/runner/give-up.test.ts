import { describe, expect, it } from "vitest";
import type { Entry } from "../run/journal.ts";
import { leavesVerify, orderAgents, tellGivenUp, type Tried } from "./give-up.ts";

/** `weak 1.1 idle`: how an attempt at a task went. `done`, or else a refusal, in `_` for blanks. `1.1@npm` has a Verify. */
const tries = (...lines: readonly string[]): Tried[] =>
  lines.flatMap((line) => {
    const [by = "", at = "", how = "", times = "1"] = line.split(" ");
    const [task, verify] = at.split("@");
    const isIdle = how.startsWith("idle");
    const failed = { isIdle, isUnnoticed: isIdle || how.startsWith("junk"), why: how };
    const one = { by, task: `demo ${task}`, verify, ...(how === "done" ? {} : { failed }) };
    return Array.from({ length: Number(times) }, () => one);
  });

function order(wanted: string, at: string, ...lines: readonly string[]): string {
  const [task, verify] = at.split("@");
  const next = { task: `demo ${task}`, attempts: 5, verify };
  return orderAgents(tries(...lines), wanted.split(" "), next).join(" ");
}

describe("an agent alone", () => {
  it.each([
    ["nothing was tried", []],
    ["one task has used all its attempts", ["a 1.1 idle 5"]],
    ["the second task has one attempt left", ["a 1.1 idle 5", "a 1.2 idle 4"]],
    ["one task is tried again and again", ["a 1.1 idle 15"]],
    ["tasks fail in different ways", ["a 1.1 no_users 5", "a 1.2 no_orders 5"]],
    ["something was done in between", ["a 1.1 idle 5", "a 1.2 done", "a 1.3 idle 5"]],
    ["one attempt moved something", ["a 1.1 idle 5", "a 1.2 idle 2", "a 1.2 red", "a 1.2 idle 2"]],
    ["numbers make a difference between tasks", ["a 1.1 port_1 5", "a 1.2 port_2 5"]],
    ["two tasks changed what no Verify noticed", ["a 1.1 junk-a 5", "a 1.2 junk-b 5"]],
    ["and then a third one moved", ["a 1.1 junk-a 5", "a 1.2 junk-b 5", "a 1.3 no_orders 5"]],
    ["and then a third one was done", ["a 1.1 junk-a 5", "a 1.2 junk-b 5", "a 1.3 done"]],
  ])("goes on if %s", (_, lines) => {
    expect(order("a", "1.9", ...lines)).toBe("a");
  });

  it.each([
    ["changed nothing", ["a 1.1 idle 5", "a 1.2 idle 5"]],
    ["changed nothing, in different words", ["a 1.1 idle-hm 5", "a 1.2 idle-oh 5"]],
    ["were refused alike", ["a 1.1 uncommitted 5", "a 1.2 uncommitted 5"]],
    ["changed nothing after some success", ["a 1.1 done", "a 1.2 idle 5", "a 1.3 idle 5"]],
    ["changed nothing after", ["a 1.1 junk-a 5", "a 1.2 idle 5", "a 1.3 idle 5"]],
    [
      "and a third changed what no Verify noticed",
      ["a 1.1 junk-a 5", "a 1.2 junk-b 5", "a 1.3 junk-c"],
    ],
    ["and a third changed that or nothing", ["a 1.1 junk-a 5", "a 1.2 idle 5", "a 1.3 junk-c"]],
    [
      "of a group changed nothing",
      ["a 1.1 idle 3", "a 1.2 idle 3", "a 1.3 idle 2", "a 1.1 idle 2"],
    ],
  ])("is given up if two tasks in a row %s", (_, lines) => {
    expect(order("a", "1.9", ...lines)).toBe("");
  });
});

describe("an agent whose work was refused with the same words in two tasks", () => {
  const refused = ["a 1.1@npm no_db 5", "a 1.2@npm no_db 5"];

  it.each([
    ["gets one with another Verify", "1.3@make", refused, "a"],
    ["gets none with the same", "1.3@npm", refused, ""],
    ["gets none after a third", "1.4@go", [...refused, "a 1.3@make no_db"], ""],
    ["goes on if a third differs", "1.4@npm", [...refused, "a 1.3@make red"], "a"],
    ["gets none if it changed nothing", "1.3@make", ["a 1.1@npm idle 5", "a 1.2@go idle 5"], ""],
  ])("%s", (_, next, lines, expected) => {
    expect(order("a", next, ...lines)).toBe(expected);
  });
});

describe("an agent with another after it", () => {
  it.each([
    ["a b", ["a 1.1 idle"]],
    ["a b", ["a 1.1 red", "a 1.1 blue"]],
    ["a b", ["a 1.2 idle 2"]],
    ["b a", ["a 1.1 idle 2"]],
    ["b a", ["a 1.1 red 2"]],
    ["b a", ["a 1.1 3_of_7", "a 1.1 4_of_7"]],
    ["b a", ["a 1.1 idle 2", "b 1.1 idle 2"]],
    ["b", ["a 1.2 idle 2", "b 1.2 done", "a 1.1 idle 2"]],
    ["a b", ["a 1.2 red 2", "b 1.2 done", "a 1.1 blue"]],
    ["", ["a 1.1 idle 2", "b 1.1 idle 5", "a 1.2 idle 2", "b 1.2 idle 5"]],
    ["b", ["a 1.1 idle 2", "b 1.1 idle 3", "a 1.2 idle 2", "b 1.2 idle 3"]],
  ])("the next attempt at 1.1 goes to %j after %j", (expected, lines) => {
    expect(order("a b", "1.1", ...lines)).toBe(expected);
  });
});

describe("a Verify is as it was before the work", () => {
  const failed = (tail: string, exitCode = 1): Partial<Entry> => ({
    evidence: [
      { command: "x", outcome: "failed", exitCode, tail, milliseconds: exitCode, commit: tail },
    ],
  });
  const about = (...entries: readonly Partial<Entry>[]): Entry[] => entries as Entry[];
  const before = { event: "before", ...failed("no file, 12 ms") } as const;
  const refused = { event: "refused", agent: "a" } as const;

  it.each([
    [
      "it prints the same, numbers aside",
      true,
      [before, { ...refused, ...failed("no file, 9 ms") }],
    ],
    ["nothing was claimed", true, [before, { event: "failed", agent: "a" } as const]],
    ["another attempt has moved it", true, [before, { ...refused, agent: "b", ...failed("red") }]],
    ["it prints something else", false, [before, { ...refused, ...failed("no database") }]],
    ["it ends with another code", false, [before, { ...refused, ...failed("no file, 12 ms", 2) }]],
    ["the claim was refused without it", true, [before, refused]],
    ["it was not tried before", false, [{ ...refused, ...failed("no file") }]],
    ["it was replaced", false, [before, { event: "amended" } as const, refused]],
  ])("%s: %s", (_, expected, entries) => {
    expect(leavesVerify(about(...entries), "a")).toBe(expected);
  });
});

it("says of each what it did", () => {
  const lines = ["a 1.1 idle 5", "b 1.1 uncommitted 5", "a 1.2 idle 5", "b 1.2 uncommitted 5"];
  expect(tellGivenUp(tries(...lines), ["a", "b"])).toBe(
    "all attempts ended alike: the last 10 of a, at 1.1 and 1.2, changed none of their files; the last 10 of b, at 1.1 and 1.2, ended alike (uncommitted); the next run tries again, and --agent names another agent or model",
  );
});

it("says that nothing has moved only if nothing was changed", () => {
  const lines = ["a 1.1 idle 5", "a 1.2 idle 5"];
  expect(tellGivenUp(tries(...lines), ["a"])).toMatch(
    /^no attempt has moved anything: the last 10/,
  );
});

it("says that no Verify has noticed what was changed", () => {
  const lines = ["a 1.1 junk-a 5", "a 1.2 idle 5", "a 1.3 junk-c"];
  expect(tellGivenUp(tries(...lines), ["a"])).toContain(
    "the last 11 of a, at 1.1 and 1.2 and 1.3, left their Verify as it was before the work;",
  );
});
