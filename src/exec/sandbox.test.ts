import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { makeLocalRunner } from "./local-runner.ts";
import { planContainer } from "./sandbox-argv.ts";
import { openSandbox, type Sandbox, type SandboxPlace, wrapperFor } from "./sandbox.ts";

const opened = openSandbox("bwrap", { network: true, image: undefined });
const sandbox = (opened.kind === "ok" ? opened.sandbox : undefined) as Sandbox;

const KEYS = `.ssh/key .gnupg/key .aws/credentials .kube/config .docker/config.json .netrc .npmrc
  .cargo/credentials .cargo/credentials.toml .config/gh/hosts.yml`.split(/\s+/);

let base = "";
let repository = "";
let tree = "";
let home = "";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });

beforeAll(() => {
  // Not in /tmp: the sandbox has its own.
  const temporary = process.platform === "linux" ? "/var/tmp" : tmpdir();
  base = realpathSync(mkdtempSync(join(temporary, "smart-ralph-sandbox-")));
  repository = join(base, "repository");
  tree = join(base, "tree");
  home = join(base, "home");
  for (const folder of [repository, join(home, ".agent")]) mkdirSync(folder, { recursive: true });
  for (const name of KEYS) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), "secret");
  }
  writeFileSync(join(home, ".agent/settings.json"), "{}");
  git(repository, "init", "-q", "-b", "main");
  git(repository, "config", "user.email", "a@b.c");
  git(repository, "config", "user.name", "A");
  git(repository, "commit", "-q", "--allow-empty", "-m", "first");
  git(repository, "worktree", "add", "-q", "-b", "work", tree);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const place = (cwd: string, more: Partial<SandboxPlace> = {}): SandboxPlace => ({
  cwd,
  home,
  writable: [],
  readOnly: [],
  readable: [],
  ...more,
});

/** Runs a command in the sandbox: its exit code and output. */
function run(script: string, options: Partial<SandboxPlace> & { box?: Sandbox } = {}) {
  const { box = sandbox, ...more } = options;
  const [program = "", ...args] = wrapperFor(box, place(more.cwd ?? tree, more))(
    ["/bin/sh", "-c", script],
    [],
  );
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: base });
  return { status, out: stdout.trim(), said: stderr };
}

const why = opened.kind === "ok" ? "" : ` (skipped: ${opened.why})`;
describe.skipIf(opened.kind !== "ok")(`bwrap${why}`, () => {
  it("writes in the work tree, and only reads git", () => {
    const reads = "git status --porcelain && git diff --exit-code && git log -1 --format=%s";
    for (const cwd of [tree, repository]) {
      const ran = run(`echo hello > file && pwd && ${reads}`, { cwd });
      expect(ran).toMatchObject({ status: 0, out: `${cwd}\n?? file\nfirst` });
      expect(readFileSync(join(cwd, "file"), "utf8")).toBe("hello\n");
      expect(run("git add file", { cwd }).status).not.toBe(0);
      rmSync(join(cwd, "file"));
    }
  });

  it.each([
    ["a file next to the tree", () => `echo x > ${base}/outside`],
    ["the user's home", () => `echo x > ${home}/.profile`],
    ["the main tree", () => `echo x > ${repository}/file`],
    ["git's hooks", () => `echo x > ${repository}/.git/hooks/post-commit`],
    ["git's settings", () => `git config core.fsmonitor evil`],
    ["a log of git's", () => `ln -sf /nowhere ${repository}/.git/logs/HEAD`],
    [
      "the tree's own settings, which do not exist yet",
      () => `echo "[core]" > "$(git rev-parse --git-dir)/config.worktree"`,
    ],
    ["the tree's pointer to git", () => `echo gitdir: /evil > .git`],
    ["the pointer, by moving another file over it", () => `echo x > a && mv -f a .git`],
    [
      "git's pointer to the common folder",
      () => `echo /evil > "$(git rev-parse --git-dir)/commondir"`,
    ],
    ["the disk, made writable again", () => `mount -o remount,rw / && echo x > ${base}/outside`],
  ])("does not write %s", (_, script) => {
    expect(run(script()).status).not.toBe(0);
    expect(existsSync(join(base, "outside"))).toBe(false);
    expect(git(tree, "rev-parse", "--abbrev-ref", "HEAD").trim()).toBe("work");
  });

  it("sees neither keys in the home nor the real /tmp", () => {
    const left = mkdtempSync(join(tmpdir(), "smart-ralph-seen-"));
    try {
      for (const name of KEYS) expect(run(`cat ${home}/${name}`).out, name).toBe("");
      const isInTmp = left.startsWith("/tmp/");
      expect(run(`ls ${left}`).status !== 0).toBe(isInTmp);
      expect(run("touch /tmp/in-the-box && ls /tmp/in-the-box").status).toBe(0);
      expect(existsSync("/tmp/in-the-box")).toBe(false);
    } finally {
      rmSync(left, { recursive: true, force: true });
    }
  });

  it("has none of the sockets below /run", () => {
    expect(run("find /run -type s 2>/dev/null; ls /run/user /run/dbus").out).toBe("");
    expect(run("getent hosts localhost").status).toBe(0);
  });

  it("writes to an agent's own folder, but not to its settings", () => {
    const own = {
      writable: [join(home, ".agent")],
      readOnly: [join(home, ".agent/settings.json")],
    };
    expect(run(`echo x > ${home}/.agent/history`, own).status).toBe(0);
    expect(run(`echo x > ${home}/.agent/settings.json`, own).status).not.toBe(0);
    expect(run(`rm ${home}/.agent/settings.json`, own).status).not.toBe(0);
    expect(readFileSync(join(home, ".agent/settings.json"), "utf8")).toBe("{}");
  });

  it("has no network if it is off", () => {
    const script = "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' ' | sort | xargs";
    expect(run(script, { box: { ...sandbox, network: false } }).out).toBe("lo");
  });

  it("passes on the exit code", () => {
    expect(run("exit 7").status).toBe(7);
  });

  it("runs a Verify, and leaves nothing of it running", async () => {
    const runner = makeLocalRunner({ wrap: (root) => wrapperFor(sandbox, place(root)) });
    const check = (command: string) =>
      runner.run({ command, expects: EXIT_0 }, { root: tree, commit: "c", timeoutMs: 20_000 });
    expect(await check("pwd")).toMatchObject({ outcome: "passed", tail: tree });
    expect(await check(`echo x > ${base}/outside`)).toMatchObject({ outcome: "failed" });
    expect(await check("(sleep 1; touch left) & echo done")).toMatchObject({ tail: "done" });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(existsSync(join(tree, "left"))).toBe(false);
  });
});

