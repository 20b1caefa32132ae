import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { makeRepository } from "../../test/support/repository.ts";
import { MAY_FETCH, namesOf, runGit, runGitAsync } from "./run.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Another test in this process may have read the record of a run, whose PATH then counts. */
async function importAlone() {
  vi.resetModules();
  return import("./run.ts");
}

describe("runGit", () => {
  it("fetches nothing that a partial clone has not got, unless it may", () => {
    const { root, home, git, commit } = makeRepository();
    commit({ a: "old\n" });
    commit({ a: "new\n" });
    git("config", "uploadpack.allowFilter", "true");
    git("config", "uploadpack.allowAnySHA1InWant", "true");
    git("clone", "-q", "--filter=blob:none", `file://${root}`, join(home, "part"));
    const old = git("rev-parse", "HEAD~1:a");
    const show = (env = {}) => runGit(join(home, "part"), ["cat-file", "-p", old], { env });
    expect(show().ok).toBe(false);
    expect(show(MAY_FETCH)).toMatchObject({ ok: true, out: "old\n" });
  });

  it("says that git did not answer in time", () => {
    const { root } = makeRepository();
    // Nobody ever writes to it.
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(runGit(root, ["hash-object", "pipe"], { timeoutMs: 300 })).toMatchObject({
      ok: false,
      err: "git did not answer in 0.3 s",
    });
  });

  it("answers with what git prints", () => {
    const { root, commit } = makeRepository();
    const head = commit();
    expect(runGit(root, ["rev-parse", "HEAD"])).toEqual({ ok: true, out: `${head}\n`, err: "" });
  });

  it("says so if there is no repository, no folder, no git", async () => {
    const alone = await importAlone();
    expect(alone.runGit(makeFolder(), ["status"])).toMatchObject({
      ok: false,
      out: "",
      err: expect.stringContaining("not a git repository") as string,
    });
    expect(alone.runGit("/nonexistent", ["status"])).toMatchObject({ ok: false, out: "" });
    const { root } = makeRepository();
    vi.stubEnv("PATH", makeFolder());
    expect(alone.runGit(root, ["status"])).toMatchObject({
      ok: false,
      out: "",
      err: expect.stringContaining("ENOENT") as string,
    });
  });

  it("runs no shell", () => {
    const { root } = makeRepository();
    runGit(root, ["log", "; touch made", "$(touch made)"]);
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  it("gives up in time", () => {
    const { root, git, commit } = makeRepository();
    commit();
    git("config", "alias.wait", "!exec sleep 10");
    // If we had waited, it would have succeeded.
    expect(runGit(root, ["wait"], { timeoutMs: 100 }).ok).toBe(false);
  });

  it("looks at this repository even when a hook of another one started us", () => {
    const [one, other] = [makeRepository(), makeRepository()];
    const head = one.commit({}, "one");
    other.commit({}, "other");
    vi.stubEnv("GIT_DIR", join(other.root, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other.root);
    vi.stubEnv("GIT_INDEX_FILE", join(other.root, ".git/index"));
    expect(runGit(one.root, ["rev-parse", "HEAD"]).out).toBe(`${head}\n`);
  });

  it("takes input, and answers in English", () => {
    const { root } = makeRepository();
    vi.stubEnv("LANG", "de_DE.UTF-8");
    vi.stubEnv("LC_ALL", "de_DE.UTF-8");
    expect(runGit(root, ["hash-object", "--stdin"], { input: "" }).out).toMatch(/^e69de29/);
    expect(runGit(root, ["rev-parse", "HEAD~9"]).err).toContain("unknown revision");
  });

  it("splits names at NULs alone", () => {
    expect(namesOf('a b\0"c"\n\0')).toEqual(["a b", '"c"\n']);
    expect(namesOf("")).toEqual([]);
  });
});

describe("runGitAsync", () => {
  it.each([
    ["what git prints", ["rev-parse", "HEAD"]],
    ["its error", ["rev-parse", "HEAD~9"]],
    ["the result for its input", ["hash-object", "--stdin"], "some text"],
    ["that it says nothing", ["rev-parse", "--verify", "--quiet", "nothing"]],
  ])("answers like runGit: %s", async (_, args, input = "") => {
    const { root, commit } = makeRepository();
    commit();
    expect(await runGitAsync(root, args, { input })).toEqual(runGit(root, args, { input }));
  });

  it("survives a git that does not read its input", async () => {
    const { root } = makeRepository();
    const input = "x".repeat(1 << 20);
    expect(await runGitAsync(root, ["--version"], { input })).toMatchObject({ ok: true, err: "" });
  });

  it("says so if there is no repository, no git", async () => {
    const alone = await importAlone();
    const { root } = makeRepository();
    expect(await alone.runGitAsync(makeFolder(), ["status"])).toMatchObject({ ok: false, out: "" });
    vi.stubEnv("PATH", makeFolder());
    const err = expect.stringContaining("ENOENT") as string;
    expect(await alone.runGitAsync(root, ["status"])).toMatchObject({ ok: false, err });
  });

  it("gives up in time, and at once when aborted", async () => {
    const { root, git, commit } = makeRepository();
    commit();
    git("config", "alias.wait", "!exec sleep 10");
    const began = performance.now();
    expect((await runGitAsync(root, ["wait"], { timeoutMs: 100 })).ok).toBe(false);
    const controller = new AbortController();
    const { signal } = controller;
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(runGitAsync(root, ["wait"], { signal })).rejects.toThrow("enough");
    await expect(runGitAsync(root, ["--version"], { signal })).rejects.toThrow("enough");
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
