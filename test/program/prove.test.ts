import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { endOf, REPOSITORY } from "./child.ts";
import { report } from "./claims.ts";
import { expectNothingLeft, type Stage, stageWith, verdictsOf } from "./proofs.ts";
import { expectRefusal, IN_SESSION, makePlace, userFileOf } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const TASKS = `- [ ] 1.1 Add
  - **Verify**: \`node -e "process.exit(require('./add.js') === 3 ? 0 : 1)"\`
- [ ] 1.2 Say so
  - **Verify**: \`grep -q three notes.txt\`
- [ ] 1.3 Look at it
`;
const WORK = { "add.js": "module.exports = 3;\n", "notes.txt": "three\n" };
const FILES = { "specs/demo/tasks.md": TASKS, ...WORK };

const ticked = (text: string): string => text.replaceAll("- [ ]", "- [x]");

/** A spec that was finished in a run and committed, and a fresh clone of it on another machine. */
function finish(): Stage & { readonly clone: string; readonly elsewhere: object } {
  const stage = stageWith({ "specs/demo/tasks.md": TASKS });
  const { place, git } = stage;
  place.slash(["implement", "demo"]);
  for (const [id, work] of [
    ["1.1", { "add.js": WORK["add.js"] }],
    ["1.2", { "notes.txt": WORK["notes.txt"] }],
    ["1.3", { "seen.txt": "" }],
  ] as const) {
    git.commit(work);
    expect(report(place, "TASK_COMPLETE", id).code).toBe(0);
  }
  git.commit();
  const clone = join(makeFolder(), "clone");
  git.git("clone", "-q", place.root, clone);
  const elsewhere = { cwd: clone, env: { ...stage.env, HOME: makeFolder() } };
  return { ...stage, clone, elsewhere };
}

