import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { ACCEPTED, FROM_TERMINAL, planReceipt } from "./claim/receipt.ts";
import type { Entry, EventName } from "./journal.ts";
import { startLoop } from "./loop.ts";
import { planSummary, renderSummary, type RunWork, type SummaryFacts } from "./summary.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const entry = (event: EventName, task: string | undefined, more: object = {}): Entry => ({
  at: "2026-01-01T00:00:00.000Z",
  event,
  ...(task === undefined ? {} : { task }),
  loop,
  ...more,
});
const passed = {
  command: "npm test",
  outcome: "passed",
  exitCode: 0,
  milliseconds: 9,
  commit: "abc",
  tail: "",
};
const cost = { role: "spec-executor", tokens: 41_000, toolUses: 3, ms: 130_000, model: null };

const list = parseTasks(`## Phase 1: Make it work

- [x] 1.1 Parse the flag
- [x] 1.2 Print the \`name\`
- [x] V1 [VERIFY] All tests pass

## Phase 2: Polish

- [x] 2.1 Update the README
- [x] 2.2 Say it twice
`);
const entries = [
  entry("done", "1.1", { evidence: [passed] }),
  entry("returned", "1.1", { agent: "a", cost }),
  entry("done", "1.2", { evidence: [passed] }),
  entry("done", "V1", { note: "no Verify" }),
  entry("accepted", "2.1", { note: ACCEPTED }),
];
const progress = `# Progress

## Interview

- Format: JSON, as in \`list\`
1. Assumption: one key per user

## Open Questions

- Is 429 right?

## Learnings

- not this
`;
const commits = Array.from({ length: 14 }, (_, i) => ({
  commit: `${i}`.padStart(40, "a"),
  subject: `feat: ${i}`,
}));
const work: RunWork = {
  branch: "feat/x",
  from: "main",
  base: "b".repeat(40),
  head: "e".repeat(40),
  task: "1.1",
  total: 16,
  onlySpec: 2,
  commits,
};
const facts = (more: Partial<SummaryFacts> = {}): SummaryFacts => ({
  list,
  entries,
  receipt: planReceipt(list, more.entries ?? entries),
  progress,
  work,
  ...more,
});
const text = (more: Partial<SummaryFacts> = {}): string => renderSummary(planSummary(facts(more)));

