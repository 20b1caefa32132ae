import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../test/support/full.ts";
import { isAllowed, permittedByBoth } from "./allowed-commands.ts";

describe("permittedByBoth", () => {
  it.each([
    [undefined, undefined, undefined],
    [["npm test"], undefined, ["npm test"]],
    [undefined, ["npm test"], ["npm test"]],
    [["npm"], ["npm test", "rm"], ["npm test"]],
    [["npm test", "npm run lint"], ["npm"], ["npm test", "npm run lint"]],
    [["npm test"], ["npm test"], ["npm test"]],
    [["npm test"], ["npm testify"], []],
    [["npm test"], [], []],
    [["a && b"], ["a"], []],
  ])("%j and %j: %j", (one, other, both) => {
    expect(permittedByBoth(one, other)).toEqual(both);
    expect(permittedByBoth(other, one)?.toSorted()).toEqual(both?.toSorted());
  });

  it("permits a command if and only if both lists do", () => {
    const words = fc
      .array(fc.constantFrom("npm", "test", "run", "&&", ";", "lint"), {
        minLength: 1,
        maxLength: 4,
      })
      .map((all) => all.join(" "));
    const list = fc.array(words, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, words, (one, other, command) => {
        const both = permittedByBoth(one, other);
        expect(isAllowed(command, both)).toBe(isAllowed(command, one) && isAllowed(command, other));
      }),
      { numRuns: runsOf(2000) },
    );
  });
});
