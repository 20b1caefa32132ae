import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { reasonOf, tellPlace, tellRefusals, tellVerdicts } from "./event-lines.ts";
import { planHandOut } from "./hand-out.ts";
import type { Entry } from "./journal.ts";
import { startLoop } from "./loop.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const entry = (event: Entry["event"], task: string, more: Partial<Entry> = {}): Entry => ({
  at: "2026-01-01T00:00:00Z",
  event,
  task,
  loop,
  ...more,
});
const ran = (command: string, milliseconds: number, outcome: "passed" | "failed" = "passed") =>
  ({ command, outcome, exitCode: 0, milliseconds, commit: "", tail: "" }) as const;
const proven = { verdict: { class: "proven", weakness: null, design: null } } as const;
const tell = (...entries: Entry[]): string => tellVerdicts(entries, 5).join(" · ");

describe("what happened to a task", () => {
  it("was proven, by what and how long it took", () => {
    expect(tell(entry("done", "2.3", { ...proven, evidence: [ran("npm test", 2100)] }))).toBe(
      "✓ 2.3 proven (npm test, 2.1 s)",
    );
    expect(tell(entry("done", "2.3", { ...proven, evidence: [ran("a", 10), ran("b", 20)] }))).toBe(
      "✓ 2.3 proven (a and 1 more)",
    );
  });

  it("was only checked, and why; older versions did not say which", () => {
    const verdict = { class: "checked", weakness: "it was green", design: null } as const;
    const evidence = [ran("npm test", 10)];
    expect(tell(entry("done", "2.3", { verdict, evidence }))).toBe(
      "✓ 2.3 checked (npm test; it was green)",
    );
    expect(tell(entry("done", "2.3", { evidence }))).toBe("✓ 2.3 done (npm test)");
  });

  it("had nothing to run, or is the user's word", () => {
    expect(tell(entry("done", "1.1"), entry("accepted", "1.2"))).toBe(
      "✓ 1.1 reported (nothing to run) · ✓ 1.2 accepted by you",
    );
  });

  it("was refused, and why, and which attempt it is", () => {
    const note = "2.3 is not done: its Verify `npm test` failed: expected 200, got 429.";
    expect(tell(entry("refused", "2.3", { note }))).toBe(
      "✗ 2.3 refused: its Verify `npm test` failed: expected 200, got 429 · attempt 1 of 5",
    );
    const later = { ...loop, attempts: { "2.3": 3 } };
    expect(tell(entry("failed", "2.3", { note: "no port", loop: later }))).toBe(
      "✗ 2.3 failed: no port · attempt 2 of 5",
    );
  });

  it("was refused before it was proven", () => {
    const refused = entry("refused", "2.3", { note: "a lie" });
    expect(
      tell(refused, refused, entry("done", "2.3", { ...proven, evidence: [ran("x", 1)] })),
    ).toBe("✓ 2.3 proven (x) after 2 refusals (a lie)");
  });

  it("leaves out the advice to the agent, however long the reason is", () => {
    const note = `2.3 is not done: ${"why ".repeat(35)}so. Fix the cause, then report again.`;
    expect(tell(entry("refused", "2.3", { note }))).toMatch(/ why so · attempt 1 of 5$/);
  });

  it("fits on a line, however many there are", () => {
    const many = Array.from({ length: 9 }, (_, i) => entry("done", `1.${i}`));
    expect(tell(...many)).toMatch(/✓ 1\.3 .* · and 5 more tasks$/);
    expect(tell(entry("failed", "1.1", { note: "x".repeat(9999) })).length).toBeLessThan(250);
  });

  it("says nothing about what is not a verdict", () => {
    expect(tell(entry("before", "1.1"), entry("delegated", "1.1"))).toBe("");
  });
});

it("says where the run is", () => {
  const at = (text: string): string =>
    tellPlace(planHandOut({ name: "d", basePath: "./d" }, parseTasks(text), {}, loop));
  expect(at("- [x] 1.1 one\n- [ ] 1.2 Write the parser\n")).toBe(
    "1 of 2 · next 1.2 Write the parser",
  );
  expect(at("- [ ] 1.1 [P] one\n- [ ] 1.2 [P] two\n")).toBe("0 of 2 · next 1.1, 1.2");
});

it("counts refusals", () => {
  const refused = entry("refused", "1.1", { note: "not committed" });
  expect(tellRefusals([refused, entry("done", "1.1"), refused])).toBe(
    "2 reports refused; last: 1.1: not committed",
  );
  expect(tellRefusals([])).toBe("");
});

it("a reason leaves out what only an agent can do", () => {
  const note =
    "1.2 is not done: its Verify `x` failed with exit code 1. Fix the cause, then report again.";
  expect(reasonOf("1.2", note)).toBe("its Verify `x` failed with exit code 1");
  expect(reasonOf("1.2", `1.2 is not done: ${"y".repeat(200)}. Fix the cause.`)).toMatch(/^y+…$/);
});
