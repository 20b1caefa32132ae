import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { ordersFor } from "./agents.ts";
import { end, expectSilence, report } from "./claims.ts";
import { makePlace, type Place, userFileOf } from "./support.ts";

describe.each(fewOf(layouts))("$plugin: the last review", (layout) => {
  const path = `${layout.specsDirs[0]}/demo`;

  /** A run whose only task is done, and whose user wants a review. */
  function stage(
    review = "on",
    tasks = "- [ ] 1.1 First\n",
  ): { place: Place; git: Repository; base: string } {
    const place = makePlace(layout, {
      [`${path}/tasks.md`]: tasks,
      [`${path}/${layout.requirements}`]: "FR-001\n",
      [userFileOf(layout)]: `---\nreview: ${review}\n---\n`,
    });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.git("config", "user.name", "e");
    git.git("config", "user.email", "e@localhost");
    const base = git.commit();
    place.slash(["implement"]);
    git.commit({ "a.ts": "a\n" }, "feat: a");
    report(place);
    return { place, git, base };
  }

  const answer = (place: Place, text: string): void =>
    expectSilence(
      end(place, { agent_type: `${layout.plugin}:spec-reviewer`, last_assistant_message: text }),
    );
  const subject = (git: Repository): string => git.git("log", "-1", "--format=%s");
  const progress = (place: Place): string =>
    readFileSync(join(place.folder, ".progress.md"), "utf8");

  it("is asked for once, and a run that passes it ends with one commit of its outcome", () => {
    const { place, git, base } = stage();
    // Reviews of documents come before.
    answer(place, "major | x | y\nREVIEW_FAIL");
    const { reason = "", systemMessage } = place.stop();
    expect(reason).toContain(`"review": ${layout.voice.agent("spec-reviewer")}`);
    const orders = ordersFor(place, "review", { agent: "spec-reviewer" });
    const [, diff = ""] = /`git (diff [^`]+)`/.exec(orders) ?? [];
    expect(diff).toBe(`diff --no-ext-diff ${base} HEAD -- :/ ':!${path}'`);
    const args = diff.replaceAll("'", "").split(" ").slice(2);
    expect(git.git("diff", "--name-only", ...args)).toBe("a.ts");
    expect(orders).toContain(`./${path}/${layout.requirements}`);
    expect(systemMessage).toMatch(/^✓ 1\.1 reported .* · .*now a last review of the whole change$/);
    expect(subject(git)).toBe("feat: a");
    answer(place, "Good: all\nREVIEW_PASS");
    answer(place, "major | late | and not heard");
    // What was said before the review is not said again.
    expect(place.stop()).toEqual({ systemMessage: expect.stringMatching(/^[^✓]*: 1 task done/) });
    expect(place.state()).toBeUndefined();
    expect(progress(place)).toContain("\nLast review: no findings.\n");
    expect(subject(git)).toBe("docs(demo): all tasks done");
    expect(git.git("log", "--format=%s").split("\n")).toHaveLength(3);
    expect(git.git("status", "--porcelain")).toBe("");
  });

  it("is told what the user has decided, which counts more than the documents", () => {
    const { place } = stage();
    place.run(["ask", "Refuse, or take as a name?", "--task", "1.1"]);
    place.run(["answer", "1", "name"]);
    place.stop();
    expect(ordersFor(place, "review", { agent: "spec-reviewer" })).toContain(
      "\n> 1.1, question: Refuse, or take as a name?\n> The user decided: name",
    );
  });

  it("hands out what it found, and is not asked again", () => {
    const { place, git } = stage();
    place.stop();
    answer(place, "minor | a.ts | a name\nmajor | a.ts:1 | wrong letter | b\nREVIEW_FAIL");
    const { reason = "" } = place.stop();
    expect(reason).toMatch(/^Task \S+ → .*: Fix: wrong letter$/m);
    git.commit({ "a.ts": "b\n" }, "fix: wrong letter");
    const id = place.entries().at(-1)?.loop.task ?? "";
    expect(report(place, "TASK_COMPLETE", id)).toMatchObject({ ok: true });
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
    expect(progress(place)).toContain(`\nLast review: 1 finding became ${id}.\n`);
    expect(progress(place)).toContain("\nOpen points:\n- Review: minor: a.ts | a name\n");
    expect(git.git("status", "--porcelain")).toBe("");
  });

  it("does not take a fix that breaks what was proven", () => {
    const { place, git } = stage("on", "- [ ] 1.1 First\n  - **Verify**: `test -f a.ts`\n");
    place.stop();
    answer(place, "major | a.ts:1 | wrong letter | b\nREVIEW_FAIL");
    place.stop();
    const id = place.entries().at(-1)?.loop.task ?? "";
    git.git("rm", "-q", "a.ts");
    git.git("commit", "-qm", "fix: gone");
    expect(report(place, "TASK_COMPLETE", id)).toMatchObject({
      ok: false,
      refusal: expect.stringContaining("its Verify `test -f a.ts` failed"),
    });
    git.commit({ "a.ts": "b\n" }, "fix: wrong letter");
    expect(report(place, "TASK_COMPLETE", id)).toMatchObject({ ok: true });
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
  });

  it("is asked for once more if it has no verdict, and then the user is told", () => {
    const { place, git } = stage();
    place.stop();
    answer(place, "I have looked at it.");
    const { reason = "", systemMessage } = place.stop();
    expect(reason).toContain(`"review": ${layout.voice.agent("spec-reviewer")}`);
    expect(systemMessage).toContain(
      "the last review gave no verdict, so it is asked for once more",
    );
    answer(place, "Looks good to me.");
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining(
        "; the last review: it gave no verdict, so nobody has reviewed the whole change",
      ),
    });
    expect(progress(place)).toContain("\nLast review: it gave no verdict, so nobody has reviewed");
    expect(progress(place)).not.toContain("no findings");
    expect(subject(git)).toBe("docs(demo): all tasks done");
  });

  it("counts if the second answer has a verdict", () => {
    const { place } = stage();
    place.stop();
    answer(place, "REVIEW_FAIL");
    place.stop();
    answer(place, "major | a.ts:1 | wrong letter | b\nREVIEW_FAIL");
    expect(place.stop().reason).toMatch(/^Task \S+ → .*: Fix: wrong letter$/m);
  });

  it("keeps nobody who does not do it", () => {
    const { place, git } = stage();
    expect(place.stop().reason).toContain("last review");
    expect(place.stop()).toEqual({
      systemMessage: expect.stringMatching(/1 task done.*; nobody has done the last review/),
    });
    expect(progress(place)).toContain("\nLast review: no report.\n");
    expect(subject(git)).toBe("docs(demo): all tasks done");
  });

  it.each(["off", "auto"])("is left out with review: %s", (setting) => {
    const { place, git } = stage(setting);
    expect(place.stop().reason).toBeUndefined();
    expect(progress(place)).not.toContain("review");
    expect(subject(git)).toBe("docs(demo): all tasks done");
  });
});
