import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { vaultOf } from "../support/ticket.ts";
import { IDLE } from "./claims.ts";
import { makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

const TWO = `## Phase 1: Make it work

- [ ] 1.1 Write a
  - **Verify**: \`test -f a\`
- [ ] 1.2 Tell people
`;

/** A project on a branch of its own, in which the list is under git. */
function stageRun(): { place: Place; git: Repository } {
  const place = makePlace(specum, { "specs/demo/tasks.md": TWO });
  const git = openRepository(place.root, place.env["HOME"] as string);
  git.git("init", "-q", "-b", "main");
  git.git("config", "user.name", "e");
  git.git("config", "user.email", "e@localhost");
  git.commit();
  git.git("switch", "-q", "-c", "feat/demo");
  place.slash(["implement"]);
  return { place, git };
}

const progressOf = (place: Place): string =>
  readFileSync(join(place.folder, ".progress.md"), "utf8");

describe("summary", () => {
  it("is written and committed when a run ends, and told from then on", () => {
    const { place, git } = stageRun();
    const base = git.git("rev-parse", "HEAD").slice(0, 9);
    const work = git.commit({ a: "" }, "feat: a").slice(0, 9);
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    expect(place.run(["summary"]).out).toContain("1 of 2 tasks done: 1 proven.\n");
    place.run(["done", "1.2", "--report", IDLE]);
    expect(git.git("log", "-1", "--format=%s")).toBe("feat: a");
    expect(place.stop().systemMessage).toContain("; summary and receipt are in .progress.md");
    expect(place.state()).toBeUndefined();

    const said = [
      "2 of 2 tasks done: 1 proven, 1 reported.",
      "",
      "Built:",
      "- Phase 1: Make it work: Write a; Tell people",
      "",
      "Not proven:",
      "- 1.2 reported: nothing was changed: it was there before",
      "",
      `1 commit in ${base}..${work} on feat/demo:`,
      `- ${work} feat: a`,
      "",
      "Keep: `git switch main && git merge feat/demo`.",
      "Undo: `smart-ralph undo 1.1` shows what it would take back; with --yes it does. `git switch main && git branch -D feat/demo` drops the branch.",
    ].join("\n");
    expect(progressOf(place)).toContain(`## Summary\n\n${said}\n`);
    expect(place.run(["summary"]).out).toBe(
      `2 of 2 tasks done: 1 proven, 1 reported.

   task             class     attempts  commit
✓  1.1 Write a      proven    1         ${work}
○  1.2 Tell people  reported  1

Not proven: 1.2 reported: nothing was changed: it was there before

${said.slice(said.indexOf("Keep: "))}
`,
    );
    expect(place.run(["status"]).out).toContain("→ ralph-specum summary shows what was built");
    expect(place.json(["summary"])).toMatchObject({
      counts: { total: 2, proven: 1 },
      work: { branch: "feat/demo", from: "main", commits: [{ subject: "feat: a" }] },
    });
    expect(git.git("log", "-1", "--format=%s")).toBe("docs(demo): all tasks done");
    expect(git.git("status", "--porcelain")).toBe("");
    // What it says about undoing is true.
    place.run(["undo", "1.1", "--yes"]);
    expect(git.git("rev-parse", "--short=9", "HEAD")).toBe(base);
  });

  it("is what the run left, in a clone without a journal", () => {
    const { place } = stageRun();
    for (const id of ["1.1", "1.2"]) place.slash(["accept", id]);
    place.stop();
    const [, said = ""] = /## Summary\n\n([\s\S]*?)\s*(?:\n## |$)/.exec(progressOf(place)) ?? [];
    expect(said).toContain("2 accepted");
    rmSync(vaultOf(place.env["HOME"] as string), { recursive: true });
    rmSync(join(place.folder, specum.journalFile));
    expect(place.run(["summary"]).out).toBe(
      `2 of 2 tasks done: 2 accepted.\n\nAs its run left it in .progress.md:\n\n${said}\n`,
    );
  });

  it("needs no git: $plugin", () => {
    const place = startPlace(layout);
    for (const id of ["1.1", "1.2", "1.3"]) place.slash(["accept", id]);
    place.stop();
    expect(progressOf(place)).toContain("## Summary\n\n3 of 3 tasks done: 3 accepted.\n\nBuilt:\n");
  });
});

it("is written by resume, if the session was killed just before the end", () => {
  const { place, git } = stageRun();
  for (const id of ["1.1", "1.2"]) place.slash(["accept", id]);
  expect(place.slash(["resume"]).out).toContain("Nothing to do");
  expect(place.state()).toBeUndefined();
  expect(progressOf(place)).toContain("## Summary\n\n2 of 2 tasks done");
  expect(git.git("log", "-1", "--format=%s")).toBe("docs(demo): all tasks done");
});

it("is written for a run that an older version began, too", () => {
  const { place } = stageRun();
  for (const id of ["1.1", "1.2"]) place.slash(["accept", id]);
  // Older versions did not record what is ready.
  const vault = vaultOf(place.env["HOME"] as string);
  const files = readdirSync(vault, { recursive: true, encoding: "utf8" });
  const path = join(vault, files.find((name) => name.endsWith("journal.jsonl")) ?? "");
  const old = readFileSync(path, "utf8").replace(/,"(?:ready|boxes)":(?:null|"[^"]*")/g, "");
  writeFileSync(path, old);
  expect(place.stop().systemMessage).toContain("; summary and receipt are in .progress.md");
  expect(progressOf(place)).toContain("## Summary\n\n2 of 2 tasks done");
});
