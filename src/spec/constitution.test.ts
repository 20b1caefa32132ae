import { describe, expect, it } from "vitest";
import constitutionTemplate from "../prompts/templates/constitution.md";
import { checkAmendment, parseConstitution } from "./constitution.ts";

const LINE = "**Version**: 1.1.0 | **Ratified**: 2026-01-31 | **Last Amended**: 2026-11-16\n";
const REPORT = "<!--\nSync Impact Report\nVersion change: 1.0.0 → 1.1.0\n-->\n\n";
const RULES =
  "# Shop Constitution\n\n## Core Principles\n\n### I. Tests First\n\nMUST.\n\n### II. Small\n\nMUST.\n\n";

/** In the shape of Spec Kit's own template. */
const UNFILLED =
  "# [PROJECT_NAME] Constitution\n<!-- Example: Shop Constitution -->\n\n### [PRINCIPLE_1_NAME]\n[PRINCIPLE_1_DESCRIPTION]\n\n**Version**: [CONSTITUTION_VERSION]\n";

describe("parseConstitution", () => {
  it("gives its version and what its principles are called", () => {
    expect(parseConstitution(REPORT + RULES + LINE)).toEqual({
      version: "1.1.0",
      amended: "2026-11-16",
      principles: ["I. Tests First", "II. Small"],
    });
    expect(parseConstitution("# Rules\n\n## Be kind\n\nAlways.\n")).toEqual({
      version: undefined,
      amended: undefined,
      principles: ["Be kind"],
    });
  });

  it.each([
    ["Spec Kit's template", UNFILLED],
    ["ours", constitutionTemplate],
    ["nothing", " \n"],
    ["a comment", "<!-- later -->\n"],
    ["a name alone", UNFILLED.replace("[PROJECT_NAME]", "Shop")],
  ])("is none if it is %s", (_, text) => {
    expect(parseConstitution(text)).toBeUndefined();
  });

  it("leaves out a principle that is not filled in", () => {
    const text = `${RULES}### [PRINCIPLE_3_NAME]\n\n[PRINCIPLE_3_DESCRIPTION]\n`;
    expect(parseConstitution(text)?.principles).toEqual(["I. Tests First", "II. Small"]);
  });

  it("takes a mention in a comment or in code for neither", () => {
    expect(parseConstitution(`<!-- [PROJECT_NAME] -->\n${RULES}`)).toBeDefined();
  });
});

describe("checkAmendment", () => {
  const old = RULES + LINE.replace("1.1.0", "1.0.0").replace("11-16", "11-01");
  const messages = (text: string, before?: string): string[] =>
    checkAmendment(text, before).map(({ message }) => message);

  it("has nothing to say about a good one", () => {
    expect(messages(REPORT + RULES + LINE, old)).toEqual([]);
    expect(messages(REPORT.replace("1.0.0", "none") + RULES + LINE)).toEqual([]);
    expect(
      messages(
        REPORT.replace("→", "->") +
          RULES +
          LINE.replace("2026-01-31", "TODO(RATIFICATION_DATE): ask"),
        old,
      ),
    ).toEqual([]);
  });

  it.each<[what: string, text: string, says: RegExp]>([
    ["no version", REPORT + RULES, /no version and dates/],
    ["no date", REPORT + RULES + LINE.replace("2026-11-16", "today"), /no version and dates/],
    ["no report", RULES + LINE, /does not begin with its report/],
    [
      "a report about another version",
      REPORT.replace("1.1.0", "1.2.0") + RULES + LINE,
      /its report/,
    ],
    [
      "a placeholder",
      `${REPORT}${RULES}[GOVERNANCE_RULES]\n\n${LINE}`,
      /^\[GOVERNANCE_RULES\] is still there/,
    ],
  ])("sees %s", (_, text, says) => {
    expect(messages(text, old)).toEqual([expect.stringMatching(says)]);
  });

  it.each(["1.1.0", "1.2.0", "2.0.0", "1.10.0"])(
    "sees a version that is not above %s",
    (version) => {
      const before = old.replace("1.0.0", version);
      expect(messages(REPORT + RULES + LINE, before)).toEqual([
        `Its version was ${version} before.`,
      ]);
    },
  );

  it("sees a date before the last one, and takes a placeholder that the report explains", () => {
    expect(messages(REPORT + RULES + LINE, old.replace("2026-11-01", "2026-12-01"))).toEqual([
      "It was last amended on 2026-12-01.",
    ]);
    const text = `${REPORT.replace("-->", "TODO: [GOVERNANCE_RULES] is decided in May\n-->")}${RULES}[GOVERNANCE_RULES]\n\n${LINE}`;
    expect(messages(text, old)).toEqual([]);
  });
});

it("takes no longer for a report that is all arrows than for another one: that would be minutes", () => {
  const report = `<!--\nSync Impact Report\n${"a->".repeat(50_000)}\n-->\n\n`;
  const codes = checkAmendment(report + RULES + LINE, undefined).map(({ message }) => message);
  expect(codes).toEqual(["It does not begin with its report."]);
});
