import { execSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeRepository } from "../../../test/support/repository.ts";
import { AT, gitIn, makeGround, refusalOf, runOne } from "../../../test/support/trees.ts";
import { planDiscard } from "./discard.ts";
import { takeTrunk } from "./take.ts";
import { openTaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const ALLOWED = ["-c", "protocol.file.allow=always"];

/** A run's tree in which the submodule `lib`, which has a submodule `deep`, is checked out. */
function makeRun() {
  const ground = makeGround();
  const remote = makeRepository();
  const deep = makeRepository();
  deep.commit({ "deep.txt": "deep\n" });
  remote.git(...ALLOWED, "submodule", "add", "-q", deep.root, "deep");
  remote.commit({ "lib.txt": "lib\n", ".gitignore": "built\n" });
  remote.git("config", "receive.denyCurrentBranch", "ignore");
  ground.repository.git(...ALLOWED, "submodule", "add", "-q", remote.root, "lib");
  ground.repository.commit({});
  const trunk = runOne(ground);
  checkOutIn(trunk.top);
  return { ground, trunk, lib: join(trunk.top, "lib") };
}

const checkOutIn = (top: string): void =>
  void gitIn(top, ...ALLOWED, "submodule", "--quiet", "update", "--init", "--recursive");

const commit = (folder: string, subject: string): void =>
  void gitIn(folder, "commit", "-q", "--allow-empty", "-m", subject);

const WAYS = {
  take: (trunk: Trunk) => void takeTrunk(trunk.home, false),
  discard: (trunk: Trunk) => planDiscard(trunk.home, AT).carryOut(),
} as const;

type Way = keyof typeof WAYS;

const LOSSES: Readonly<Record<string, readonly [(lib: string) => void, RegExp]>> = {
  "a new file": [(lib) => writeFileSync(join(lib, "new.txt"), ""), /lib in .* files.*: new\.txt$/],
  "an edit": [(lib) => writeFileSync(join(lib, "lib.txt"), "x"), /lib in .* files.*: lib\.txt$/],
  "an edit that git overlooks": [
    (lib) => {
      gitIn(lib, "update-index", "--assume-unchanged", "lib.txt");
      writeFileSync(join(lib, "lib.txt"), "x");
    },
    /files.*: lib\.txt$/,
  ],
  "a file of a submodule in it": [
    (lib) => writeFileSync(join(lib, "deep", "new.txt"), ""),
    /lib\/deep in .* files.*: new\.txt$/,
  ],
  "files whose repository is gone": [
    (lib) => {
      writeFileSync(join(lib, "new.txt"), "");
      rmSync(join(lib, ".git"));
    },
    /lib in .* files/,
  ],
  "a commit": [(lib) => commit(lib, "c"), /lib in .* commits .* at (?:HEAD|refs\/heads\/\w+) /],
  "a commit on another branch": [
    (lib) => {
      gitIn(lib, "switch", "-q", "-c", "other");
      commit(lib, "c");
      gitIn(lib, "switch", "-q", "--detach", "origin/HEAD");
    },
    /lib in .* commits .* at refs\/heads\/other /,
  ],
  "a commit of a submodule in it": [
    (lib) => commit(join(lib, "deep"), "c"),
    /lib\/deep .* commits/,
  ],
  "a stash": [
    (lib) => {
      writeFileSync(join(lib, "lib.txt"), "x");
      gitIn(lib, "stash", "-q");
    },
    /commits .* at refs\/stash /,
  ],
  "a commit of a submodule that is no longer checked out": [
    (lib) => {
      commit(lib, "c");
      gitIn(join(lib, ".."), "submodule", "--quiet", "deinit", "--force", "lib");
    },
    /lib in .* commits/,
  ],
};

describe("work in a submodule of the run's tree is not removed with it", () => {
  const cases = Object.entries(LOSSES).flatMap(([name, [lose, said]]) =>
    (["take", "discard"] as const).map((way) => ({ name, way, lose, said })),
  );
  it.each(cases)("$way: $name", ({ way, lose, said }) => {
    const { ground, trunk, lib } = makeRun();
    lose(lib);
    const before = ground.repository.git("rev-parse", "HEAD");
    expect(refusalOf(() => WAYS[way](trunk)).message).toMatch(said);
    expect(existsSync(lib)).toBe(true);
    expect(ground.repository.git("rev-parse", "HEAD")).toBe(before);
  });

  it.each<Way>(["take", "discard"])("%s: nor in that of a task's tree", (way) => {
    const { trunk } = makeRun();
    const { top } = openTaskTree(trunk, "1.2", 1);
    checkOutIn(top);
    commit(join(top, "lib"), "c");
    expect(refusalOf(() => WAYS[way](trunk)).message).toContain(`lib in ${top} has commits`);
    expect(existsSync(top)).toBe(true);
  });
});

describe("a submodule keeps nobody from going on", () => {
  const harmless: [string, (lib: string) => void][] = [
    ["as it was checked out", () => {}],
    ["with files that it ignores", (lib) => writeFileSync(join(lib, "built"), "")],
    ["with a file removed", (lib) => rmSync(join(lib, "lib.txt"))],
    [
      "with a commit that was pushed",
      (lib) => {
        commit(lib, "c");
        gitIn(lib, "push", "-q", "origin", "HEAD:refs/heads/pushed");
      },
    ],
  ];
  it.each(
    harmless.flatMap(([name, work]) =>
      (["take", "discard"] as const).map((way) => ({ name, way, work })),
    ),
  )("$way: $name", ({ way, work }) => {
    const { trunk, lib } = makeRun();
    work(lib);
    WAYS[way](trunk);
    expect(existsSync(lib)).toBe(false);
  });

  it("once its commits were fetched as the refusal says", () => {
    const { ground, trunk, lib } = makeRun();
    commit(lib, "c");
    const { fix } = refusalOf(() => takeTrunk(trunk.home, false));
    const fetch = / or (git -C .*) \(check/.exec(fix)?.[1] ?? "";
    const mine = join(ground.repository.root, "lib");
    execSync(fetch, { stdio: "pipe" });
    takeTrunk(trunk.home, false);
    expect(existsSync(lib)).toBe(false);
    expect(gitIn(mine, "log", "--format=%s", "--branches=run-*")).toContain("c");
  });
});
