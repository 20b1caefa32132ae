import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { expectRefused, IDLE, placeWith, report, tickByHand } from "./claims.ts";
import { stageWith } from "./proofs.ts";
import { makePlace, type Place, startPlace, TASKS, userFileOf } from "./support.ts";

it("evidence is coloured whole, and an open task has no empty lines below it", () => {
  const { out } = startPlace(specum).run(["evidence", "1.1"], { env: { FORCE_COLOR: "1" } });
  // eslint-disable-next-line no-control-regex -- the colours are what is looked for
  expect(out.replace(/\u001b\[\d+m/g, "")).toMatch(/^· 1\.1 [^\n[]+: open\n$/);
});

describe("settings", () => {
  it("verify_allow: only what begins so is run, and what is not is said", () => {
    const settings = "verify_allow: [touch a, npm test]";
    const allowed = placeWith(specum, "`touch a.txt b.txt`", "verify_allow: [touch a.txt]");
    expect(report(allowed)).toMatchObject({ ok: true, evidence: [{ outcome: "passed" }] });

    for (const command of ["touch a && touch b.txt", "touch a; touch b.txt", "touch abc"]) {
      const place = placeWith(specum, `\`${command}\``, settings);
      const note = `verify_allow does not permit \`${command}\``;
      const refused = report(place);
      expect(refused).toMatchObject({ ok: false, evidence: [] });
      expect(refused["refusal"]).toContain(note);
      expect(existsSync(join(place.root, "b.txt"))).toBe(false);
      expect(existsSync(join(place.root, "abc"))).toBe(false);
    }
  });

  it("evidence: recorded notes a failure and accepts", () => {
    const place = placeWith(specum, "`exit 4`", "evidence: recorded");
    expect(report(place)).toMatchObject({
      ok: true,
      evidence: [{ outcome: "failed", exitCode: 4 }],
    });
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expect(place.run(["evidence"]).out).toContain("`exit 4` failed");
  });

  it("evidence: off runs nothing, and neither the answer nor the receipt says that there was nothing", () => {
    const place = placeWith(specum, "`touch ran.txt`", "evidence: off");
    const note = "its Verify was not run: evidence is off";
    expect(report(place)).toMatchObject({ ok: true, evidence: [], notes: [note] });
    expect(existsSync(join(place.root, "ran.txt"))).toBe(false);
    const { out } = place.run(["evidence"]);
    expect(out).toContain(note);
    expect(out).not.toContain("no Verify");
  });
});

it("does not count what cannot fail as proof", () => {
  const place = placeWith(specum, "`test -f made || true`");
  const note = "`test -f made || true` proves nothing, because";
  expect(report(place)["notes"]).toContainEqual(expect.stringContaining(note));
  const counts = { done: 1, proven: 0, checked: 1 };
  expect(place.json(["status"])).toMatchObject({ done: 1, counts });
  expect(place.json(["trace"])).toMatchObject({ counts: { proven: 0, tasks: counts } });
  report(place, "TASK_COMPLETE", "1.2");
  expect(place.stop().systemMessage).toContain(
    "all 2 tasks done in 1 turn; 1 checked, 1 reported;",
  );
});

it("what is proven stays so when the journal outgrows what is read of it", () => {
  const { place, git } = stageWith({
    "specs/demo/tasks.md": "- [ ] 1.1 First\n  - **Verify**: `test -f a.txt`\n- [ ] 1.2 Second\n",
    [userFileOf(specum)]: "---\nverify_timeout: 9999999\n---\n",
  });
  place.slash(["implement", "demo"]);
  git.commit({ "a.txt": "" });
  expect(report(place)).toMatchObject({ ok: true, evidence: [{ outcome: "passed" }] });
  const journal = join(place.folder, specum.journalFile);
  const filler = `${JSON.stringify({ note: "x".repeat(1000) })}\n`.repeat(33 << 10);
  writeFileSync(journal, filler + readFileSync(journal, "utf8"));
  expect(place.json(["trace", "--check"])).toMatchObject({
    ok: true,
    counts: { tasks: { proven: 1 } },
  });
});

describe("files of the spec that git tracks", () => {
  /** `before` is the state that the documents were written with. */
  function repositoryPlace(
    tasks = TASKS,
    before?: object,
  ): {
    place: Place;
    git: ReturnType<typeof openRepository>;
  } {
    const design = "specs/demo/design.md";
    const place = makePlace(specum, {
      [design]: "old\n",
      "specs/demo/tasks.md": tasks,
      "specs/demo/.progress.md": "# Progress\n",
    });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    if (before !== undefined) git.write({ "specs/demo/.ralph-state.json": JSON.stringify(before) });
    place.slash(["implement"]);
    return { place, git };
  }

  it("are committed with the receipt when all is done, and nothing else is", () => {
    const { place, git } = repositoryPlace("- [ ] 1.1 Only\n");
    git.git("config", "user.name", "e");
    git.git("config", "user.email", "e@localhost");
    git.write({ "specs/other.txt": "not ours\n" });
    place.slash(["accept", "1.1"]);
    place.stop();
    expect(git.git("log", "-1", "--format=%s")).toBe("docs(demo): all tasks done");
    expect(git.git("show", "--format=", "--name-only").split("\n")).toEqual([
      "specs/demo/.progress.md",
      "specs/demo/receipt.json",
      "specs/demo/tasks.md",
    ]);
    expect(git.git("status", "--porcelain")).toBe("?? specs/other.txt");
  });

  it("are left alone at the end if the list is not under git, or the run does not want it", () => {
    const untracked = repositoryPlace("- [ ] 1.1 Only\n");
    untracked.git.git("rm", "--cached", "-q", "specs/demo/tasks.md");
    untracked.git.git("commit", "-q", "-m", "without the list");
    const before = untracked.git.git("rev-parse", "HEAD");
    expect(report(untracked.place, IDLE)).toMatchObject({ ok: true });
    expect(untracked.git.git("rev-parse", "HEAD")).toBe(before);

    const unwanted = repositoryPlace("- [ ] 1.1 Only\n", { commitSpec: false });
    unwanted.git.git("config", "user.name", "e");
    unwanted.git.git("config", "user.email", "e@localhost");
    const head = unwanted.git.git("rev-parse", "HEAD");
    expect(report(unwanted.place, IDLE)).toMatchObject({ ok: true });
    expect(unwanted.git.git("rev-parse", "HEAD")).toBe(head);
  });

  it("must be committed, if the run requires that", () => {
    const { place, git } = repositoryPlace();
    git.write({ "specs/demo/design.md": "new\n" });
    expectRefused(
      place,
      /^1\.1 is not committed: specs\/demo\/design\.md\. Run `git add -- specs\/demo\/design\.md && git commit -m '1\.1 First' -- specs\/demo\/design\.md`, then/,
    );
    git.commit();
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("may be new; the boxes are ours, the notes belong to the commit", () => {
    const { place, git } = repositoryPlace();
    git.write({ "specs/demo/notes.md": "x" });
    tickByHand(place, "1.1");
    expect(report(place)).toMatchObject({ ok: true });
    git.write({ "specs/demo/.progress.md": "# Progress\n\nmore\n" });
    expectRefused(place, /^1\.2 is not committed: specs\/demo\/\.progress\.md\./, undefined, "1.2");
  });

  it("may be left as they are with commitSpec: false", () => {
    const { place, git } = repositoryPlace(TASKS, { commitSpec: false });
    git.write({ "specs/demo/design.md": "new\n" });
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("must be committed all the same after somebody wrote commitSpec: false into the state", () => {
    const { place, git } = repositoryPlace();
    const state = join(place.folder, specum.stateFile);
    writeFileSync(state, JSON.stringify({ ...place.state(), commitSpec: false }));
    git.write({ "specs/demo/design.md": "new\n" });
    expectRefused(place, /is not committed/);
  });

  it("are one thing, what a task changed elsewhere another: it is noted, also while its group works", () => {
    const { place, git } = repositoryPlace(
      "- [ ] 1.1 [P] One\n  - **Files**: a.txt\n- [ ] 1.2 [P] Two\n  - **Files**: b.txt\n",
    );
    git.write({ "a.txt": "1", "extra.txt": "1" });
    const notes = ["it also changed extra.txt"];
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true, notes });
    // That its neighbour is done does not make what was changed so far the neighbour's alone.
    git.commit();
    expect(report(place)).toMatchObject({ ok: true, notes });
  });

  it("and the commit that Verify ran at is in the evidence, also when git has packed its refs", () => {
    const { place, git } = repositoryPlace(
      "- [ ] 1.1 First\n  - **Verify**: `true`\n- [ ] 1.2 Second\n",
    );
    const commit = git.commit({ "a.txt": "" });
    git.git("pack-refs", "--all");
    expect(report(place)["evidence"]).toMatchObject([{ commit }]);
  });
});

describe.each(layouts)("$plugin", (layout) => {
  it("done twice changes nothing the second time, and runs nothing", () => {
    const place = placeWith(layout, "`test -f gone.txt`");
    writeFileSync(join(place.root, "gone.txt"), "");
    report(place);
    rmSync(join(place.root, "gone.txt"));
    const [tasks, count] = [place.tasks(), place.entries().length];
    expect(report(place)).toMatchObject({ code: 0, ok: true, already: true });
    expect(report(place, "nonsense")).toMatchObject({ code: 0, already: true });
    expect(place.tasks()).toBe(tasks);
    expect(place.entries()).toHaveLength(count);
  });

  it("does not take a report for done that was taken back since", () => {
    const place = placeWith(layout, "`test -f gone.txt`");
    writeFileSync(join(place.root, "gone.txt"), "");
    report(place);
    rmSync(join(place.root, "gone.txt"));
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().replace("[x] 1.1", "[ ] 1.1"));
    expectRefused(place, /is not done/);
    tickByHand(place, "1.1");
    expectRefused(place, /is not done/);
  });

  it("evidence and the receipt tell what proves each task", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]: `- [ ] 1.1 [P] First
  - **Files**: a
  - **Verify**: \`test -f a | cat\`
- [ ] 1.2 [P] Second
  - **Files**: b
  - **Verify**: by eye
- [ ] 1.3 [VERIFY] Third
`,
      [`${layout.specsDirs[0]}/demo/.progress.md`]:
        "# Progress\n\n## Receipt\n\nold\n\n## Notes\n\nkept\n",
    });
    place.run(["fail", "1.1", "--reason", "no luck"]);
    report(place, "Hm.");
    report(place);
    expect(place.run(["evidence"]).out.split("\n")).toEqual([
      expect.stringMatching(
        /^~ 1\.1 First: checked: `test -f a \| cat` passed.*; its Verify proves nothing: a pipeline .* \(3 attempts, 1 refused/,
      ),
      "· 1.2 Second: open",
      "· 1.3 Third: open",
      "",
    ]);
    const [line] = place.json(["evidence", "1.1"])["tasks"] as [Record<string, unknown>];
    expect(line).toMatchObject({ id: "1.1", done: true, attempts: 3, refused: 1, commit: null });
    expect(line["before"]).toMatchObject([{ command: "test -f a | cat", exitCode: 0 }]);
    expect(line["evidence"]).toMatchObject([{ command: "test -f a | cat", exitCode: 0 }]);
    expect(place.run(["evidence", "9.9"]).code).toBe(EXIT.missing);

    report(place, "TASK_COMPLETE", "1.2");
    expect(readFileSync(join(place.folder, ".progress.md"), "utf8")).toContain("old");
    report(place, "VERIFICATION_PASS", "1.3");
    const [before, receipt, after] = readFileSync(join(place.folder, ".progress.md"), "utf8").split(
      /^## .*\n/m,
    );
    expect([before, after]).toEqual(["# Progress\n\n", "\nkept\n\n"]);
    const rows = receipt?.trim().split("\n") ?? [];
    expect(rows.slice(2)).toEqual([
      expect.stringMatching(
        /^\| 1\.1 \| checked: its Verify proves nothing: a pipeline [^|]+ \| 3 \| `test -f a \\\| cat` \| passed \| passed \| no git \| \d+ s \|$/,
      ),
      expect.stringMatching(
        /^\| 1\.2 \| reported \| 1 \|  \|  \| its Verify cannot be run: it is not a command \|  \| \d+ s \|$/,
      ),
      expect.stringMatching(/^\| 1\.3 \| reported \| 1 \|  \|  \| no Verify \|  \| (?:\d+ s)? \|$/),
    ]);
    expect(JSON.parse(readFileSync(join(place.folder, "receipt.json"), "utf8"))).toMatchObject({
      tasks: [
        { id: "1.1", class: "checked", attempts: 3, refused: 1 },
        { id: "1.2", class: "reported" },
        { id: "1.3", class: "reported" },
      ],
    });
    expect(place.stop()).toEqual({ systemMessage: expect.stringContaining("all 3 tasks done") });
    expect(place.json(["evidence"])["tasks"]).toHaveLength(3);
  });
});
