import { describe, expect, it } from "vitest";
import { defaultSettings } from "../run/settings.ts";
import { parseTasks } from "../tasks/parse.ts";
import { designOf } from "../tasks/tags.ts";
import {
  describeDoubtful,
  describeOutlook,
  listDoubtful,
  type Outlook,
  planOutlook,
  type Terms,
} from "./outlook.ts";

const CAN_FAIL = "`npm test`";
const CANNOT_FAIL = "`echo done`";
const UNCLEAR = "`npm start` shows the new layout";

type Row = readonly [tags: string, verify: string | undefined, box?: "x"];

function look(rows: readonly Row[], terms: Partial<Terms> = {}): Outlook {
  const text = rows.map(([tags, verify, box = " "], i) => {
    const field = verify === undefined ? "" : `  - **Verify**: ${verify}\n`;
    return `- [${box}] 1.${i + 1} ${tags} Task\n${field}`;
  });
  const usual = { settings: defaultSettings, hasGit: true, designOf };
  return planOutlook(parseTasks(text.join("")), { ...usual, ...terms });
}

const times = (count: number, row: Row): Row[] => Array.from({ length: count }, () => row);

describe("what can come of a task at best", () => {
  it.each<[what: string, row: Row, expected: keyof Outlook]>([
    ["a Verify that can fail", ["", CAN_FAIL], "provable"],
    ["one of two commands that can fail", ["", `${CANNOT_FAIL}, ${CAN_FAIL}`], "provable"],
    ["a Verify that cannot fail", ["", CANNOT_FAIL], "vain"],
    ["a Verify that we do not understand", ["", UNCLEAR], "vain"],
    ["no Verify", ["", undefined], "unchecked"],
    ["an empty Verify", ["", ""], "unchecked"],
    ["a Verify in prose", ["", "it looks fine"], "unchecked"],
    ["a Verify by hand", ["", "manual: look at it"], "unchecked"],
    ["a [VERIFY]", ["[VERIFY]", CAN_FAIL], "byDesign"],
    ["a [RED]", ["[RED]", "`! npm test`"], "byDesign"],
    ["a [GUARD]", ["[GUARD]", CAN_FAIL], "byDesign"],
    ["a [VERIFY] that runs nothing", ["[VERIFY]", undefined], "unchecked"],
  ])("%s", (_, row, expected) => {
    const outlook = look([row]);
    expect(outlook[expected]).toHaveLength(1);
    const { provable, byDesign, vain, unchecked } = outlook;
    expect([provable, byDesign, vain, unchecked].flat()).toHaveLength(1);
  });

  it("depends on what the user agreed to, not on the tag", () => {
    const outlook = look([["[GUARD]", CAN_FAIL]], { designOf: () => null });
    expect(outlook).toMatchObject({ provable: ["1.1"], byDesign: [] });
  });

  it("is nothing where the command may not run", () => {
    const settings = { ...defaultSettings, verifyAllow: ["make"] };
    const { unchecked } = look([["", CAN_FAIL]], { settings });
    expect(unchecked).toEqual([{ id: "1.1", why: "verify_allow does not permit `npm test`" }]);
  });

  it("is no question for what is ticked", () => {
    expect(
      look([
        ["", undefined, "x"],
        ["", CAN_FAIL],
      ]),
    ).toEqual({
      open: 1,
      done: 1,
      obstacle: null,
      provable: ["1.2"],
      byDesign: [],
      vain: [],
      unchecked: [],
    });
  });
});

describe("the line that a run begins with", () => {
  it.each<[rows: readonly Row[], line: string]>([
    [
      [...times(9, ["", CAN_FAIL]), ["", CANNOT_FAIL], ["", CANNOT_FAIL], ["", undefined]],
      "12 tasks: 9 can be proven, 2 have a Verify that cannot fail (1.10, 1.11), 1 has none (1.12)",
    ],
    [times(12, ["", CAN_FAIL]), "12 tasks: all can be proven"],
    [times(1, ["", CAN_FAIL]), "1 task: it can be proven"],
    [
      [
        ["", CAN_FAIL],
        ["[VERIFY]", CAN_FAIL],
      ],
      "2 tasks: 1 can be proven, 1 is a check by design (1.2)",
    ],
    [
      times(2, ["[VERIFY]", CAN_FAIL]),
      "2 tasks: none can be proven, 2 are checks by design (1.1, 1.2)",
    ],
    [
      [
        ["", CAN_FAIL],
        ["", CANNOT_FAIL],
      ],
      "2 tasks: 1 can be proven, 1 has a Verify that cannot fail (1.2)",
    ],
    [
      [
        ["", CAN_FAIL],
        ["", CANNOT_FAIL],
        ["", UNCLEAR],
      ],
      "3 tasks: 1 can be proven, 2 have a Verify that proves nothing (1.2, 1.3)",
    ],
    [
      [
        ["", CAN_FAIL],
        ["", undefined],
      ],
      "2 tasks: 1 can be proven, 1 has no Verify (1.2)",
    ],
    [
      [
        ["", CANNOT_FAIL],
        ["", "manual: look"],
        ["", undefined],
      ],
      "3 tasks: none can be proven, 1 has a Verify that cannot fail (1.1), 2 have none that can be run (1.2, 1.3)",
    ],
    [
      times(11, ["", undefined]),
      "11 tasks: none can be proven, 11 have no Verify (1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8 and 3 more)",
    ],
    [
      [
        ["", undefined, "x"],
        ["", CAN_FAIL],
      ],
      "1 open task: it can be proven",
    ],
  ])("%#", (rows, line) => {
    expect(describeOutlook(look(rows))).toBe(line);
  });

  const rows: Row[] = [
    ["", CAN_FAIL],
    ["[VERIFY]", CAN_FAIL],
  ];

  it.each<[Partial<Terms>, why: string, byDesign: readonly string[]]>([
    [{ settings: { ...defaultSettings, evidence: "off" } }, "evidence is off", []],
    [{ hasGit: false }, "there is no git repository", ["1.2"]],
    [{ settings: { ...defaultSettings, verifyBefore: false } }, "verify_before is false", ["1.2"]],
  ])("says why nothing can be proven: %#", (terms, why, byDesign) => {
    const outlook = look(rows, terms);
    expect(describeOutlook(outlook)).toBe(`2 tasks: none can be proven, because ${why}`);
    expect(outlook).toMatchObject({ provable: [], byDesign, obstacle: why });
    expect(listDoubtful(outlook)).toContainEqual({ id: "1.1", why });
    expect(describeOutlook(look(rows.slice(0, 1), terms))).toBe(
      `1 task: it cannot be proven, because ${why}`,
    );
  });
});

it("names the tasks that nothing will prove, each with its reason", () => {
  const outlook = look([
    ["", CAN_FAIL],
    ["", undefined],
    ["", CANNOT_FAIL],
    ["[RED]", CAN_FAIL],
  ]);
  expect(describeDoubtful(listDoubtful(outlook))).toBe(
    "1.3 (its Verify cannot fail), 1.2 (it has no Verify)",
  );
});
