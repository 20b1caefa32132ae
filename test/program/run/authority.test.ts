import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { itEncloses } from "../../support/namespace.ts";
import { makeNight, type Night, PROGRAM, withTime } from "./night.ts";
import { honest, scene, until } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2" }];
const CLI = `"${process.execPath}" "${PROGRAM}"`;

/** Tries each command, and keeps its output in a file outside the work tree. */
const tries = (output: string, before: string, ...commands: readonly string[]): DemoStep[] =>
  commands.map((one) => ({ run: `${before} ${CLI} ${one} >> "${output}" 2>&1` }));

it("an agent cannot stop the run, neither by a command nor in the state file", async () => {
  const night = makeNight({ rows: ROWS });
  const output = night.counter("output");
  const flags = `for (const name of ["paused", "awaitingApproval"]) state[name] = true`;
  const edit = `const fs = require("fs"), file = "specs/demo/.ralph-state.json", state = JSON.parse(fs.readFileSync(file)); ${flags}; fs.writeFileSync(file, JSON.stringify(state)); fs.writeFileSync(process.argv[1], "")`;
  const edited = night.counter("edited");
  night.scenes([
    scene("1.1", [
      ...tries(output, "", "pause", "await-approval"),
      { run: `"${process.execPath}" -e '${edit}' "${edited}"` },
      ...honest("1.1"),
    ]),
  ]);
  const { code, events } = await night.run();
  expect(code).toBe(0);
  expect(events.filter(({ kind }) => kind === "paused")).toEqual([]);
  expect(readFileSync(output, "utf8").match(/only the user can run (?:pause|await)/g)).toHaveLength(
    2,
  );
  expect(existsSync(edited)).toBe(true);
});

it.runIf(process.platform === "linux")(
  "an agent that clears its environment is still an agent",
  async () => {
    const night = makeNight({ rows: ROWS });
    const output = night.counter("output");
    const commands = ["accept 1.2", "skip 1.2", "pause", "take demo", "discard --yes"];
    const bare = `env -i HOME="$HOME" PATH="$PATH" sh -c 'exec "$@"' sh`;
    night.scenes([scene("1.1", [...tries(output, bare, ...commands), ...honest("1.1")])]);
    const { code, events } = await night.run();
    expect(code).toBe(0);
    expect(events.at(-1)).toMatchObject({ status: "finished", done: 2, total: 2 });
    expect(readFileSync(output, "utf8").match(/only the user can run \w+/g)).toEqual(
      commands.map((one) => `only the user can run ${one.split(" ")[0]}`),
    );
  },
);

itEncloses(
  "nor does it help to be adopted: the first process in the agent's namespace has the mark",
  async () => {
    const night = makeNight({ rows: ROWS });
    const output = night.counter("output");
    const over = night.counter("over");
    const bare = `env -i HOME="$HOME" PATH="$PATH" setsid sh -c`;
    const alone = `sleep 0.3; ${CLI} accept 1.2 > "${output}" 2>&1; echo parent $PPID > "${over}"`;
    night.scenes([
      scene("1.1", [
        // Its parent ends at once.
        { run: `(${bare} '${alone.replaceAll("'", "'\\''")}' >/dev/null 2>&1 &)` },
        until(`test -s ${over}`),
        ...honest("1.1"),
      ]),
    ]);
    const { code, events } = await night.run();
    expect(code).toBe(0);
    expect(events.at(-1)).toMatchObject({ status: "finished", done: 2, total: 2 });
    expect(readFileSync(over, "utf8")).toBe("parent 1\n");
    expect(readFileSync(output, "utf8")).toContain("only the user can run accept");
  },
);
/** What only the user may do, as a script says it that somebody else starts. */
const USERS = ["accept 1.2", "skip 1.2", "approve", "pause", "stop", "take demo"];
/** A notification has only ten seconds. */
const SOME = ["accept 1.2", "pause", "stop"];

const refusalsIn = (output: string): string[] =>
  readFileSync(output, "utf8").match(/only the user can run \w+/g) ?? [];

