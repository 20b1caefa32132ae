import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { itEncloses } from "../../support/namespace.ts";
import { makeNight, PROGRAM } from "./night.ts";
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
    const commands = ["accept 1.2", "skip 1.2", "pause", "take demo"];
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

it("the user's pause ends when the run's time is up", async () => {
  const night = makeNight({ rows: ROWS });
  const go = night.counter("go");
  night.scenes([scene("1.1", [until(`test -e ${go}`), ...honest("1.1")])]);
  const child = night.start(["--max-time", "15s"]);
  const ended = night.wait(child);
  await night.until(({ kind }) => kind === "attempt-started");
  expect(night.cli("pause")).toMatchObject({ code: 0 });
  writeFileSync(go, "");
  await night.until(({ kind }) => kind === "paused");
  const { code, events } = await ended;
  expect(code).toBe(6);
  expect(events.at(-1)).toMatchObject({ status: "budget", done: 1, total: 2 });
});