it("a Verify gets the intended environment", async () => {
  const runner = makeLocalRunner({ env: ({ PATH }) => ({ PATH, ONLY: "this" }) });
  const check = { command: 'echo "$ONLY:$HOME:"', expects: EXIT_0 };
  const ran = await runner.run(check, { root: base, commit: "c", timeoutMs: 20_000 });
  expect(ran.tail).toBe("this::");
});

describe("a sandbox that is not available is refused, with a fix", () => {
  const refuse = (said: string) => () => ({ ok: false, said });
  const options = { network: true, image: "me/agents" };
  it.each([
    ["bwrap", "spawnSync bwrap ENOENT", "linux", /not installed/, /install the package bubblewrap/],
    ["bwrap", "bwrap: setting up uid map: Permission denied", "linux", /uid map/, /AppArmor/],
    ["bwrap", "", "darwin", /Linux only/, /docker/],
    ["docker", "Cannot connect to the Docker daemon", "linux", /Cannot connect/, /start it/],
  ] as const)("%s: %s on %s", (kind, said, platform, reason, fix) => {
    const check = openSandbox(kind, options, refuse(said), platform);
    expect(check.kind).toBe("missing");
    if (check.kind === "missing") {
      expect(check.why).toMatch(reason);
      expect(check.fix).toMatch(fix);
    }
  });

  it("names a missing image", () => {
    const hasServer = ([, verb]: readonly string[]) => ({ ok: verb === "version", said: "" });
    expect(openSandbox("podman", options, hasServer)).toMatchObject({
      kind: "missing",
      why: "podman has no image me/agents",
      fix: "podman pull me/agents",
    });
  });

  it("bwrap does without a process namespace if there is none", () => {
    const noPids = (command: readonly string[]) => ({
      ok: !command.includes("--unshare-pid"),
      said: "Can't mount proc",
    });
    expect(openSandbox("bwrap", options, noPids, "linux")).toMatchObject({
      kind: "ok",
      sandbox: { ownPids: false },
    });
  });
});

describe("a container", () => {
  const container = {
    program: "docker",
    image: "me/agents:1",
    user: { uid: 1000, gid: 100 },
    cwd: "/w/tree",
    home: "/home/me",
    network: false,
    mounts: {
      hidden: [],
      readable: ["/opt/ralph"],
      writable: ["/w/tree", '/w/a,b"c'],
      readOnly: ["/w/repository/.git"],
      placed: [{ source: "/v/pointer", target: "/w/tree/.git", isReadOnly: true }],
    },
  } as const;

  it("contains what is listed, at the same paths, and nothing else", () => {
    expect(
      planContainer(container)(["agent", "--flag", "a b"], ["PATH", "ANTHROPIC_API_KEY"]),
    ).toEqual([
      ..."docker run --rm --interactive --init --read-only --cap-drop ALL".split(" "),
      ..."--security-opt no-new-privileges --tmpfs /tmp:exec,mode=1777 --label smart-ralph".split(
        " ",
      ),
      ..."--user=1000:100 --network none".split(" "),
      ..."--mount type=bind,source=/opt/ralph,target=/opt/ralph,readonly".split(" "),
      ..."--mount type=bind,source=/w/tree,target=/w/tree".split(" "),
      "--mount",
      'type=bind,"source=/w/a,b""c","target=/w/a,b""c"',
      ..."--mount type=bind,source=/w/repository/.git,target=/w/repository/.git,readonly".split(
        " ",
      ),
      ..."--mount type=bind,source=/v/pointer,target=/w/tree/.git,readonly".split(" "),
      ..."--env ANTHROPIC_API_KEY --env=HOME=/home/me".split(" "),
      ..."--env=npm_config_cache=/tmp/.npm --workdir=/w/tree me/agents:1 agent --flag".split(" "),
      "a b",
    ]);
  });

  it("keeps the user's id with podman, and may have a network", () => {
    const line = planContainer({ ...container, program: "podman", network: true })(["agent"], []);
    expect(line.join(" ")).toContain("--userns keep-id --user=1000:100 --mount");
    expect(line).not.toContain("--network");
  });
});