const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const BARE = `env -i HOME="$HOME" PATH="$PATH" GIT_CONFIG_NOSYSTEM=1`;

/** Ways to start a command: with the environment as it is, and with none of it, at a terminal of its own. */
const WAYS: [how: string, isPossible: boolean, start: (command: string) => string][] = [
  ["as it is", true, (command) => command],
  [
    `without its environment, at a terminal${hasScript ? "" : " (skipped: there is no `script` here)"}`,
    hasScript && process.platform === "linux",
    (command) => `${BARE} script -qec '${command}' /dev/null`,
  ],
];

describe.each(WAYS)("a program that run starts, %s", (_, isPossible, start) => {
  const scriptOf = (output: string, commands: readonly string[]): string =>
    `cd "$1"; { ${commands.map((one) => `${start(`${CLI} ${one}`)}; `).join("")} } > "${output}" 2>&1 < /dev/null; true`;

  async function expectRefused(night: Night, commands: readonly string[]): Promise<void> {
    const { code, events } = await night.run();
    expect(refusalsIn(night.counter("output"))).toEqual(
      commands.map((one) => `only the user can run ${one.split(" ")[0]}`),
    );
    expect(code).toBe(0);
    expect(events.at(-1)).toMatchObject({ status: "finished", done: 2, total: 2 });
    expect(night.entries().map(({ event }) => event)).not.toContain("accepted");
    expect(night.work()).toContain("feat: task 1.2");
  }

  it.runIf(isPossible)("is not the user: the Verify of a task that the agent wrote", async () => {
    const night = makeNight({
      rows: [{ id: "1.1", files: "check.sh, t1-1.txt", verify: "sh check.sh" }, { id: "1.2" }],
    });
    const script = scriptOf(night.counter("output"), USERS);
    const text = `(set -- "${night.root}"; ${script})\ngrep -q done t1-1.txt\n`;
    night.scenes([scene("1.1", [{ write: "check.sh", text }, ...honest("1.1")])]);
    await expectRefused(night, USERS);
  });

  it.runIf(isPossible)("does not answer what another agent has asked", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2", files: "check.sh, t1-2.txt", verify: "sh check.sh" }],
    });
    const output = night.counter("output");
    const answer = `(cd "${night.root}"; ${start(`${CLI} answer 1 yes`)}) > "${output}" 2>&1\n`;
    night.scenes([
      scene("1.1", [{ run: `${CLI} ask "Pay?" --options yes,no` }, { report: "TASK_BLOCKED" }]),
      scene("1.2", [
        { write: "check.sh", text: `${answer}grep -q done t1-2.txt\n` },
        ...honest("1.2"),
      ]),
    ]);
    expect(await night.run()).toMatchObject({ code: 5 });
    expect(refusalsIn(output)).toEqual(["only the user can run answer"]);
    expect(night.cli("inbox").out).toContain("Pay?");
  });

  /** Runs with a command of the user's own settings that would be them. */
  async function expectNotUser(setting: string): Promise<void> {
    const night = makeNight({ rows: ROWS });
    const file = night.counter("users.sh");
    writeFileSync(file, scriptOf(night.counter("output"), SOME));
    night.settings(`${setting}: sh ${file} ${night.root}`);
    await expectRefused(night, SOME);
  }

  it.runIf(isPossible)("is not the user: run_setup", () => expectNotUser("run_setup"));
  it.runIf(isPossible)("is not the user: notify", () => expectNotUser("notify"));
});

it("the user's pause ends when the run's time is up", async () => {
  const { code, events } = await withTime(async (seconds) => {
    const night = makeNight({ rows: ROWS });
    const go = night.counter("go");
    night.scenes([scene("1.1", [until(`test -e ${go}`), ...honest("1.1")])]);
    const ended = night.wait(night.start(["--max-time", `${2 * seconds}s`]));
    await night.until(({ kind }) => kind === "attempt-started" || kind === "run-ended");
    night.cli("pause");
    writeFileSync(go, "");
    const { events: told } = await ended;
    return told.some(({ kind }) => kind === "paused") ? ended : undefined;
  });
  expect(code).toBe(6);
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 1, total: 2 });
});
