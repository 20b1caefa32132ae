import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { makeRepository } from "../../test/support/repository.ts";
import { readHistory } from "./history.ts";

describe("readHistory", () => {
  it("finds commits by full and short hash, and nothing else", () => {
    const { root, git, commit } = makeRepository();
    const names = [commit({ a: "" }), commit().slice(0, 9)];
    const file = git("rev-parse", "HEAD:a");
    git("branch", "abcdef0");
    const others = ["HEAD", "main", "abcdef0", "0000000", file, "--help", "a\n", ""];
    expect(readHistory(root, [...others, ...names, ...others])).toEqual({
      kind: "whole",
      commits: new Set(names),
    });
  });

  it("says that a shallow clone has only a part of them", () => {
    const { home, root, git, commit } = makeRepository();
    const [first, second] = [commit(), commit()];
    git("clone", "-q", "--depth=1", `file://${root}`, join(home, "shallow"));
    expect(readHistory(join(home, "shallow"), [first, second])).toEqual({
      kind: "part",
      commits: new Set([second]),
    });
  });

  it("finds nothing outside a repository, and no commits before the first one", () => {
    expect(readHistory(makeFolder(), ["0123456"]).kind).toBe("none");
    expect(readHistory(makeRepository().root, [])).toEqual({ kind: "whole", commits: new Set() });
  });
});
