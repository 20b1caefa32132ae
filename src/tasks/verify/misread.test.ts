import { describe, expect, it } from "vitest";
import { formatCheck, parseVerify } from "./verify.ts";

const read = (text: string): string | undefined => {
  const [check] = parseVerify(text).checks;
  return check && `${formatCheck(check)}${check.doubt === undefined ? "" : ` ${check.doubt.kind}`}`;
};

describe("a check is never the opposite of what its author wrote", () => {
  it.each([
    ["`grep -c x a` != 0", "grep -c x a (not judged) not-understood"],
    ["`grep -c x a` ≠ 0", "grep -c x a (not judged) not-understood"],
    ["`npm test` fails before and passes after", "npm test (not judged) not-understood"],
    ["`grep x a` finds 3", "grep x a (should print 3 lines)"],
    ["`rg x` finds nothing", "rg x (should print nothing)"],
    ["`grep x a` finds the new function", "grep x a"],
    // find passes whether it finds anything or not.
    ["`find . -name a.ts` exists", "find . -name a.ts (should print >= 1 line)"],
    ["`find src -name a.ts`", "find src -name a.ts cannot-fail"],
    ["`find src -name '*.bak'` returns nothing", "find src -name '*.bak' (should print nothing)"],
    ["`find . -name a.ts -exec false {} +`", "find . -name a.ts -exec false {} +"],
    // The total is one of the counts.
    ["`wc -l src/*.ts` all under 250", "wc -l src/*.ts (not judged) not-understood"],
    ["`wc -l a.md` < 250", "wc -l a.md (should print a number < 250)"],
    ["`npm test || exit 0`", "npm test || exit 0 cannot-fail"],
    ["`npm test; exit 0`", "npm test; exit 0 cannot-fail"],
    ["`npm test && exit 0`", "npm test && exit 0"],
    ["`npm test || exit 1; exit 0`", "npm test || exit 1; exit 0"],
  ])("%s", (text, check) => {
    expect(read(text)).toBe(check);
  });
});
