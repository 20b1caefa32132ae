import { expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { makePlace } from "./support.ts";

/** A run in a repository, and what its summary says about the branch it ends on. */
function make() {
  const place = makePlace(specum, { "specs/demo/tasks.md": "- [ ] 1.1 Write a\n" });
  const git = openRepository(place.root, place.env["HOME"] as string);
  git.git("init", "-q", "-b", "main");
  git.git("config", "user.name", "e");
  git.git("config", "user.email", "e@localhost");
  git.commit();
  const summary = (): string => {
    place.slash(["implement"]);
    git.commit({ a: "" }, "feat: a");
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    return place.run(["summary", "--verbose"]).out;
  };
  return { git, summary };
}

it("a branch under a new name is merged and dropped by that name", () => {
  const { git, summary } = make();
  git.git("switch", "-q", "-c", "feat/old");
  git.git("branch", "-m", "feat/new");
  const said = summary();
  expect(said).toContain("Keep: `git switch main && git merge feat/new`.");
  expect(said).toContain("`git switch main && git branch -D feat/new` drops the branch.");
});

it("nobody is told to drop the branch that a repository began with", () => {
  const { git, summary } = make();
  git.git("switch", "-q", "-c", "feat/other");
  git.git("switch", "-q", "main");
  const said = summary();
  expect(said).toMatch(/^1 commit in \w+\.\.\w+ on main: /m);
  expect(said).not.toContain("git branch -D");
  expect(said).not.toContain("Keep:");
});
