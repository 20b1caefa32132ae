import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { GIT_ENV, makeRepository } from "../../test/support/repository.ts";
import { localRunner } from "../exec/local-runner.ts";
import { renderPage } from "../facts/page.ts";
import { runnerSession } from "../run/runner-session.ts";
import { openProject } from "../store/project.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import { specAt } from "../store/spec.ts";
import { delegate } from "./delegate.ts";
import { readNow } from "./now.ts";
import { readOwnCommits } from "./own-commits.ts";
import { prepareRun } from "./prepare-run.ts";
import { recordFailure } from "./record-failure.ts";
import type { Request } from "./request.ts";
import { settleClaim } from "./settle-claim.ts";
import { startRun } from "./start-run.ts";
import { readSummary } from "./summary.ts";
import { requireTask, tasksOf, type Run, withRun } from "./with-run.ts";

afterEach(() => vi.unstubAllEnvs());

/** A run of a list in a repository, driven by the engine's own functions. */
async function begin(tasks: string, { isBorn = true, session = "s" } = {}) {
  vi.stubEnv("XDG_STATE_HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  const repository = makeRepository();
  const { root, git, write } = repository;
  vi.stubEnv("HOME", repository.home);
  write({ "specs/demo/tasks.md": tasks });
  if (isBorn) repository.commit({ README: "" }, "begin");
  const request: Request = {
    caller: { session, authority: "user" },
    layout: specum,
    editions: [specum],
    cwd: root,
    starts: [root],
    env: process.env,
    now: readNow,
    verifier: localRunner,
    signal: () => new AbortController().signal,
    program: "ralph-specum",
  };
  const spec = specAt(openProject(specum, root), join(root, "specs/demo"));
  startRun(request, spec, "start", {});
  await prepareRun(request, spec);
  const entryOf = (id: string) =>
    readAllEntries(spec).findLast(({ task, event }) => task === id && event === "done");
  let calls = 0;
  return {
    ...repository,
    request,
    spec,
    /** Commits these files only, whatever else is uncommitted. */
    commitOnly(names: readonly string[], subject = "work") {
      write(Object.fromEntries(names.map((name) => [name, `${subject}\n`])));
      git("add", "--", ...names);
      git("commit", "-q", "-m", subject, "--", ...names);
      return git("rev-parse", "HEAD");
    },
    send(id: string) {
      const call = {
        sessionId: session,
        cwd: root,
        callId: `call-${calls++}`,
        agentType: "ralph-specum:spec-executor",
        prompt: id,
        description: "",
        isNested: false,
      };
      expect(delegate(spec, call, readNow())).toMatchObject({ kind: "sent" });
    },
    /** The task's own commits, as the journal has them once it is done. */
    async done(id: string): Promise<readonly string[] | undefined> {
      const report = "NO_CHANGE: if there is none\nTASK_COMPLETE";
      const settled = await settleClaim(request, spec, { id, report });
      expect(settled).toMatchObject({ kind: "done" });
      await prepareRun(request, spec);
      return entryOf(id)?.commits;
    },
    standing: (): Run => withRun(request, spec, (run) => run),
    task: (id: string) => requireTask(tasksOf(spec, readTasks(spec)), id),
    summary: () => renderPage(readSummary(spec, tasksOf(spec, readTasks(spec)))),
  };
}

const row = (id: string, files = "", tags = ""): string =>
  `- [ ] ${id} ${tags} Task ${id}\n${files === "" ? "" : `  - **Files**: \`${files}\`\n`}`;

describe("the commits of a task", () => {
  it("are those since it was handed out that change more than the spec's folder", async () => {
    const run = await begin(row("1.1") + row("1.2") + row("1.3"));
    const first = run.commitOnly(["a"]);
    run.commitOnly(["specs/demo/.progress.md"], "docs: notes");
    run.git("commit", "-q", "--allow-empty", "-m", "nothing");
    const second = run.commitOnly(["b", "specs/demo/notes.md"]);
    expect(await run.done("1.1")).toEqual([first, second]);
    const third = run.commitOnly(["a"], "again");
    expect(await run.done("1.2")).toEqual([third]);
    expect(await run.done("1.3")).toEqual([]);
  });

  it("are at most fifty, the newest", async () => {
    const run = await begin(row("1.1") + row("1.2"));
    const [at, from] = [Math.ceil(Date.now() / 1000), run.git("rev-parse", "HEAD")];
    const input = Array.from({ length: 52 }, (_, i) =>
      [
        `commit refs/heads/main\ncommitter e <e@e> ${at} +0000\ndata 0\n`,
        ...(i === 0 ? [`from ${from}`] : []),
        `M 644 inline a\ndata 2\n${i + 10}\n`,
      ].join("\n"),
    ).join("");
    execFileSync("git", ["fast-import", "--quiet"], { cwd: run.root, input });
    run.git("reset", "-q", "--hard");
    const all = run.git("rev-list", "--reverse", `${from}..HEAD`).split("\n");
    expect(all).toHaveLength(52);
    expect(await run.done("1.1")).toEqual(all.slice(2));
  });

  it("include what a failed attempt has committed", async () => {
    const run = await begin(row("1.1") + row("1.2"));
    const first = run.commitOnly(["a"]);
    recordFailure(run.request, run.spec, { id: "1.1", reason: "no" });
    await prepareRun(run.request, run.spec);
    expect(await run.done("1.1")).toEqual([first]);
  });

  it("do not include what a merge brought in, only what the merge adds itself", async () => {
    const run = await begin(row("1.1") + row("1.2"));
    const { root, git } = run;
    run.write({ README: "theirs", theirs: "" });
    git("add", "-A");
    const env = { ...process.env, ...GIT_ENV, GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z" };
    const tree = git("write-tree");
    const args = ["commit-tree", tree, "-p", "HEAD", "-m", "theirs"];
    const theirs = execFileSync("git", args, { cwd: root, env, encoding: "utf8" }).trim();
    git("reset", "-q", "--hard");
    const own = run.commitOnly(["README"], "mine");
    expect(() => git("merge", "-q", theirs)).toThrow();
    run.write({ README: "both" });
    git("commit", "-q", "-a", "-m", "merge");
    expect(await run.done("1.1")).toEqual([own, git("rev-parse", "HEAD")]);
  });

  it("stay the same if its new Verify is run later, whatever was committed meanwhile", async () => {
    const run = await begin(row("1.1") + row("1.2") + row("1.3"));
    const first = run.commitOnly(["a"]);
    expect(await run.done("1.1")).toEqual([first]);
    run.commitOnly(["b"]);
    expect(readOwnCommits(run.standing(), run.task("1.1"))).toEqual([first]);
  });

  it("are known from the first commit of a repository on", async () => {
    const run = await begin(row("1.1") + row("1.2"), { isBorn: false });
    const first = run.commit({ a: "" });
    recordFailure(run.request, run.spec, { id: "1.1", reason: "no" });
    await prepareRun(run.request, run.spec);
    const second = run.commitOnly(["b"]);
    expect(await run.done("1.1")).toEqual([first, second]);
    const third = run.commitOnly(["c"]);
    expect(await run.done("1.2")).toEqual([third]);
  });

  it("are kept if it is done again, without those that were taken back", async () => {
    const run = await begin(row("1.1") + row("1.2") + row("1.3"));
    const first = run.commitOnly(["a"]);
    run.commitOnly(["b"]);
    await run.done("1.1");
    run.git("reset", "-q", "--hard", first);
    run.write({ "specs/demo/tasks.md": run.read("specs/demo/tasks.md").replace("[x]", "[ ]") });
    recordFailure(run.request, run.spec, { id: "1.1", reason: "b is gone" });
    await prepareRun(run.request, run.spec);
    const again = run.commitOnly(["b"], "again");
    expect(await run.done("1.1")).toEqual([first, again]);
  });

  it("are not known without git", async () => {
    const run = await begin(row("1.1") + row("1.2"));
    rmSync(join(run.root, ".git"), { recursive: true });
    expect(readOwnCommits(run.standing(), run.task("1.1"))).toBeUndefined();
  });
});

describe("where a group shares a tree", () => {
  const P = "[P]";

  it("a task has the commits that touch its Files, in whatever order they report", async () => {
    const run = await begin(row("1.1", "a", P) + row("1.2", "b", P) + row("1.3", "c/", P));
    for (const id of ["1.1", "1.2", "1.3"]) run.send(id);
    const c = run.commitOnly(["c/one"]);
    const a = run.commitOnly(["a"]);
    run.commitOnly(["nobodys"]);
    const b = run.commitOnly(["b"]);
    const mixed = run.commitOnly(["a", "c/two"], "both");
    expect(await run.done("1.2")).toEqual([b]);
    expect(await run.done("1.3")).toEqual([c, mixed]);
    expect(await run.done("1.1")).toEqual([a, mixed]);
  });

  it("a task without Files has what no other one lists", async () => {
    const run = await begin(row("1.1", "", P) + row("1.2", "b", P) + row("2.1"));
    for (const id of ["1.1", "1.2"]) run.send(id);
    const b = run.commitOnly(["b"]);
    const other = run.commitOnly(["x"]);
    expect(await run.done("1.1")).toEqual([other]);
    expect(await run.done("1.2")).toEqual([b]);
  });

  it("nobody can tell whose a commit is if two of them list nothing", async () => {
    const run = await begin(row("1.1", "", P) + row("1.2", "", P) + row("2.1"));
    for (const id of ["1.1", "1.2"]) run.send(id);
    expect(await run.done("1.1"), "there is none").toEqual([]);
    run.commitOnly(["x"]);
    expect(await run.done("1.2")).toBeUndefined();
  });

  it("an agent that was sent after the other one was done had the tree to itself", async () => {
    const run = await begin(row("1.1", "a", P) + row("1.2", "b", P) + row("2.1"));
    run.send("1.1");
    const a = run.commitOnly(["a"]);
    expect(await run.done("1.1")).toEqual([a]);
    run.send("1.2");
    const b = run.commitOnly(["elsewhere"]);
    expect(await run.done("1.2")).toEqual([b]);
  });
});

describe("where a group takes turns in one tree", () => {
  it("a failed attempt's commits are not the next task's", async () => {
    const run = await begin(row("1.1", "a", "[P]") + row("1.2", "b", "[P]") + row("2.1"), {
      session: runnerSession("r"),
    });
    const failed = run.commitOnly(["elsewhere"]);
    recordFailure(run.request, run.spec, { id: "1.1", reason: "no" });
    const other = run.commitOnly(["there"]);
    expect(await run.done("1.2")).toEqual([other]);
    const again = run.commitOnly(["a"]);
    expect(await run.done("1.1")).toEqual([failed, again]);
  });
});

it("commits of another spec in the same tree are not taken for a task's", async () => {
  const run = await begin(row("1.1", "a") + row("1.2") + row("1.3"));
  run.write({ "specs/other/tasks.md": row("1.1", "b") });
  const other = specAt(run.spec.project, join(run.root, "specs/other"));
  startRun({ ...run.request, caller: { session: "t", authority: "user" } }, other, "start", {});
  run.commitOnly(["b"]);
  const a = run.commitOnly(["a"]);
  run.commitOnly(["specs/other/notes.md"]);
  expect(await run.done("1.1")).toEqual([a]);
  run.commitOnly(["b", "specs/other/notes.md"], "theirs");
  const unlisted = run.commitOnly(["c"]);
  expect(await run.done("1.2")).toEqual([unlisted]);
});

it("the summary says how many commits the range has that it names", async () => {
  const run = await begin(row("1.1") + row("1.2"));
  run.git("switch", "-q", "-c", "feat/x");
  run.commitOnly(["a"]);
  run.commitOnly(["specs/demo/notes.md"]);
  run.git("commit", "-q", "--allow-empty", "-m", "nothing");
  run.git("switch", "-q", "-c", "side", "HEAD~1");
  run.commitOnly(["b"]);
  run.git("switch", "-q", "feat/x");
  run.git("merge", "-q", "--no-edit", "side");
  run.commitOnly(["specs/demo/notes.md"], "the end");
  const said = /^(\d+) commits in (\S+) on feat\/x \((\d+) of them with only the spec's/m;
  const [, count, range = "", spec] = said.exec(run.summary()) ?? [];
  expect([count, spec]).toEqual(["5", "1"]);
  expect(run.git("rev-list", "--count", range)).toBe(count);
  expect(range.endsWith(run.git("rev-parse", "HEAD~1").slice(0, 9))).toBe(true);
});
