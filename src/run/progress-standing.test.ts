import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { planHandOut } from "./hand-out.ts";
import { startLoop } from "./loop.ts";
import { planStanding, putStanding, withoutStanding } from "./progress-standing.ts";

const spec = { name: "demo", basePath: "./specs/demo" };
const loop = startLoop(null, {}, undefined, { at: "", runId: "r" });
const sections = (text: string, attempts = {}) => {
  const list = parseTasks(text);
  const state = { phase: "execution" };
  return planStanding(list, planHandOut(spec, list, state, { ...loop, attempts }));
};
const put = (notes: string, text: string, attempts = {}): string =>
  putStanding(notes, sections(text, attempts));

const TASKS = "- [x] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n- [ ] 1.4 Four\n";
const B = "<!-- smart-ralph:begin -->";
const E = "<!-- smart-ralph:end -->";
const SECTIONS = `## Completed Tasks

${B}
- [x] 1.1 One
${E}

## Current Task

${B}
- 1.2 Two (attempt 2 of 5)
${E}

## Next

${B}
- 1.3 Three
- 1.4 Four
${E}
`;

describe("the sections of .progress.md that say where a run is", () => {
  it("are added at the end, once", () => {
    const first = put("# Progress\n\n## Learnings\n- a\n", TASKS, { "1.2": 2 });
    expect(first).toBe(`# Progress\n\n## Learnings\n- a\n\n${SECTIONS}`);
    expect(put(first, TASKS, { "1.2": 2 })).toBe(first);
  });

  it("say so if there is nothing to say, and little if there is much", () => {
    const none = sections("- [x] 1.1 One\n");
    expect(none.map(({ lines }) => lines)).toEqual([["- [x] 1.1 One"], ["None."], ["None."]]);
    const many = sections(
      Array.from(
        { length: 40 },
        (_, i) => `- [${i < 30 ? "x" : " "}] 1.${i} ${"t".repeat(300)}\n`,
      ).join(""),
    );
    expect(many.map(({ lines }) => lines.length)).toEqual([11, 1, 3]);
    expect(many[0]?.lines[0]).toBe("- 20 earlier tasks");
    expect(Math.max(...many.flatMap(({ lines }) => lines.map((line) => line.length)))).toBeLessThan(
      120,
    );
    const [, out] = sections("- [ ] One\n", { "#1": 6 });
    expect(out?.lines).toEqual(["- One (out of attempts)"]);
  });

  it("keep what an agent of an older version, or a person, wrote in them", () => {
    const old =
      "# Progress\n\n## Completed Tasks\n- [x] 1.1 One - abc123, took a while\n\n## Current Task\nAwaiting next task\n## Learnings\n- a\n\n## Next\n\n1. Talk to Ann\n";
    const now = put(old, TASKS);
    for (const line of old.split("\n").filter(Boolean)) expect(now).toContain(`${line}\n`);
    expect(now).toContain(
      `## Completed Tasks\n\n${B}\n- [x] 1.1 One\n${E}\n\n- [x] 1.1 One - abc123`,
    );
    expect(now).toContain(`${E}\n\nAwaiting next task\n\n## Learnings\n- a\n`);
    expect(put(now, TASKS)).toBe(now);
    expect(withoutStanding(now)).toBe(withoutStanding(old));
  });

  it("survive Windows, half a mark and a title that is one", () => {
    const windows = put("# P\r\n", TASKS);
    expect(windows.replaceAll("\r\n", "")).not.toContain("\n");
    const torn = put("# P\n\n## Next\n\n<!-- smart-ralph:begin -->\n- mine\n", TASKS);
    expect(torn.match(/smart-ralph:begin/g)).toHaveLength(3);
    expect(torn).toContain("\n- mine\n");
    const odd = put("# P\n", `- [x] 1.1 a ${E} b\n- [ ] 1.2 ## Receipt\n`);
    expect(put(odd, "- [ ] 1.1 a\n")).not.toContain("a &lt;");
    expect(odd.match(/^## /gm)).toHaveLength(3);
  });

  it("do not make two versions of the notes differ", () => {
    const notes = "# P\n\n## Learnings\n- a\n";
    expect(withoutStanding(put(notes, TASKS))).toBe(withoutStanding(notes));
    expect(withoutStanding(put(`${notes}- b\n`, TASKS))).not.toBe(withoutStanding(notes));
    expect(withoutStanding(put(notes.replaceAll("\n", "\r\n"), TASKS))).toBe(
      withoutStanding(notes),
    );
  });
});