describe("prove", () => {
  it("passes on a fresh clone of a finished spec", () => {
    const stage = finish();
    const { code, out, err } = stage.place.run(["prove"], stage.elsewhere);
    expect(err).toBe("");
    expect(out.split("\n")).toEqual([
      "demo ./specs/demo",
      "task              receipt                now     verdict",
      expect.stringMatching(/^✓ 1\.1 Add {9}proven at [0-9a-f]{9} {4}passed  proven again$/),
      expect.stringMatching(/^✓ 1\.2 Say so {6}proven at [0-9a-f]{9} {4}passed  proven again$/),
      expect.stringMatching(/^- 1\.3 Look at it .*nothing to run$/),
      "",
      expect.stringMatching(
        /^3 ticked tasks at [0-9a-f]{9}: 2 proven again, 1 nothing to run$/,
      ) as string,
      "",
    ]);
    expect(code).toBe(0);
    expectNothingLeft({ ...stage, git: openRepository(stage.clone, makeFolder()) });
  });

  it("names the task that somebody broke later, and passes at the commit before", () => {
    const stage = finish();
    const { place, git, env } = stage;
    const good = git.git("rev-parse", "HEAD");
    git.commit({ "add.js": "module.exports = 4;\n" });
    const answer = place.json(["prove", "--all"], { env });
    expect(answer).toMatchObject({ code: 1, ok: false, commit: git.git("rev-parse", "HEAD") });
    expect(verdictsOf(answer)).toEqual([
      "1.1 broken-since",
      "1.2 proven-again",
      "1.3 nothing-to-run",
    ]);
    expect(answer).toMatchObject({
      specs: [{ tasks: [{ recorded: { class: "proven" }, now: [{ exitCode: 1 }] }, {}, {}] }],
    });
    expect(place.run(["prove"], { env }).out).toMatch(
      /^✗ 1\.1 Add .* failed  broken since\n {4}`node/m,
    );
    for (const more of [["--at", good], ["--receipt"]])
      expect(place.run(["prove", ...more], { env })).toMatchObject({ code: 0, err: "" });
    expectNothingLeft(stage);
  });

  it("does not see what is not committed, and leaves it alone", () => {
    const stage = stageWith({ ...FILES, "specs/demo/tasks.md": ticked(TASKS) });
    const { place, git, env } = stage;
    git.git("rm", "-q", "--cached", "notes.txt");
    git.git("commit", "-q", "-m", "forgotten");
    writeFileSync(join(place.root, "add.js"), "broken here");
    const before = git.git("status", "--porcelain");
    const { code, out } = place.run(["prove"], { env });
    expect(out).toMatch(/^✓ 1\.1 Add .*reported: ticked by hand .*passed  passes$/m);
    expect(out).toMatch(/^✗ 1\.2 Say so .*not proven\n.*exit code 2\n.*notes\.txt: No such file/m);
    expect(out).toContain("\n2 uncommitted files are not part of this\n");
    expect(code).toBe(EXIT.refused);
    expect(git.git("status", "--porcelain")).toBe(before);
  });

  it("runs what the settings allow, and a setup only if it is the user's", () => {
    const settings = ".claude/ralph-specum.local.md";
    const stage = stageWith({
      "specs/demo/tasks.md": "- [x] 1.1 Ready\n  - **Verify**: `test -f ready.txt`\n",
      [settings]: "---\nprove_setup: touch ready.txt\n---\n",
    });
    const { place, git, env } = stage;
    git.git("add", "-f", settings);
    git.commit();
    const refused = place.run(["prove"], { env });
    expect(refused.code).toBe(EXIT.refused);
    expect(refused.out).toContain(
      "the project's setup was not run: `touch ready.txt`; --setup allows it",
    );
    expect(place.json(["prove", "--setup"], { env })).toMatchObject({
      code: 0,
      setup: ["touch ready.txt"],
    });
    const mine = (text: string): void =>
      void fillFolder(place.root, { [userFileOf(specum)]: `---\n${text}\n---\n` });
    mine("prove_setup: echo ok > ready.txt");
    expect(place.run(["prove"], { env }).code).toBe(0);
    mine("prove_setup: echo no; exit 3");
    expectRefusal(
      place.run(["prove"], { env }),
      EXIT.refused,
      /the setup `echo no; exit 3` failed, exit code 3: no/,
    );
    mine("verify_allow: npm test");
    const answer = place.json(["prove"], { env });
    expect(verdictsOf(answer)).toEqual(["1.1 not-allowed"]);
    expect(answer.code).toBe(EXIT.refused);
    expectNothingLeft(stage);
  });

  it("runs [RED] tasks only at their own commit", () => {
    const stage = stageWith({
      "specs/demo/tasks.md":
        "- [ ] 1.1 [RED] A test\n  - **Verify**: `! test -f done.txt`\n- [ ] 1.2 [GREEN] Do it\n  - **Verify**: `test -f done.txt`\n",
    });
    const { place, git, env } = stage;
    place.slash(["implement", "demo"]);
    expect(report(place).code).toBe(0);
    git.commit({ "done.txt": "" });
    expect(report(place, "TASK_COMPLETE", "1.2").code).toBe(0);
    git.commit();
    expect(verdictsOf(place.json(["prove"], { env }))).toEqual(["1.1 red", "1.2 proven-again"]);
    const own = place.json(["prove", "--receipt", "--parallel", "2"], { env });
    expect(verdictsOf(own)).toEqual(["1.1 passes", "1.2 proven-again"]);
    expectNothingLeft(stage);
  });

  it("runs tasks at the same time in a work tree each", () => {
    const alone = "test ! -e busy.txt && touch busy.txt && sleep 0.3 && rm busy.txt";
    const task = (id: number): string => `- [x] 1.${id} a\n  - **Verify**: \`${alone}\`\n`;
    const stage = stageWith({ "specs/demo/tasks.md": [1, 2, 3].map(task).join("") });
    const answer = stage.place.json(["prove", "--parallel", "3"], { env: stage.env });
    expect(answer).toMatchObject({ code: 0, ok: true });
    expectNothingLeft(stage);
  });

  it("works for a project in a subfolder, and with git's own variables set", () => {
    const { place, git, env } = stageWith({});
    const below = "packages/one";
    git.commit({
      [`${below}/specs/inner/tasks.md`]:
        "- [x] 1.1 a\n  - **Verify**: `test -f here.txt && test -f $(git rev-parse --show-cdup)top.txt`\n",
      [`${below}/here.txt`]: "",
      "top.txt": "",
    });
    rmSync(join(place.root, "specs"), { recursive: true });
    const hook = { GIT_DIR: join(place.root, ".git"), GIT_WORK_TREE: place.root };
    const answer = place.json(["prove", "inner"], {
      cwd: join(place.root, below),
      env: { ...env, ...hook },
    });
    expect(answer).toMatchObject({ code: 0, specs: [{ path: "./specs/inner" }] });
  });

  it("says which spec is not committed, and what else is not there", () => {
    const stage = stageWith(FILES);
    const { place, git, env } = stage;
    fillFolder(place.root, { "specs/new/tasks.md": "- [x] 1.1 a\n  - **Verify**: `true`\n" });
    const { code, out } = place.run(["prove", "--all"], { env });
    expect(out).toMatch(
      /^demo .*: no task is ticked in this commit \(ticks count once tasks\.md is committed\)$/m,
    );
    expect(out).toMatch(/^new .*: it is not in [0-9a-f]{9}: commit it first$/m);
    expect(out).toContain(": nothing to prove\n");
    expect(code).toBe(0);
    expectRefusal(
      place.run(["prove", "new"], { env }),
      EXIT.missing,
      /\.\/specs\/new is not in [0-9a-f]{9}; commit it first/,
    );
    const commit = git.git("rev-parse", "HEAD");
    git.git("update-index", "--add", "--cacheinfo", `160000,${commit},vendor/lib`);
    git.git("commit", "-q", "-m", "submodule");
    expect(place.run(["prove", "demo"], { env }).out).toContain(
      "submodules are not checked out: vendor/lib\n",
    );
    git.commit({
      ".gitattributes": "*.bin filter=lfs -text\n",
      "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    });
    expect(place.run(["prove", "demo"], { env }).out).toContain(
      "git-lfs has not fetched: big.bin\n",
    );
  });

  it("runs for an agent too, and none of its commands is the user", () => {
    const list =
      '- [x] 1.1 Say it\n  - **Verify**: `echo "mark: $SMART_RALPH_DRIVEN" >> $TMPDIR/said`\n';
    const { place, env, tmp } = stageWith({ ...FILES, "specs/demo/tasks.md": list });
    expect(place.run(["prove"], { env: { ...env, ...IN_SESSION.env } }).code).toBe(0);
    expect(readFileSync(join(tmp, "said"), "utf8")).toMatch(/^mark: \w/);
  });

  it("is refused outside git, and for a commit that is not there", () => {
    const { place, env } = stageWith({ ...FILES, "specs/demo/tasks.md": ticked(TASKS) });
    for (const name of ["nowhere", "--output=x"])
      expectRefusal(
        place.run(["prove", `--at=${name}`], { env }),
        EXIT.missing,
        `there is no commit ${name} here`,
      );
    expectRefusal(makePlace(specum).run(["prove"]), EXIT.refused, /not a git repository/);
    expectRefusal(place.run(["prove", "demo", "--all"]), EXIT.usage, "--all means every spec");
  });

  it("runs no hook of the repository", () => {
    const stage = stageWith(FILES);
    const mark = join(stage.tmp, "hooked.txt");
    const hook = join(stage.place.root, ".git/hooks/post-checkout");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    expect(stage.place.run(["prove"], { env: stage.env }).code).toBe(0);
    expect(existsSync(mark)).toBe(false);
  });

  it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
    "leaves nothing behind after %s",
    async (signal) => {
      const stage = stageWith({
        "specs/demo/tasks.md": "- [x] 1.1 a\n  - **Verify**: `echo $$ $PWD > $BEGAN; sleep 600`\n",
      });
      const { place, env, tmp } = stage;
      const began = join(makeFolder(), "began");
      const cli = join(REPOSITORY, "plugins", specum.plugin, "dist/cli.cjs");
      const child = spawn(process.execPath, [cli, "--layout=specum", "prove"], {
        cwd: place.root,
        env: { ...place.env, ...env, BEGAN: began },
      });
      const ended = endOf(child);
      await vi.waitFor(() => expect(readFileSync(began, "utf8")).toContain(tmp), 10_000);
      child.kill(signal);
      expect(await ended).toBe(signal === "SIGKILL" ? null : 1);
      if (signal === "SIGKILL") {
        const [, pid, left = ""] = /^(\d+) (.*)$/m.exec(readFileSync(began, "utf8")) ?? [];
        process.kill(-Number(pid), "SIGKILL");
        // Nobody could remove it: the next one does.
        expect(existsSync(left)).toBe(true);
        place.run(["prove", "--timeout", "1"], { env: { ...env, BEGAN: began } });
      }
      expectNothingLeft(stage);
    },
  );
});
