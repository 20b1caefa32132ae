import { describe, expect, it } from "vitest";
import { entryOf as entry, factsOf, provenIn, ranWith } from "../../test/support/journal.ts";
import { ACCEPTED, FROM_TERMINAL } from "../run/claim/settled.ts";
import { parseTasks } from "../tasks/parse.ts";
import { renderPage } from "./page.ts";
import { planSummary, type RunWork, type SummaryFacts } from "./summary.ts";

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
  ...provenIn("1.1"),
  entry("returned", "1.1", { agent: "a", cost }),
  ...provenIn("1.2"),
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
  facts: factsOf(more.list ?? list, more.entries ?? entries),
  goal: undefined,
  progress,
  isSettled: () => false,
  work,
  ...more,
});
const text = (more: Partial<SummaryFacts> = {}): string => renderPage(planSummary(facts(more)));

describe("the summary of a run", () => {
  it("does not say that the user accepted what came from a foreign terminal", () => {
    const foreign = entry("accepted", "2.2", { note: `accepted ${FROM_TERMINAL}` });
    const said = text({ entries: [...entries, foreign] });
    expect(said).toContain("5 of 5 tasks done: 2 proven, 2 accepted, 1 reported.");
    expect(said).not.toContain("by you");
  });

  it("says what was built, what proves it, what it cost, and how to keep or undo it", () => {
    const shown = commits
      .slice(0, 12)
      .map(({ commit, subject }) => `- ${commit.slice(0, 9)} ${subject}`);
    expect(text().split("\n")).toEqual([
      "5 of 5 tasks done: 2 proven, 1 accepted, 2 reported.",
      "Cost: sub-agents 41k tokens, 2 min 10 s, all for execution; the main agent's own tokens are not counted.",
      "",
      "Built:",
      "- Phase 1: Make it work: Parse the flag; Print the `name`",
      "- Phase 2: Polish: Update the README; Say it twice",
      "",
      "Not proven:",
      "- V1 reported: no Verify",
      "- 2.2 reported: ticked by hand",
      "",
      "Assumed for you:",
      "- one key per user",
      "",
      "16 commits in bbbbbbbbb..eeeeeeeee on feat/x (2 of them with only the spec's own files):",
      ...shown,
      "- … and 2 more",
      "",
      "Open points:",
      "- Is 429 right?",
      "",
      "Keep: `git switch main && git merge feat/x`.",
      "Undo: `smart-ralph undo 1.1` shows what it would take back; with --yes it does. `git switch main && git branch -D feat/x` drops the branch.",
    ]);
  });

  it("does not count fixes among what was built", () => {
    const fixed = parseTasks(
      "- [x] 1.1 Print it\n- [x] 1.1.1 [FIX 1.1] Fix: Print it\n- [x] 1.2 Fix: FR-3 is **not met**\n- [x] 1.3 Fix: a user's own words\n",
    );
    const note = "1 finding became 1.2\nminor: it became 1.3";
    const own = [entry("reviewed", undefined, { note })];
    const { built } = planSummary(facts({ list: fixed, entries: own }));
    expect(built.flatMap(({ tasks }) => tasks)).toEqual(["Print it", "Fix: a user's own words"]);
  });

  it("names whole titles of what was built, and cuts no mark of Markdown in half", () => {
    const title = `Say **${"many words ".repeat(30)}** at \`once\``;
    const long = parseTasks(
      Array.from({ length: 5 }, (_, i) => `- [x] 1.${i} ${title}\n`).join(""),
    );
    const said = text({ list: long, entries: [] });
    expect(said).toMatch(/(?:words|many)…; … and 3 more\n/);
    expect(said).not.toContain("**");
  });

  it("says which tasks needed more than one attempt, and why", () => {
    const note = "1.2 is not done: its Verify `npm test` failed with exit code 1. Fix the cause.";
    const refusals = ["1.2", "V1", "1.2"].map((task) => entry("refused", task, { note }));
    expect(text({ entries: [...refusals, ...entries] })).toContain(
      "\n\nSetbacks:\n- 1.2 needed 3 attempts: its Verify failed, twice\n- V1 needed 2 attempts: ",
    );
  });

  it("lists no point that the work has settled", () => {
    const notes = "## Open Questions\n\n- tasks: RISK: 1.1 is slow\n- Is 429 right?\n";
    const { openPoints } = planSummary(
      facts({ progress: notes, isSettled: (point) => point === "tasks: RISK: 1.1 is slow" }),
    );
    expect(openPoints).toEqual(["Is 429 right?"]);
  });

  it("cuts the question of a decision, and keeps the answer", () => {
    const asked = `- execution: asked about 1.2, "${"Which of them ".repeat(20)}", you decided: the second one`;
    const said = text({ progress: `## From the User\n\n${asked}\n` });
    expect(said).toMatch(/^- 1\.2, "Which of them .*…", you decided: the second one$/m);
  });

  it("takes all notes of the interview for assumptions where nobody was asked", () => {
    const quick = [...entries, entry("done", "2.2", { held: { quickMode: true } })];
    expect(planSummary(facts({ entries: quick })).assumptions).toEqual([
      "Format: JSON, as in `list`",
      "one key per user",
    ]);
  });

  it("says why a task is less than proven, and nothing about what is so by design", () => {
    const many = parseTasks(
      "- [x] 1.1 One\n- [x] 1.2 Two\n  - **Verify**: `true`\n- [x] 1.3 Three\n  - **Verify**: `npm test`\n- [x] 1.4 Four\n  - **Verify**: `npm test`\n- [x] 1.5 [VERIFY] Five\n  - **Verify**: `npm test`\n",
    );
    const done = { evidence: [ranWith("passed")], commits: ["abcdef0123456789"] };
    const own = [
      entry("done", "1.1"),
      entry("done", "1.2", { evidence: [ranWith("passed", { command: "true" })] }),
      ...["1.3", "1.4"].flatMap((id) => [
        entry("before", id, { evidence: [ranWith("passed")] }),
        entry("done", id, done),
      ]),
      entry("done", "1.5", done),
    ];
    const said = text({ list: many, entries: own });
    expect(said).toMatch(/^5 of 5 tasks done: 4 checked, 1 reported\.\n/);
    expect(said).toContain(
      "Not proven:\n- 1.1 reported: no Verify\n- 1.2 checked: its Verify proves nothing: `true` does the same whether the task is done or not\n- 1.3, 1.4 checked: its Verify passed before the work\n\n",
    );
  });

  it("does not tell as assumed or open what the user was asked in the same words, and decided", () => {
    const said =
      '- execution: asked about 1.2, "Are unknown options refused, or names?", you decided: names';
    const points =
      "## Interview\n\n- Assumed: are unknown options refused\n- Assumed: no options at all\n\n" +
      "## Open Questions\n\n- tasks: OPEN: unknown options refused, or names\n- tasks: OPEN: unknown options\n";
    const notes = `${points}\n## From the User\n\n${said}\n`;
    const { assumptions, openPoints } = planSummary(facts({ progress: notes }));
    expect(assumptions).toEqual(["no options at all"]);
    expect(openPoints).toEqual(["tasks: OPEN: unknown options"]);
  });

  it("lists what the user decided during the run, and not what they said before it", () => {
    const said = '- execution: asked about 1.2, "Which?", you decided: b';
    const notes = `## From the User\n\n- design: use c, you decided: no\n${said}\n`;
    const summary = planSummary(facts({ progress: notes }));
    expect(summary.decided).toEqual(['1.2, "Which?", you decided: b']);
    expect(renderPage(summary)).toContain("Decided by you:");
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
      progress: "",
      work: undefined,
    });
    expect(said).toBe(
      "1 of 2 tasks done: 1 reported.\n\nBuilt:\n- One\n\nNot proven:\n- 1.1 reported: ticked by hand\n\nOpen points:\n- 1.2 is open: Two",
    );
    const elsewhere = text({ work: { ...work, branch: undefined, from: undefined, commits: [] } });
    expect(elsewhere).toContain("\n\nNo commits, except of the spec's own files.\n\n");
    expect(elsewhere.split("\n").at(-1)).toMatch(/^Undo: `smart-ralph undo 1\.1`/);
    const none = parseTasks("- [ ] 1.1 One\n");
    const nothing = text({ list: none, entries: [], work: { ...work, commits: [] } });
    expect(nothing).not.toMatch(/Keep:|Undo:/);
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
