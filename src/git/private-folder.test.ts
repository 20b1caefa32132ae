import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openSandbox, type Sandbox, wrapperFor } from "../exec/sandbox.ts";
import { findGit } from "../store/git-files.ts";
import { findVaultPlace } from "../store/vault-place.ts";
import { collectPrivateGit } from "./collect-private.ts";
import { openPrivateGit } from "./private-folder.ts";

const opened = openSandbox("bwrap", { network: true, image: undefined });
const why = opened.kind === "ok" ? "" : ` (skipped: ${opened.why})`;

let base = "";
let repository = "";
let tree = "";

const ENV = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8", env: { ...process.env, ...ENV } }).trimEnd();

beforeEach(() => {
  // Not in /tmp: the sandbox has its own.
  const temporary = process.platform === "linux" ? "/var/tmp" : tmpdir();
  base = realpathSync(mkdtempSync(join(temporary, "smart-ralph-private-")));
  repository = join(base, "repository");
  tree = join(base, "tree");
  vi.stubEnv("XDG_STATE_HOME", join(base, "state"));
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value);
  mkdirSync(repository);
  git(repository, "init", "-q", "-b", "main");
  git(repository, "config", "user.email", "a@b.c");
  git(repository, "config", "user.name", "A");
  writeFileSync(join(repository, "file"), "first\n");
  git(repository, "add", "-A");
  git(repository, "commit", "-qm", "first");
  git(repository, "worktree", "add", "-q", "-b", "work", tree);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const placeOf = (top: string): string => join(findVaultPlace(top) as string, ".sandbox");
/** As a run does for an agent. */
function open(top: string) {
  const mounts = openPrivateGit(findGit(top) as NonNullable<ReturnType<typeof findGit>>);
  return { mounts, collect: () => collectPrivateGit(top, { isLive: true }) };
}
const folderOf = (top: string): string => join(placeOf(top), "git");

/** Runs a script as in the sandbox, without one: with the private folder as git's. */
function act(top: string, script: string): void {
  const { status, stderr } = spawnSync("/bin/sh", ["-ec", script], {
    cwd: top,
    encoding: "utf8",
    env: {
      ...process.env,
      GIT_DIR: folderOf(top),
      GIT_WORK_TREE: top,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, ".git/objects"),
    },
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}

const COMMIT = "echo second > file && git commit -qam second";

describe.skipIf(opened.kind !== "ok")(`in bwrap${why}`, () => {
  const sandbox = (opened.kind === "ok" ? opened.sandbox : undefined) as Sandbox;
  /** Runs a script in the sandbox of an agent. */
  function run(cwd: string, script: string) {
    const own = open(cwd);
    const place = { cwd, home: base, writable: [], readOnly: [], readable: [], git: own.mounts };
    const [program = "", ...args] = wrapperFor(sandbox, place)(["/bin/sh", "-c", script], []);
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: base });
    return { status, out: stdout.trim(), err: stderr, said: own.collect() };
  }

  it.each([
    { name: "a linked work tree", top: () => tree, branch: "work" },
    { name: "the main tree", top: () => repository, branch: "main" },
  ])("a commit in $name arrives on its branch", ({ top, branch }) => {
    const ran = run(
      top(),
      "git status --porcelain && git log -1 --format=%s && echo second > file && echo new > new && git add -A && git commit -qm second && git log --format=%s main -1",
    );
    expect(ran).toMatchObject({ status: 0, said: undefined });
    expect(git(repository, "log", "-1", "--format=%s %an", branch)).toBe("second A");
    expect(git(top(), "status", "--porcelain")).toBe("");
    expect(git(top(), "fsck", "--strict")).toBe("");
    expect(git(top(), "reflog", "--format=%gs")).toContain("smart-ralph: committed in the sandbox");
    expect(existsSync(placeOf(top()))).toBe(false);
  });

  it.each([
    ["a linked work tree", () => tree],
    ["the main tree", () => repository],
  ])("nothing of the repository's own folder is writable from %s", (_, top) => {
    const real = join(repository, ".git");
    // What the sandbox shows at the repository's path must not be what is there.
    const folders = ["", "logs", "refs/heads", "objects", "objects/info", "hooks", "info"]
      .concat("worktrees/tree", "worktrees/tree/logs", "objects/pack")
      .map((name) => join(real, name));
    const before = readdirSync(real, { recursive: true, encoding: "utf8" }).sort();
    const config = readFileSync(join(real, "config"), "utf8");
    run(
      top(),
      [
        ...folders.map((one) => `echo x > ${one}/evil; ln -s /nowhere ${one}/evil-link`),
        `for f in HEAD config index packed-refs logs/HEAD worktrees/tree/HEAD worktrees/tree/index; do rm -f ${real}/$f; ln -s /nowhere ${real}/$f; done`,
        "git config core.fsmonitor evil; git update-ref refs/heads/evil HEAD; git branch -D main",
        `mv ${real} ${real}2; rm -rf ${real}`,
      ].join("; "),
    );
    const now = readdirSync(real, { recursive: true, encoding: "utf8" }).sort();
    expect(now.filter((name) => !before.includes(name))).toEqual([]);
    expect(before.filter((name) => !now.includes(name))).toEqual([]);
    expect(readFileSync(join(real, "config"), "utf8")).toBe(config);
    expect(git(repository, "branch", "--format=%(refname:short)")).toBe("main\nwork");
  });

  it("reads a repository that shares its folders, whose objects are elsewhere, or that is bare", () => {
    const clone = join(base, "clone");
    git(base, "clone", "-q", "--shared", repository, clone);
    const linked = join(base, "linked");
    mkdirSync(join(linked, ".git/logs"), { recursive: true });
    for (const name of ["objects", "refs", "config", "info", "hooks", "packed-refs"])
      if (existsSync(join(repository, ".git", name)))
        symlinkSync(join(repository, ".git", name), join(linked, ".git", name));
    writeFileSync(join(linked, ".git/HEAD"), "ref: refs/heads/other\n");
    git(repository, "branch", "other");
    git(linked, "reset", "-q", "--hard");
    const bare = join(base, "bare.git");
    git(base, "clone", "-q", "--bare", repository, bare);
    const below = join(base, "below");
    git(bare, "worktree", "add", "-q", below, "work");
    for (const top of [clone, linked, below]) {
      git(top, "config", "user.email", "a@b.c");
      git(top, "config", "user.name", "A");
      const ran = run(top, `git log -1 --format=%s && ${COMMIT}`);
      expect({ top, ...ran }).toMatchObject({ status: 0, out: "first", said: undefined });
      expect(git(top, "log", "-1", "--format=%s")).toBe("second");
      expect(git(top, "status", "--porcelain")).toBe("");
    }
  });
});

