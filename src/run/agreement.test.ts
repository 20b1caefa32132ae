import { describe, expect, it } from "vitest";
import type { Task } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { agreedDesign, type Agreement, agreeToAll, NOTHING } from "./agreement.ts";

const listOf = (title: string): ReturnType<typeof parseTasks> =>
  parseTasks(`- [ ] 1.1 ${title}\n  - **Verify**: \`npm test\`\n`);
const agreedTo = (title: string): Agreement => agreeToAll(listOf(title));

/** An agreement as older versions wrote it. */
function olderThan(agreed: Agreement): Agreement {
  const { designs: _, ...older } = agreed;
  return older;
}

describe("what a task is by design", () => {
  it.each<[string, Agreement | undefined, string, string | null]>([
    ["nothing", agreedTo("a"), "a", null],
    ["what its tag said when the user agreed", agreedTo("[GUARD] a"), "[GUARD] a", "guard"],
    ["a check", agreedTo("[VERIFY] a"), "[VERIFY] a", "verify"],
    ["a failing test", agreedTo("[RED] a"), "[RED] a", "red"],
    ["not what a later tag says", agreedTo("a"), "[GUARD] a", null],
    ["not a check that it became later", agreedTo("a"), "[VERIFY] a", null],
    ["not another one than then", agreedTo("[RED] a"), "[GUARD] a", null],
    ["nothing any more once its tag is gone", agreedTo("[GUARD] a"), "a", null],
    [
      "a check that was added since, like a fix",
      agreeToAll(parseTasks("- [ ] 1.2 b\n")),
      "[VERIFY] a",
      "verify",
    ],
    [
      "not a guard that was added since",
      agreeToAll(parseTasks("- [ ] 1.2 b\n")),
      "[GUARD] a",
      null,
    ],
    [
      "a check, where older versions did not say",
      olderThan(agreedTo("[VERIFY] a")),
      "[VERIFY] a",
      "verify",
    ],
    [
      "not a guard, where older versions did not say",
      olderThan(agreedTo("[GUARD] a")),
      "[GUARD] a",
      null,
    ],
    ["a check, without any agreement", undefined, "[VERIFY] a", "verify"],
    ["not a guard, without any agreement", undefined, "[GUARD] a", null],
    ["not a guard, where nothing was agreed to", NOTHING, "[GUARD] a", null],
  ])("%s", (_, agreed, title, expected) => {
    expect(agreedDesign(agreed, listOf(title).tasks[0] as Task)).toBe(expected);
  });
});
