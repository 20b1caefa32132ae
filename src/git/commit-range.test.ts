import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeRepository, ODD_NAMES } from "../../test/support/repository.ts";
import { MAX_COMMITS, readRange } from "./commit-range.ts";

it("has every commit of the range, oldest first, with the files that each changes", () => {
  const { root, git, commit } = makeRepository();
  const base = commit({ a: "1" });
  const odd = commit(Object.fromEntries(ODD_NAMES.map((name) => [name, ""])), "feat: \u0001 odd");
  const empty = commit({}, "nothing");
  git("mv", "a", "b");
  const moved = commit({}, "move");
  const range = readRange(root, base);
  expect(range?.map(({ commit: one }) => one)).toEqual([odd, empty, moved]);
  expect(range?.map(({ subject }) => subject)).toEqual(["feat: \u0001 odd", "nothing", "move"]);
  expect([...(range?.[0]?.files ?? [])].sort()).toEqual([...ODD_NAMES].sort());
  expect(range?.slice(1).map(({ files }) => files)).toEqual([[], ["a", "b"]]);
  expect(range?.[0]?.time).toBe(Number(git("log", "-1", "--format=%ct", odd)));
  expect(readRange(root, moved)).toEqual([]);
  expect(readRange(root, "")?.[0]).toMatchObject({ commit: base, files: ["a"] });
});

it("names of a merge only what it changes itself", () => {
  const { root, git, commit, write } = makeRepository();
  const base = commit({ a: "1", b: "1" });
  git("switch", "-q", "-c", "side");
  commit({ side: "", a: "2" }, "side");
  git("switch", "-q", "main");
  commit({ main: "" }, "main");
  git("merge", "-q", "--no-edit", "side");
  git("switch", "-q", "-c", "other", base);
  commit({ a: "3" }, "other");
  git("switch", "-q", "main");
  expect(() => git("merge", "-q", "other")).toThrow();
  write({ a: "4" });
  git("commit", "-q", "-a", "-m", "resolved");
  const files = new Map(readRange(root, base)?.map((one) => [one.subject, one.files]));
  expect(files.get("Merge branch 'side'")).toEqual([]);
  expect(files.get("resolved")).toEqual(["a"]);
  expect(files.get("side")).toEqual(["a", "side"]);
});

it("has the newest commits of a long range", () => {
  const { root, git, commit } = makeRepository();
  const base = commit();
  const lines = Array.from(
    { length: MAX_COMMITS + 5 },
    (_, i) =>
      `commit refs/heads/main\ncommitter e <e@e> 1 +0000\ndata 1\n${i % 10}\n${i === 0 ? `from ${base}\n` : ""}`,
  );
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: lines.join("\n") });
  const range = readRange(root, base);
  expect(range).toHaveLength(MAX_COMMITS);
  expect(range?.at(-1)?.commit).toBe(git("rev-parse", "HEAD"));
});

it("cannot tell what began at something that is not a commit", () => {
  const { root, commit } = makeRepository();
  commit();
  expect(readRange(root, "0".repeat(40))).toBeUndefined();
  expect(readRange(root, "--output=x")).toBeUndefined();
  expect(readRange(root, "main")).toBeUndefined();
});
