import { describe, expect, it } from "vitest";
import type { Task } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { Design } from "../tasks/tags.ts";
import { formatAgreement, parseAgreement } from "./agreement-file.ts";
import {
  type Agreement,
  agreedDesign,
  agreeToAll,
  agreeToPending,
  agreeUnseen,
  ask,
  isAgreedRed,
  NOTHING,
  questionOf,
} from "./agreement.ts";

const listWith = (tags: string, command = "npm test") =>
  parseTasks(`- [ ] 1.1 ${tags} Task\n  - **Verify**: \`${command}\`\n`);
const taskWith = (tags: string, command?: string): Task => listWith(tags, command).tasks[0] as Task;

/** As an older version wrote it. */
const older = (red?: readonly string[]): Agreement => ({
  commands: ["npm test"],
  tasks: ["1.1"],
  ...(red === undefined ? {} : { red }),
});

describe("what a task is by design", () => {
  it.each<[what: string, agreed: Agreement | undefined, tags: string, is: Design | null]>([
    ["as agreed", agreeToAll(listWith("[GUARD]")), "[GUARD]", "guard"],
    ["as agreed", agreeToAll(listWith("[RED]")), "[RED]", "red"],
    ["no longer, if its tag is gone", agreeToAll(listWith("[GUARD]")), "", null],
    ["not by a tag that was added since", agreeToAll(listWith("")), "[GUARD]", null],
    ["not by a tag that was added since", agreeToAll(listWith("")), "[RED]", null],
    ["not by another tag", agreeToAll(listWith("[VERIFY]")), "[VERIFY] [RED]", null],
    ["a check of a failing test", agreeToAll(listWith("[VERIFY] [RED]")), "[VERIFY] [RED]", "red"],
    ["a new check", NOTHING, "[VERIFY]", "verify"],
    ["a new failing test", NOTHING, "[RED]", "red"],
    ["no new guard: only the user declares one", NOTHING, "[GUARD]", null],
    ["no guard without an agreement", undefined, "[GUARD]", null],
    ["no guard in a list that nobody has seen", agreeUnseen(listWith("[GUARD]")), "[GUARD]", null],
    [
      "a check in a list that nobody has seen",
      agreeUnseen(listWith("[VERIFY]")),
      "[VERIFY]",
      "verify",
    ],
    [
      "a guard that the user had declared before",
      agreeUnseen(listWith("[GUARD]"), agreeToAll(listWith("[GUARD]"))),
      "[GUARD]",
      "guard",
    ],
    ["a check, to older versions", older(), "[VERIFY]", "verify"],
    ["[RED], to versions that noted nothing", older(), "[RED]", "red"],
    ["[RED], as older versions noted", older(["1.1"]), "[RED]", "red"],
    ["not [RED], as older versions noted", older([]), "[RED]", null],
    ["no guard, to older versions", older([]), "[GUARD]", null],
  ])("%s", (_, agreed, tags, is) => {
    expect(agreedDesign(agreed, taskWith(tags))).toBe(is);
    if (agreed !== undefined) expect(isAgreedRed(agreed, taskWith(tags))).toBe(is === "red");
  });

  it("is approved together with its Verify", () => {
    const agreed = agreeToAll(listWith(""));
    const added = { ...taskWith("[GUARD]", "npm run types"), id: "1.2" };
    const question = questionOf(agreed, added, ["npm run types"]);
    expect(question).toEqual({ task: "1.2", commands: ["npm run types"], design: "guard" });
    const asked = ask(agreed, question!);
    expect(agreedDesign(asked, added)).toBeNull();
    expect(agreedDesign(agreeToPending(asked), added)).toBe("guard");
  });
});

describe("on disk", () => {
  it("says what was [RED], for older versions", () => {
    const agreed = agreeToAll(listWith("[RED]"));
    const written = JSON.parse(formatAgreement(agreed)) as unknown;
    expect(written).toMatchObject({ designs: { "1.1": "red" }, red: ["1.1"] });
    expect(parseAgreement(written)).toEqual(agreed);
  });

  it.each<[unknown, Agreement | undefined]>([
    [older(["1.1"]), older(["1.1"])],
    [{ ...older(["1.1"]), designs: { "1.1": "free" } }, older(["1.1"])],
    [{ ...older(), given: "1.1", checks: [], red: 1 }, older()],
    [{ commands: [] }, undefined],
    [null, undefined],
  ])("is read as far as it can be understood: %j", (value, agreed) => {
    expect(parseAgreement(value)).toEqual(agreed);
  });
});
