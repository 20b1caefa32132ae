import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import type { Diagnostic } from "../../../src/text/diagnostic.ts";
import { runChild } from "../child.ts";
import { fillFolder } from "../temporary.ts";
import { makeNight, type Night, PROGRAM, settled } from "./night.ts";
import { honest, type Row, scene } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2", tags: "[P]" }, { id: "1.3", tags: "[P]" }];

/** Says that it is there and logged in, and works for nobody. */
const CLAUDE = `#!/bin/sh
case "$1" in --version) echo 2.1.325 ;; auth) echo '{"loggedIn":true}' ;; *) exit 1 ;; esac
`;

function run(night: Night, ...args: readonly string[]) {
  return runChild(process.execPath, [PROGRAM, "run", ...args], {
    cwd: night.root,
    env: night.env,
  });
}

const namesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/\.git\/(?:index|logs)/.test(name))
    .sort();

const refsOf = (night: Night): string => night.git("for-each-ref", "--format=%(refname)");

describe("--dry-run", () => {
  it("shows every check and the plan, calls nobody, and leaves nothing", () => {
    const night = makeNight({ rows: ROWS, programs: { claude: CLAUDE } });
    const before = [namesBelow(night.home), refsOf(night)];
    const { code, out } = run(night, "demo", "--agent", "claude:opus", "--dry-run", "--detach");
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {7}claude 2\.1\.325 is ready$/m);
    expect(out).toMatch(
      /^info {5}no sandbox: claude \(--dangerously-skip-permissions\) can do whatever you can\n +→ --sandbox/m,
    );
    expect(out).toMatch(/^info {5}no budget is set$/m);
    expect(out).toMatch(
      /^demo: 3 open tasks, by claude:opus\n {2}1\. 1\.1 .*\n {2}2\. ∥ 1\.2 .*\n {5}∥ 1\.3 .*\nNothing/m,
    );
    expect([namesBelow(night.home), refsOf(night)]).toEqual(before);
  });

  it.each(["smart-ralph", "smart-ralph/demo"])("sees a branch %s in the way", (branch) => {
    const night = makeNight({ rows: ROWS });
    night.git("branch", branch);
    const { code, out } = run(night, "demo", "--agent", "demo", "--dry-run");
    expect(code).toBe(1);
    expect(out).toContain(`git branch -m ${branch} <other name>`);
  });

  it("of a goal says what would be written first; as JSON too", () => {
    const night = makeNight({ rows: ROWS });
    const before = namesBelow(night.home);
    const goal = "Rework how requests are counted across the whole service";
    const { code, out } = run(night, goal, "--agent", "demo", "--dry-run", "--json");
    expect(code).toBe(0);
    const { ok, checks, plan } = JSON.parse(out) as {
      ok: boolean;
      checks: Diagnostic[];
      plan: object;
    };
    expect(ok).toBe(true);
    expect(checks.map((one) => one.code)).toContain("identity");
    expect(plan).toMatchObject({
      first: ["research.md", "requirements.md", "design.md", "tasks.md"],
      steps: [],
      agents: ["demo"],
    });
    expect(namesBelow(night.home)).toEqual(before);
  });

  it.each([
    ["an agent that is missing", ["--agent", "codex"], "", 7, "codex is not on the PATH"],
    ["a full disk", ["--agent", "demo"], "run_min_free: 9000TB", 1, "run_min_free is 9000000.0 GB"],
  ])("says what keeps the run from beginning: %s", (_, args, settings, code, why) => {
    const night = makeNight({ rows: ROWS, settings });
    const dry = run(night, "demo", ...args, "--dry-run");
    expect(dry).toMatchObject({ code });
    expect(dry.out).toMatch(/^error {4}/m);
    expect(dry.out).toContain(why);
    const real = run(night, "demo", ...args);
    expect(real).toMatchObject({ code });
    expect(real.err).toContain(why);
    expect(existsSync(join(night.home, ".local"))).toBe(false);
    expect(refsOf(night)).toBe("refs/heads/main");
  });
});