describe("the summary of a run", () => {
  it("does not say that the user accepted what came from a foreign terminal", () => {
    const foreign = entry("accepted", "2.2", { note: `accepted ${FROM_TERMINAL}` });
    expect(text({ entries: [...entries, foreign] })).toContain(
      `1 accepted by you, 1 accepted ${FROM_TERMINAL}, 1 without a Verify`,
    );
    const alone = text({ entries: [...entries.slice(0, -1), foreign] });
    expect(alone).toContain(`1 accepted ${FROM_TERMINAL}`);
    expect(alone).not.toContain("accepted by you");
  });

  it("says what was built, what proves it, what it cost, and how to keep or undo it", () => {
    const shown = commits
      .slice(0, 12)
      .map(({ commit, subject }) => `- ${commit.slice(0, 9)} ${subject}`);
    expect(text().split("\n")).toEqual([
      "5 of 5 tasks done: 2 proven by their Verify, 1 accepted by you, 1 ticked by hand, 1 without a Verify.",
      "Cost: sub-agents 41k tokens, 2 min 10 s, all for execution.",
      "",
      "Built:",
      "- Phase 1: Make it work: Parse the flag; Print the `name`",
      "- Phase 2: Polish: Update the README; Say it twice",
      "",
      "Assumed for you:",
      "- one key per user",
      "",
      "16 commits in bbbbbbbbb..eeeeeeeee on feat/x (2 of them with only the spec's own files):",
      ...shown,
      "- and 2 more",
      "",
      "Open points:",
      "- 2.2 was ticked by hand, nothing proves it: Say it twice",
      "- Is 429 right?",
      "",
      "Keep: `git switch main && git merge feat/x`.",
      "Undo: `smart-ralph undo 1.1` shows what it would take back; with --yes it does. `git switch main && git branch -D feat/x` drops the branch.",
    ]);
  });

  it("takes all notes of the interview for assumptions where nobody was asked", () => {
    const quick = [...entries, entry("done", "2.2", { held: { quickMode: true } })];
    expect(planSummary(facts({ entries: quick })).assumptions).toEqual([
      "Format: JSON, as in `list`",
      "one key per user",
    ]);
  });

  it("tells a task without a Verify from one whose Verify proves nothing", () => {
    const two = parseTasks(
      "- [x] 1.1 One\n- [x] 1.2 Two\n  - **Verify**: `true`\n- [x] 1.3 Three\n  - **Verify**: look at it\n",
    );
    const own = [
      entry("done", "1.1"),
      entry("done", "1.2", { evidence: [{ ...passed, doubt: "it cannot fail" }] }),
      entry("done", "1.3", { note: "its Verify cannot be run: it is not a command" }),
    ];
    expect(text({ list: two, entries: own, receipt: planReceipt(two, own) })).toMatch(
      /^3 of 3 tasks done: 0 proven by their Verify, 1 without a Verify, 2 with a Verify that proves nothing\.\n/,
    );
  });

  it("lists what the user decided during the run, and not what they said before it", () => {
    const said = '- execution: asked about 1.2, "Which?", you decided: b';
    const notes = `## From the User\n\n- design: use c, you decided: no\n${said}\n`;
    const summary = planSummary(facts({ progress: notes }));
    expect(summary.decided).toEqual(['1.2, "Which?", you decided: b']);
    expect(renderSummary(summary)).toContain("Decided by you:");
  });

  it.each(["Assumed: x", "**Assumed**: x", "**Assumption:** x", "assumptions: x"])(
    "does not say twice that something is assumed: %s",
    (line) => {
      const { assumptions } = planSummary(facts({ progress: `## Interview\n- ${line}\n` }));
      expect(assumptions).toEqual(["x"]);
    },
  );

  it("leaves out what there is nothing to say about", () => {
    const one = parseTasks("- [x] 1.1 One\n- [ ] 1.2 Two\n");
    const said = text({
      list: one,
      entries: [],
      receipt: planReceipt(one, []),
      progress: "",
      work: undefined,
    });
    expect(said).toBe(
      "1 of 2 tasks done: 0 proven by their Verify, 1 ticked by hand.\n\nBuilt:\n- One\n\nOpen points:\n- 1.2 is open: Two\n- 1.1 was ticked by hand, nothing proves it: One",
    );
    const elsewhere = text({ work: { ...work, branch: undefined, from: undefined, commits: [] } });
    expect(elsewhere).toContain("\n\nNo commits, except of the spec's own files.\n\n");
    expect(elsewhere.split("\n").at(-1)).toMatch(/^Undo: `smart-ralph undo 1\.1`/);
  });

  it.each([
    [{ total: 14, onlySpec: 0, commits }, "14 commits in bbbbbbbbb..eeeeeeeee on feat/x:"],
    [{ total: 0, commits: [] }, "No commits on feat/x, except of the spec's own files."],
    // Not all of them were looked at.
    [{ total: 900, onlySpec: 2, commits }, "900 commits in bbbbbbbbb..eeeeeeeee on feat/x:"],
  ])("counts all commits of the range that it names: %j", (more, line) => {
    expect(text({ work: { ...work, ...more } }).split("\n")).toContain(line);
  });

  it("keeps each thing on its line, and what a shell would read as one word", () => {
    const odd = { commit: "c".repeat(40), subject: "a\n## Receipt\u001b[2J" };
    const said = text({
      work: { ...work, branch: "x;rm", task: "#3", commits: [odd] },
      progress: `## Interview\n- Assume ${"x".repeat(5000)}\n`,
    });
    expect(said).not.toMatch(/^## /m);
    expect(said).not.toContain("\u001b");
    expect(said).toContain("undo '#3'");
    expect(said).toContain("git merge 'x;rm'");
    expect(Math.max(...said.split("\n").map((line) => line.length))).toBeLessThan(450);
  });
});
