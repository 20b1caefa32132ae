import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { specum } from "../../support/editions.ts";
import { GIT_ENV } from "../../support/repository.ts";
import { endOf } from "../child.ts";
import { openPlace } from "../support.ts";
import { hasTerminal, inTerminal } from "../terminal.ts";
import { makeNight, type Night, photograph, PROGRAM, settled } from "./night.ts";
import { honest, scene } from "./scenes.ts";

const DETACH = ["run", "demo", "--agent", "demo", "--detach"];

/** The agent of 1.2 waits until it is let go. */
function makePatient(): Night {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const wait = `until test -e "${night.counter("go")}"; do sleep 0.1; done`;
  night.scenes([scene("1.2", [{ run: wait }, ...honest("1.2")])]);
  onTestFinished(() => void night.cli("stop"));
  return night;
}

const letGo = (night: Night): void => writeFileSync(night.counter("go"), "");

const runsOf = (night: Night): string => join(night.home, ".local/state/smart-ralph/runs");

const started = (night: Night): { run: string; pid: number } => {
  const [first] = night.events();
  if (first?.kind !== "run-started") throw new Error("no run has started");
  return first;
};

const isAtWork = (one: { kind: string; task?: string }): boolean =>
  one.kind === "attempt-started" && one.task === "1.2";

async function expectFinished(night: Night): Promise<void> {
  expect(await night.until(({ kind }) => kind === "run-ended")).toMatchObject({
    status: "finished",
    done: 2,
  });
  expect(await settled(night.left)).toEqual([]);
}

describe("run --detach", () => {
  it("returns once the run is at work; it goes on without a terminal, into a file", async () => {
    const night = makePatient();
    const before = photograph(night);
    const { code, out, err } = night.cli(...DETACH);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { run, pid } = started(night);
    for (const line of [`Run ${run} `, `smart-ralph watch ${run} `, `smart-ralph stop ${run} `])
      expect(out).toContain(line);
    expect(out).toContain("smart-ralph summary demo ");
    await night.until(isAtWork as never);
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
    expect(Number(stat.split(" ")[3]), "it has a session of its own").toBe(pid);
    process.kill(pid, "SIGHUP");
    letGo(night);
    await expectFinished(night);
    const log = readFileSync(join(runsOf(night), run, "output.log"), "utf8");
    expect(log).toMatch(
      /^\d\d:\d\d:\d\d {2}run .*\n[\s\S]*✓ 1\.2 proven: [\s\S]*2 of 2 tasks done: 2 proven\./,
    );
    expect(log).not.toContain("\u001b");
    expect(readdirSync(runsOf(night)), "nothing else is left").toEqual([run]);
    expect(photograph(night)).toEqual(before);
  });

  it("is stopped from another shell, and goes on where it was", async () => {
    const night = makePatient();
    const ran = night.cli(...DETACH, "--json");
    expect(JSON.parse(ran.out)).toMatchObject({ ok: true, pid: started(night).pid });
    await night.until(isAtWork as never);
    const stopped = night.cli("stop");
    expect(stopped).toMatchObject({ code: 0, err: "" });
    expect(stopped.out).toContain(`demo  stopped  ${started(night).run}\n1 of 2 tasks done`);
    expect(stopped.out).toContain("smart-ralph run demo --agent demo\n");
    expect(await settled(night.left)).toEqual([]);
    expect(night.cli("stop")).toMatchObject({ code: 3 });
    expect(night.cli("stop", "demo").err).toContain("has ended");
    letGo(night);
    expect((await night.run()).code).toBe(0);
    const { out } = night.cli("watch");
    expect(out).toMatch(/2 of 2 tasks done: 2 proven\. This run did 1 of them in /);
    expect(out).toMatch(/✓ {2}1\.1 .* earlier\n✓ {2}1\.2 .* s\n/);
  });

  it("says why it does not begin, as without --detach, and leaves nothing", async () => {
    const night = makePatient();
    for (const [word, code] of [
      ["nothing", 3],
      ["demo", 2],
    ] as const) {
      const args = ["run", word, "--agent", word === "demo" ? "nobody" : "demo"];
      const plain = night.cli(...args);
      expect(plain.code).toBe(code);
      expect(night.cli(...args, "--detach")).toEqual(plain);
    }
    expect(readdirSync(runsOf(night))).toEqual([]);
  });

  it("shows the whole output of a run that was over before it could begin", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }], settings: "run_setup: sleep 300" });
    const child = spawn(process.execPath, [PROGRAM, ...DETACH], {
      cwd: night.root,
      env: night.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = night.wait(child);
    await night.untilProcess("sleep 300");
    child.kill("SIGINT");
    const { code, out } = await ended;
    expect(code).toBe(130);
    expect(out).toMatch(/ {2}stopped\n/);
    expect(await settled(night.left)).toEqual([]);
  });

  it("is refused beside another run, which stays the default of every command", async () => {
    const night = makePatient();
    expect(night.cli(...DETACH).code).toBe(0);
    const { run } = started(night);
    await night.until(isAtWork as never);
    const second = night.cli(...DETACH);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toContain(`run ${run} (process `);
    expect(second.err).toContain(`smart-ralph stop ${run}`);
    const shown = (...args: string[]) => JSON.parse(night.cli(...args, "--json").out) as object;
    expect(night.cli("stop")).toMatchObject({ code: 0 });
    expect(shown("watch")).toMatchObject({ run, status: "stopped" });
    expect(shown("watch", "demo")).toMatchObject({ run });
    expect(shown("replay")).toMatchObject({ run });
    expect(shown("logs", "--run")).toMatchObject({ run, task: "1.2" });
    expect(shown("summary")).toMatchObject({ run: { run } });
    expect(readdirSync(runsOf(night)), "what is refused leaves nothing").toEqual([run]);
    const taken = night.cli("take", "demo", "--keep", "--yes").out;
    expect(taken).toContain("1 task to go: smart-ralph run demo --agent demo, or");
  });

  it.runIf(hasTerminal)("outlives its terminal, with the user's authority", async () => {
    const night = makePatient();
    // A run that a script could not take over.
    const client = openPlace(specum, night.root, night.spec, night.home, GIT_ENV);
    expect(client.slash(["implement", "demo"]).code).toBe(0);
    expect(night.cli(...DETACH).err).toContain("belongs to a session of the client");
    const [flags = "", line = "", file = ""] = inTerminal(80, DETACH);
    const stays = `${line.replace("exec ", "")}; sleep 300`;
    const shell = spawn("script", [flags, stays, file], {
      cwd: night.root,
      env: { ...night.env, TERM: "xterm", SHELL: "/bin/sh" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    const shown = await new Promise<string>((resolve) => {
      let text = "";
      shell.stdout.on("data", (chunk: Buffer) => {
        text += String(chunk);
        if (/Its output is in|smart-ralph: /.test(text)) resolve(text);
      });
    });
    expect(shown).toContain("You can close this terminal.");
    await night.until(isAtWork as never);
    shell.kill("SIGKILL");
    await endOf(shell);
    letGo(night);
    await expectFinished(night);
  });
});
