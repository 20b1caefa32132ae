import { describe, expect, it } from "vitest";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { defaultSettings } from "../settings.ts";
import type { Evidence } from "./evidence.ts";
import { fitEvidence, judgeEvidence, planVerification } from "./verification.ts";

const plan = (verify: string, settings: object = {}) => {
  const list = parseTasks(
    `- [ ] 1.1 one\n  - **Do**: it\n${verify === "" ? "" : `  - **Verify**: ${verify}\n`}`,
  );
  return planVerification(list, list.tasks[0] as Task, { ...defaultSettings, ...settings });
};

const commandsIn = (verify: string, settings?: object): string[] =>
  plan(verify, settings).checks.map(({ command }) => command);

describe("what is run", () => {
  it.each([
    ["`npm test`", ["npm test"], undefined],
    ["`npm run lint` and `npm test`", ["npm run lint", "npm test"], undefined],
    ["npm test -- limit", ["npm test -- limit"], undefined],
    ["Check that it looks right", [], "its Verify cannot be run: it is not a command"],
    ["", [], undefined],
    ["Manually: open the page", [], "its Verify cannot be run: it is to be done by hand"],
    [
      "`npm test || true`",
      ["npm test || true"],
      "`npm test || true` proves nothing, because it ends with `|| true`, which passes when the rest fails",
    ],
  ])("%j", (verify, commands, note) => {
    expect(commandsIn(verify)).toEqual(commands);
    expect(plan(verify).note).toBe(note);
  });

  it("only what the user allows, and says so", () => {
    expect(commandsIn("`npm test -- x`", { verifyAllow: ["npm test"] })).toEqual(["npm test -- x"]);
    expect(commandsIn("`npm test && rm -rf x`", { verifyAllow: ["npm test"] })).toEqual([]);
    expect(commandsIn("`a && b`", { verifyAllow: ["a && b"] })).toEqual(["a && b"]);
    expect(commandsIn("`npm test`", { verifyAllow: [""] })).toEqual([]);
    expect(plan("`npm testify`", { verifyAllow: ["npm test"] })).toEqual({
      checks: [],
      note: "verify_allow does not permit `npm testify`",
      barred: "npm testify",
    });
  });

  it("nothing, if evidence is off, and says so if there was something to run", () => {
    expect(plan("`npm test`", { evidence: "off" })).toEqual({
      checks: [],
      note: "its Verify was not run: evidence is off",
    });
    expect(plan("", { evidence: "off" })).toEqual({ checks: [], note: undefined });
  });
});

it("leaves room in the journal for the loop's own record, whatever a Verify prints", () => {
  const one = { outcome: "passed", exitCode: 0, milliseconds: 1, commit: "" } as const;
  const noise = '"'.repeat(50_000);
  for (const count of [1, 40]) {
    const fit = fitEvidence(
      Array.from({ length: count }, () => ({ ...one, command: noise, tail: noise })),
    );
    expect(fit).toHaveLength(count);
    expect(JSON.stringify(fit).length).toBeLessThan(48 << 10);
  }
});

describe("what the evidence says", () => {
  const task = parseTasks("- [ ] 1.1 one\n").tasks[0] as Task;
  const ran = (more: Partial<Evidence>): Evidence => ({
    command: "npm test",
    outcome: "failed",
    exitCode: 1,
    milliseconds: 1200,
    commit: "",
    tail: "",
    ...more,
  });

  it.each<[Partial<Evidence>, string]>([
    [{ tail: "1 failed\n\n---\n" }, "failed with exit code 1. Output: 1 failed"],
    [
      { tail: "not ok 1 - ten a second\n  ...\n1..1\n# tests 1\n# fail 1\n# duration_ms 212.9\n" },
      "Output: not ok 1 - ten a second",
    ],
    [{ command: "grep 'a  b' x\nls" }, "its Verify `grep 'a  b' x⏎ls` failed"],
    [{ exitCode: 127 }, "uses a command that is not installed"],
    [{ outcome: "timed-out", exitCode: null, milliseconds: 100_000 }, "took longer than 100 s"],
    [{ outcome: "unrun", exitCode: null, why: "no shell" }, "could not be run: no shell"],
  ])("%j", (more, sentence) => {
    expect(judgeEvidence(task, [ran({ outcome: "passed" }), ran(more)])).toContain(sentence);
  });

  it("nothing against it when all passed, or nothing was run", () => {
    expect(judgeEvidence(task, [ran({ outcome: "passed", exitCode: 0 })])).toBeUndefined();
    expect(judgeEvidence(task, [])).toBeUndefined();
  });
});
