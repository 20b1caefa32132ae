import { expect, it } from "vitest";
import { fateFrom } from "./fate.ts";

const held = (isAlive: boolean, beat: string) => ({ isAlive, beat });

it.each([
  ["holds nothing", [], { kind: "ended" }],
  ["still holds something", [held(false, "1"), held(true, "2")], { kind: "at-work" }],
  ["held something when it died", [held(false, "2"), held(false, "1")], { kind: "died", at: "2" }],
])("a run that %s", (_, signs, fate) => {
  expect(fateFrom(signs)).toEqual(fate);
});
