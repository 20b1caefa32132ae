import { describe, expect, it } from "vitest";
import { entryOf, factsOf, provenIn } from "../../test/support/journal.ts";
import { parseTasks } from "../tasks/parse.ts";
import { parseRequirements } from "./requirements.ts";
import { planTrace } from "./trace.ts";

describe("what proves a requirement", () => {
  const DOCUMENT =
    "### US-1: Story\n\n- AC-1.1: one\n- AC-1.2: two (FR-001)\n- AC-1.3: three (FR-001)\n\n- FR-001: r\n";
  /** `p`roven, `r`eported, by `h`and, `o`pen: each task as `p:[RED] AC-1.1`. */
  const plan = (...lines: readonly string[]) => {
    const tasks = lines.map((line, i) => ({
      mark: line.charAt(0),
      id: `1.${i + 1}`,
      is: line.slice(2),
    }));
    const text = tasks.map(({ mark, id, is }) => `- [${mark === "o" ? " " : "x"}] ${id} ${is}\n`);
    const entries = tasks.flatMap(({ mark, id }) =>
      mark === "p"
        ? provenIn(id)
        : mark === "r"
          ? [entryOf("done", id, { note: "no Verify" })]
          : [],
    );
    const list = parseTasks(text.join(""));
    return planTrace({
      list,
      requirements: parseRequirements(DOCUMENT),
      facts: factsOf(list, entries),
      isStrict: false,
      paths: { spec: ".", requirements: "r.md", tasks: "t.md" },
    });
  };
  const standing = (...lines: readonly string[]): string =>
    plan(...lines)
      .requirements.filter(({ tasks }) => tasks.length > 0)
      .map((one) => `${one.written}=${one.standing}`)
      .join(" ");

  it.each([
    [["p:AC-1.1"], "US-1=unproven AC-1.1=proven"],
    [["p:AC-1.1", "o:AC-1.1"], "US-1=open AC-1.1=open"],
    [["p:AC-1.1", "r:AC-1.1"], "US-1=unproven AC-1.1=proven"],
    [["r:AC-1.1"], "US-1=unproven AC-1.1=reported"],
    [["h:AC-1.1"], "US-1=unproven AC-1.1=reported"],
    [["p:[RED] AC-1.1"], "US-1=unproven AC-1.1=unproven"],
    [["o:[RED] AC-1.1"], "US-1=open AC-1.1=open"],
    [["p:[RED] AC-1.1", "o:[GREEN] AC-1.1"], "US-1=open AC-1.1=open"],
    [["p:[RED] AC-1.1", "p:[GREEN] AC-1.1"], "US-1=unproven AC-1.1=proven"],
    // A check is about what the tasks before it name.
    [["p:[RED] AC-1.1", "p:make it pass", "p:[VERIFY] all"], "US-1=unproven AC-1.1=checked"],
    [["p:[RED] AC-1.1", "p:[VERIFY] a", "p:[VERIFY] b"], "US-1=unproven AC-1.1=checked"],
    [["p:[VERIFY] a", "p:[RED] AC-1.1"], "US-1=unproven AC-1.1=unproven"],
    [["h:AC-1.1", "p:[VERIFY] all"], "US-1=unproven AC-1.1=checked"],
    [["p:[VERIFY] AC-1.1 is met"], "US-1=unproven AC-1.1=checked"],
    // A check that names something is about that.
    [
      ["p:[RED] AC-1.1", "p:[VERIFY] AC-1.2"],
      "US-1=unproven AC-1.1=unproven AC-1.2=checked FR-001=unproven",
    ],
    // A story by itself, or by all of its parts.
    [["p:US-1"], "US-1=proven AC-1.1=proven AC-1.2=proven AC-1.3=proven FR-001=proven"],
    [["p:AC-1.1..AC-1.3"], "US-1=proven AC-1.1=proven AC-1.2=proven AC-1.3=proven FR-001=proven"],
    // Criteria that share a requirement do not prove each other, nor does the requirement prove them.
    [["p:AC-1.2"], "US-1=unproven AC-1.2=proven FR-001=unproven"],
    [["p:FR-001"], "US-1=unproven FR-001=proven"],
  ])("%j", (lines, expected) => {
    expect(standing(...lines)).toBe(expected);
  });

  it("is missing if only [RED] tasks name it, said once", () => {
    const said = (...lines: readonly string[]): string[] =>
      plan("p:AC-1.2", "p:AC-1.3", "p:FR-001", ...lines).problems.map(
        ({ code, about }) => `${code} ${about}`,
      );
    expect(said("p:[RED] AC-1.1")).toEqual(["unproven-requirement AC-1.1"]);
    expect(said("o:[RED] AC-1.1")).toEqual([]);
    expect(said("h:[RED] AC-1.1")).toEqual(["unproven-requirement AC-1.1", "no-evidence 1.4"]);
    expect(said("p:[RED] AC-1.1", "h:AC-1.1")).toEqual(["no-evidence 1.5"]);
    expect(said("p:[RED] AC-1.1", "h:[VERIFY] a")).toEqual(["no-evidence 1.5"]);
  });
});