describe("a Verify whose program is not on the PATH", () => {
  const verify = "no-such-tool --check";
  const told = "begins with no-such-tool, which is not on the PATH";

  it("is refused before anything is made for it, if no task can be proven without it", async () => {
    const night = makeNight({ rows: ["1.1", "1.2"].map((id) => ({ id, verify })) });
    const { code, out } = await night.run();
    expect(code).toBe(1);
    expect(out).toContain(`the Verify of 1.1, 1.2 ${told}`);
    expect(refsOf(night)).toBe("refs/heads/main");
  });

  it.each<[string, Row, string]>([
    ["others can be proven", { id: "1.2" }, ""],
    ["a task may install it", { id: "1.2", verify, title: "Install what is missing" }, ""],
    ["a task names it", { id: "1.2", verify, title: "Get no-such-tool" }, ""],
    ["run_setup may install it", { id: "1.2", verify }, "run_setup: true"],
  ])("is only a note if %s", (_, other, settings) => {
    const night = makeNight({ rows: [{ id: "1.1", verify }, other], settings });
    const dry = run(night, "demo", "--agent", "demo", "--dry-run");
    expect(dry.code).toBe(0);
    expect(dry.out).toMatch(new RegExp(`^info {5}the Verify of .* ${told}$`, "m"));
  });

  it.each([() => "tools", ({ root }: Night) => join(root, "tools")])(
    "is only a note if the PATH leads into the project",
    (folderIn) => {
      const night = makeNight({ rows: [{ id: "1.1", verify }] });
      night.env["PATH"] += `:${folderIn(night)}`;
      expect(run(night, "demo", "--agent", "demo", "--dry-run").code).toBe(0);
    },
  );

  it.each(["PATH=$PWD/tools:$PATH chk", "scripts/greet.sh"])("%s is left alone", (command) => {
    const night = makeNight({ rows: [{ id: "1.1", files: "scripts/", verify: command }] });
    const dry = run(night, "demo", "--agent", "demo", "--dry-run");
    expect(dry.code).toBe(0);
    expect(dry.out).not.toContain("PATH");
  });

  it("is told to the task's agent at once, and costs the task one attempt", async () => {
    const night = makeNight({
      rows: [{ id: "1.1", verify }, { id: "1.2" }],
      scenes: [
        {
          when: "Its Verify cannot run",
          attempts: [[{ report: "VERIFY_WRONG: it is not installed; `grep -q done t1-1.txt`" }]],
        },
      ],
    });
    const { code, events } = await night.run();
    expect(code).toBe(5);
    const starts = events.flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));
    expect(starts).toEqual(["1.1", "1.2"]);
  });
});

it("the first lines of a run say the same in short, and which rights agents have", () => {
  const settings = "default_max_iterations: 1";
  const night = makeNight({ rows: [{ id: "1.1" }], settings, programs: { claude: CLAUDE } });
  const { out } = run(night, "demo", "--agent", "claude", "--plain");
  const lines = out.split("\n").map((line) => line.replace(/^\S+ +/, ""));
  expect(lines.slice(1, 4)).toEqual([
    "· ok: git, identity, tree, agent, disk, proof",
    "· no sandbox: claude (--dangerously-skip-permissions) can do whatever you can → --sandbox bwrap, docker or podman confines agents",
    "· no budget is set → --max-cost 10, --max-tokens 5m or --max-time 8h",
  ]);
  expect(lines.findIndex((line) => line.startsWith("▶"))).toBeGreaterThan(3);
});

describe("awake", () => {
  const INHIBIT = `#!/bin/sh\necho "$@" >> "$HOME/inhibited"\nexec sleep 300 < /dev/null\n`;
  const HELD = `#!/bin/sh\necho "$@" >> "$HOME/inhibited"\nexec cat\n`;
  const heldIn = ({ home }: Night): string =>
    existsSync(join(home, "inhibited")) ? readFileSync(join(home, "inhibited"), "utf8") : "";

  it("is asked for while a run works, and ends with it", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }], programs: { "systemd-inhibit": INHIBIT } });
    // It checks that no process is left.
    expect(await night.run()).toMatchObject({ code: 0 });
    expect(heldIn(night)).toMatch(/^--what=idle:sleep .* cat\n$/);
  });

  it("ends with a run that is killed", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }],
      scenes: [scene("1.1", [{ run: "sleep 60" }])],
      programs: { "systemd-inhibit": HELD },
    });
    const child = night.start();
    const ended = night.wait(child);
    await night.until(({ kind }) => kind === "attempt-started");
    expect(heldIn(night)).not.toBe("");
    child.kill("SIGKILL");
    await ended;
    expect(await settled(night.left)).toEqual([]);
  });

  it("is not asked for with run_awake: off", async () => {
    const programs = { "systemd-inhibit": INHIBIT };
    const night = makeNight({ rows: [{ id: "1.1" }], settings: "run_awake: off", programs });
    expect(await night.run()).toMatchObject({ code: 0 });
    expect(heldIn(night)).toBe("");
  });
});