describe("what an agent leaves in its folder", () => {
  const openFor = (top: string, script: string): string | undefined => {
    const own = open(top);
    act(top, script);
    return own.collect();
  };

  it("its commit on another branch, or without one, arrives if it is on top of what was there", () => {
    expect(openFor(tree, `git checkout -q -b elsewhere && ${COMMIT}`)).toBeUndefined();
    expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("second");
    expect(openFor(tree, `git checkout -q --detach && echo 3 > file && git commit -qam 3`)).toBe(
      undefined,
    );
    expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("3");
    expect(git(tree, "symbolic-ref", "HEAD")).toBe("refs/heads/work");
  });

  it("a branch that it left shows as left, and stays", () => {
    openFor(tree, COMMIT);
    openFor(tree, "git checkout -q --detach main && echo x > x && git add x && git commit -qm x");
    expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("second");
    expect(git(tree, "log", "-1", "--format=%s")).toBe("x");
    expect(spawnSync("git", ["symbolic-ref", "-q", "HEAD"], { cwd: tree }).status).toBe(1);
  });

  it("flags in its index are gone", () => {
    openFor(
      tree,
      `git update-index --assume-unchanged file && echo hidden > file && echo n > new && git add new`,
    );
    expect(git(tree, "status", "--porcelain")).toBe(" M file\n?? new");
  });

  it("its settings, hooks and refs are read by nobody", () => {
    const mark = join(base, "mark");
    const said = openFor(
      tree,
      `git config core.fsmonitor "touch ${mark}; false" && git config uploadpack.packObjectsHook "touch ${mark}" && git config core.alternateRefsCommand "touch ${mark}" && ${COMMIT} || true; rm -f ${mark}; for h in post-checkout reference-transaction; do echo "touch ${mark}" > "$GIT_DIR/hooks/$h"; chmod +x "$GIT_DIR/hooks/$h"; done; git pack-refs --all; rm -f ${mark}`,
    );
    expect(said).toBeUndefined();
    expect(existsSync(mark)).toBe(false);
    expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("second");
  });

  it.each([
    {
      name: "another folder to read objects from",
      script: `${COMMIT} && echo ${"/nowhere"}/objects >> "$GIT_DIR/objects/info/alternates"`,
    },
    {
      name: "an object that git refuses",
      script: `h=$(git rev-parse HEAD:file); t=$(printf '100644 blob %s\\t.GIT\\n' $h | git mktree); git update-ref HEAD $(git commit-tree -m evil -p HEAD $t)`,
    },
    {
      name: "a commit without its objects",
      script: `${COMMIT} && rm -rf "$GIT_DIR"/objects/??`,
    },
    {
      name: "no list of folders to read objects from",
      script: `${COMMIT} && rm -rf "$GIT_DIR/objects/info"`,
    },
    {
      name: "objects that are a link",
      script: `${COMMIT} && mv "$GIT_DIR/objects" "$GIT_DIR/o" && ln -s o "$GIT_DIR/objects"`,
    },
  ])("$name: the commits are not taken, kept aside, and named", ({ script }) => {
    const said = openFor(tree, script);
    expect(said).toContain(`kept in ${placeOf(tree)}-unread`);
    expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("first");
    expect(existsSync(`${placeOf(tree)}-unread/git/HEAD`)).toBe(true);
    expect(openFor(tree, "git log")).toBeUndefined();
  });

  it("a HEAD that names no commit changes nothing", () => {
    for (const head of [
      "rubbish",
      "ref: refs/heads/../../../base",
      "ref: refs/heads/nothing",
      "",
    ]) {
      const own = open(tree);
      writeFileSync(join(folderOf(tree), "HEAD"), head);
      expect(own.collect()).toBeUndefined();
      expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("first");
    }
  });
});

