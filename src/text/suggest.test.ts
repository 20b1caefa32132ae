import { expect, it } from "vitest";
import { suggest } from "./suggest.ts";

const COMMANDS = ["run", "help", "status", "start", "switch", "epic status", "tasks list"];

it.each([
  ["statsu", "status"],
  ["hlep", "help"],
  ["stat", "status"],
  ["sw", "switch"],
  ["swich", "switch"],
  ["epic stauts", "epic status"],
  ["nonsense", undefined],
  ["rn", "run"],
  ["xy", undefined],
  ["x", undefined],
  ["", undefined],
])("%j means %j", (word, meant) => expect(suggest(word, COMMANDS)).toBe(meant));
