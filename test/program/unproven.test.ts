import { copyFileSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { end, report, tickByHand } from "./claims.ts";
import { begin, refusalOf, TWO } from "./commit-run.ts";
import { type Place, SESSION } from "./support.ts";

describe("a link in place of a file", () => {
  const link = (place: Place, target: string, name = "a.txt"): void =>
    symlinkSync(target, join(place.root, name));

  it("is not the task's work, if it leads out of the repository", () => {
    const { place, write, commit } = begin();
    write({ "../elsewhere.txt": "1" });
    link(place, "../elsewhere.txt");
    commit();
    expect(refusalOf(place)).toMatch(
      /^1\.1 made a\.txt a link to \S+elsewhere\.txt, which is outside of the repository or an absolute path: .* Put the file itself there, or link to a file that is committed, then report again\.$/,
    );
    unlinkSync(join(place.root, "a.txt"));
    commit({ "a.txt": "1" });
    expect(report(place)).toMatchObject({ ok: true });
  });

  it.each([
    ["to what git ignores", "made/a.txt"],
    ["through another one", "made/link.txt"],
    ["to nothing", "nowhere.txt"],
  ])("is not, if it leads %s", (_, target) => {
    const { place, commit, write } = begin("- [ ] 1.1 Write it\n- [ ] 1.2 Then this\n", {
      files: { ".gitignore": "made/\n" },
    });
    write({ "made/a.txt": "1" });
    link(place, "a.txt", "made/link.txt");
    link(place, target);
    commit();
    expect(refusalOf(place)).toMatch(/^1\.1 made a\.txt a link to \S+, which git does not track: /);
  });

  it("is not, even if git ignores the link itself, and the task lists it", () => {
    const { place, write } = begin("- [ ] 1.1 Write it\n  - **Files**: out/a.txt\n- [ ] 1.2 b\n", {
      files: { ".gitignore": "out\n" },
    });
    write({ "../out/a.txt": "1" });
    link(place, "../out", "out");
    expect(refusalOf(place)).toMatch(/^1\.1 made out a link to /);
  });

  it("is fine to what is committed, and nobody answers for an older one", () => {
    const { place, commit } = begin(TWO, {
      before: (git) => {
        symlinkSync("/", join(git.root, "old"));
        git.commit();
      },
    });
    link(place, "mine.txt");
    link(place, "specs", "all");
    commit();
    expect(report(place)).toMatchObject({ ok: true });
  });
});

describe("a git that does not answer", () => {
  /** Returns what makes it answer again. */
  function breakGit(place: Place): () => void {
    const index = join(place.root, ".git/index");
    copyFileSync(index, join(place.root, "../index"));
    writeFileSync(index, "garbage");
    return () => copyFileSync(join(place.root, "../index"), index);
  }

  it("lets no claim pass, and costs no attempt", () => {
    const { place, commit } = begin();
    commit({ "a.txt": "1" });
    const repair = breakGit(place);
    expect(refusalOf(place)).toMatch(/^1\.1 could not be checked: .+\. Report it again\./);
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    for (let i = 0; i < 5; i++)
      expect(end(place).out).toMatch(i < 2 ? /could not be checked/ : /^$/);
    expect(place.entries().map(({ event }) => event)).not.toContain("failed");
    expect(place.entries().at(-1)?.loop.attempts).toEqual({});
    repair();
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("leaves a box that was ticked by hand for the next stop, and holds nobody", () => {
    const { place, commit } = begin();
    commit({ "a.txt": "1" });
    tickByHand(place, "1.1");
    const repair = breakGit(place);
    const stopped = place.stop({ session_id: SESSION });
    expect(stopped.reason).toBeUndefined();
    expect(place.entries().map(({ event }) => event)).not.toContain("done");
    repair();
    expect(place.stop({ session_id: SESSION }).reason).toContain("1.2");
    expect(place.tasks()).toContain("- [x] 1.1 ");
  });

  it("does not finish a run", () => {
    const { place, commit } = begin("- [ ] 1.1 Write it\n  - **Verify**: `test -f a.txt`\n");
    commit({ "a.txt": "1" });
    expect(report(place)).toMatchObject({ ok: true });
    const repair = breakGit(place);
    expect(place.stop({ session_id: SESSION }).reason).toBeUndefined();
    expect(place.state()).toBeDefined();
    repair();
    expect(place.stop({ session_id: SESSION }).systemMessage).toContain("1 task done");
  });
});

it("a repository that is taken away makes no claim pass", () => {
  const { place, write } = begin();
  write({ "a.txt": "1" });
  renameSync(join(place.root, ".git"), join(place.root, "gone"));
  expect(refusalOf(place)).toBe(
    "1.1 could not be checked: its repository is gone. Report it again. If git status fails for you too, say what it says.",
  );
});