it("what the user has staged in the same tree stays staged", () => {
  writeFileSync(join(repository, "mine"), "mine");
  const own = open(repository);
  act(repository, "echo agent > agent && git add agent && git commit -qm agent -- agent");
  git(repository, "add", "mine");
  expect(own.collect()).toBeUndefined();
  expect(git(repository, "status", "--porcelain")).toBe("A  mine");
  expect(git(repository, "show", "--name-only", "--format=%s")).toBe("agent\n\nagent");
});

it("if the user commits meanwhile, both keep their commits", () => {
  const own = open(repository);
  act(repository, "echo agent > agent && git add agent && git commit -qm agent");
  writeFileSync(join(repository, "mine"), "mine");
  git(repository, "add", "mine");
  git(repository, "commit", "-qm", "mine");
  expect(own.collect()).toContain("kept at refs/smart-ralph/aside/");
  expect(git(repository, "log", "--format=%s", "main")).toBe("agent\nmine\nfirst");
  expect(git(repository, "status", "--porcelain")).toBe("");
});

it("a folder that a killed run left is collected, and one that is not complete is removed", () => {
  open(tree);
  act(tree, COMMIT);
  expect(collectPrivateGit(tree, { isLive: false })).toBeUndefined();
  expect(git(tree, "log", "-1", "--format=%s", "work")).toBe("second");
  open(tree);
  rmSync(join(placeOf(tree), "base"));
  expect(collectPrivateGit(tree, { isLive: false })).toBeUndefined();
  expect(existsSync(placeOf(tree))).toBe(false);
  open(tree);
  act(tree, "git log");
  expect(collectPrivateGit(tree, { isLive: false })).toBeUndefined();
  expect(existsSync(placeOf(tree))).toBe(false);
});

it("has the user's name, even if it depends on where git's folder is", () => {
  git(repository, "config", "--unset", "user.name");
  const global = join(base, "global");
  writeFileSync(join(base, "work"), '[user]\n\tname = "Work \\"W\\" \\\\ #1"\n');
  writeFileSync(global, `[includeIf "gitdir:${repository}/"]\n\tpath = ${join(base, "work")}\n`);
  vi.stubEnv("GIT_CONFIG_GLOBAL", global);
  onTestFinished(() => void vi.unstubAllEnvs());
  git(repository, "config", "alias.x", "!echo one\ntwo");
  const own = open(tree);
  const inside = (key: string): string =>
    execFileSync("git", ["config", "--file", join(folderOf(tree), "config"), key], {
      encoding: "utf8",
    }).trimEnd();
  expect(inside("user.name")).toBe('Work "W" \\ #1');
  expect(inside("alias.x")).toBe("!echo one\ntwo");
  expect(inside("core.worktree")).toBe(tree);
  own.collect();
});

it("a container gets the same mounts, each path once", () => {
  const docker = { kind: "docker", network: true, image: "i", ownPids: true } as const;
  for (const cwd of [tree, repository]) {
    const { mounts, collect } = open(cwd);
    const place = { cwd, home: base, writable: [], readOnly: [], readable: [], git: mounts };
    const line = wrapperFor(docker, place)(["agent"], []);
    const binds = line.filter((word) => word.startsWith("type=bind"));
    const targets = binds.map((word) => /target=([^,]*)/.exec(word)?.[1]);
    expect(new Set(targets).size).toBe(targets.length);
    expect(targets).toContain(join(cwd, ".git"));
    const written = binds.filter((word) => !word.endsWith(",readonly"));
    const sources = written.map((word) => /source=([^,]*)/.exec(word)?.[1]);
    expect(sources.sort()).toEqual([cwd, folderOf(cwd)].sort());
    collect();
  }
});