describe("a disk that fills up", () => {
  /** Its disk is full as soon as there is such a file. */
  function makeFilling(): { readonly night: Night; readonly full: string } {
    const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
    const full = join(night.home, "full");
    fillFolder(night.home, {
      "disk.cjs": `const fs = require("node:fs");
fs.statfsSync = () => ({ bavail: fs.existsSync(${JSON.stringify(full)}) ? 1 : 9e9, bsize: 1 });
`,
    });
    night.env["NODE_OPTIONS"] = `--require=${join(night.home, "disk.cjs")}`;
    night.scenes([scene("1.1", [{ run: `touch ${full}` }, ...honest("1.1")])]);
    return { night, full };
  }
  const startedIn = ({ events }: Night): string[] =>
    events().flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));
  const USE =
    /^only 0 MB are free at .*, and run_min_free is 1\.0 GB\. Runs take \d+ MB in \S+trees\S* and \d+ MB in \S+runs\b/;

  it("pauses the run before the next agent, and it says what takes the space", async () => {
    const { night } = makeFilling();
    const child = night.start();
    const ended = night.wait(child);
    const waiting = await night.until(({ kind }) => kind === "waiting");
    expect(waiting).toHaveProperty("why", expect.stringMatching(USE));
    expect(startedIn(night)).toEqual(["1.1"]);
    expect(night.cli("summary", "demo").out).toContain("Waits: only 0 MB are free");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
  });

  it("that is full for our own files is waited for, and nothing is lost", async ({ skip }) => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2" }],
      settings: "run_min_free: 1MB",
    });
    const own = join(night.home, ".local");
    const filler = join(own, "filler");
    mkdirSync(own);
    const mount = ["-t", "tmpfs", "-o", "size=16m", "none", own];
    if (spawnSync("mount", mount).status !== 0) return skip("only root can mount a small disk");
    onTestFinished(() => void spawnSync("umount", ["--lazy", own]));
    const fill = { run: `cat /dev/zero > ${filler}; true` };
    const noise = Array.from({ length: 20 }, (_, i) => ({ say: `line ${i}` }));
    const [write, ...report] = honest("1.1");
    night.scenes([scene("1.1", [write as DemoStep, fill, ...noise, ...report])]);
    const child = night.start();
    const ended = night.wait(child);
    await new Promise<void>((resolve) => {
      let out = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        out += String(chunk);
        if (out.includes('"waiting"')) resolve();
      });
      child.once("exit", () => resolve());
    });
    expect(statfsSync(own).bavail).toBe(0);
    rmSync(filler);
    const { code, events } = await ended;
    expect(code).toBe(0);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "done")).toHaveLength(2);
    expect(kinds.indexOf("waiting")).toBeGreaterThan(kinds.indexOf("attempt-started"));
    expect(kinds.filter((kind) => kind === "attempt-ended")).toHaveLength(2);
    const [folder = ""] = readdirSync(join(own, "state/smart-ralph/runs"));
    const log = join(own, "state/smart-ralph/runs", folder, "attempts/demo/1.1-1.demo.jsonl");
    expect(readFileSync(log, "utf8")).toContain("line 19");
  });

  it("ends it with 5 if it may not wait, and it goes on once there is space", async () => {
    const { night, full } = makeFilling();
    const { code, events } = await night.run(["--no-wait"]);
    expect(code).toBe(5);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "note", text: expect.stringMatching(USE) }),
    );
    expect(events.at(-1)).toMatchObject({ status: "waits", text: expect.stringMatching(/^only/) });
    expect(startedIn(night)).toEqual(["1.1"]);
    rmSync(full);
    expect(await night.run()).toMatchObject({ code: 0 });
    expect(startedIn(night)).toEqual(["1.2"]);
  });
});
