import { describe, expect, it } from "vitest";
import { HEAD, makeRunLog, type Moment } from "../../../../test/support/run-log.ts";
import { EMPTY } from "../../../runner/view/model.ts";
import { reduceAll } from "../../../runner/view/reduce.ts";
import { parseKeys } from "./keys.ts";
import { type Effect, expire, press, type Seat, START, type Ui } from "./ui.ts";

const log = makeRunLog();

/** The result of typing these keys, one after the other. */
function type(keys: string, moment: Moment, seat: Seat = "running"): { ui: Ui; effects: Effect[] } {
  const model = reduceAll(log.until(moment).events);
  const effects: Effect[] = [];
  let ui = START;
  for (const key of parseKeys(keys)) {
    const next = press(ui, key, model, seat);
    ui = next.ui;
    if (next.effect !== undefined) effects.push(next.effect);
  }
  return { ui, effects };
}

const [UP, DOWN, LEFT, RIGHT] = ["A", "B", "D", "C"].map((one) => `\u001b[${one}`);
const [ESC, ENTER, CTRL_C, BACK] = ["\u001b", "\r", "\u0003", "\u007f"];

describe("keys", () => {
  it.each([
    ["p", "parallel", [{ kind: "pause" }]],
    ["s", "parallel", []],
    ["sn", "parallel", []],
    ["s\r", "parallel", []],
    ["sy", "parallel", [{ kind: "skip", spec: "user-export", task: "2.1" }]],
    [`s${DOWN}${DOWN}y`, "parallel", [{ kind: "skip", spec: "user-export", task: "2.2" }]],
    [`s${DOWN}${UP}y`, "parallel", [{ kind: "skip", spec: "user-export", task: "2.1" }]],
    ["q", "parallel", []],
    ["qn", "parallel", []],
    ["qy", "parallel", [{ kind: "stop" }]],
    [CTRL_C, "parallel", []],
    [CTRL_C + CTRL_C, "parallel", [{ kind: "stop" }]],
    [`s${CTRL_C}${CTRL_C}`, "parallel", [{ kind: "stop" }]],
    ["a", "parallel", []],
    [`aboth${ENTER}`, "question", [{ kind: "answer", spec: "user-export", id: 1, text: "both" }]],
    [
      `atablex${BACK}, ok${ENTER}`,
      "question",
      [{ kind: "answer", spec: "user-export", id: 1, text: "table, ok" }],
    ],
    [`aboth${ESC}`, "question", []],
    [`a  ${ENTER}`, "question", []],
    ["p", "end", []],
    ["s", "end", []],
    ["q", "end", [{ kind: "leave" }]],
    ["\u001b[200~\u001b[3~\u001b[1;5Cx", "parallel", []],
  ] as const)("%j at %s", (keys, moment, effects) => {
    expect(type(keys, moment).effects).toEqual(effects);
  });

  it("only leave in watch and replay", () => {
    for (const seat of ["watching", "replay"] as const)
      for (const key of ["q", "Q", CTRL_C ?? ""])
        expect(type(key, "parallel", seat).effects).toEqual([{ kind: "leave" }]);
  });

  it("control a run that is watched, and nothing in a replay", () => {
    expect(type("p", "parallel", "watching").effects).toEqual([{ kind: "pause" }]);
    expect(type("psyaboth\r", "question", "replay").effects).toEqual([]);
  });

  it("are typed into an answer, even q, p and s", () => {
    expect(type("aq p s ?", "question").ui.mode).toEqual({
      kind: "answer",
      index: 0,
      text: "q p s ?",
    });
  });

  it("put no control character into an answer", () => {
    expect(type("a导\u0001\u009b31m\u202e出", "question").ui.mode).toMatchObject({
      text: "导31m出",
    });
  });

  it("open the log of the current attempt, choose another and scroll", () => {
    expect(type("l", "parallel").ui.mode).toEqual({ kind: "log", index: 7, up: 0 });
    expect(type(`l${LEFT}${LEFT}${UP}${UP}${DOWN}`, "parallel").ui.mode).toEqual({
      kind: "log",
      index: 5,
      up: 1,
    });
    expect(type(`l${UP}${RIGHT}`, "parallel").ui.mode).toEqual({ kind: "log", index: 7, up: 0 });
    for (const back of [ESC, "q", "l"])
      expect(type(`l${back}`, "parallel").ui.mode).toEqual({ kind: "run" });
  });

  it("resume what is about to pause", () => {
    expect(type("pp", "parallel").effects).toEqual([{ kind: "pause" }, { kind: "resume" }]);
  });

  it("resume what is paused", () => {
    const model = reduceAll(
      [{ ...HEAD, at: "t", kind: "paused" }],
      reduceAll(log.until("parallel").events),
    );
    expect(press(START, { kind: "text", text: "p" }, model, "running").effect).toEqual({
      kind: "resume",
    });
  });

  it("say so if they have nothing to act on", () => {
    expect(type("a", "parallel").ui.message).toBe("There is no open question.");
    expect(type("s", "end").ui.message).toBe("No task is being worked on.");
  });
});

it("a message goes away by itself, except that the run will pause, which it says until it does", () => {
  const message = "Nothing is skipped.";
  expect(expire({ ...START, message }, 1000, EMPTY).message).toBe(message);
  expect(expire({ ...START, message }, 6000, EMPTY).message).toBe("");
  const { ui } = press(START, { kind: "text", text: "p" }, EMPTY, "running");
  expect(expire(ui, 60_000, EMPTY)).toEqual(ui);
  expect(expire(ui, 60_000, { ...EMPTY, paused: true }).message).toBe("");
});
