import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { EXIT } from "../../src/apps/cli/command.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { layouts, specum } from "../support/editions.ts";
import { PATH, REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, makePlace, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const commands = await loadCommands();

const place = makePlace(specum);
/** Those that only a client's hook calls are not shown to people. */
const shown = commands.filter(({ group }) => group !== "hook");
const inShell = (argv: readonly string[]): ReturnType<typeof runChild> =>
  runChild(process.execPath, [join(REPOSITORY, "bin/smart-ralph.cjs"), ...argv], {
    cwd: place.root,
    env: { PATH },
  });

it("of the shell offers what only it has", () => {
  const meant = (word: string): string => inShell([word]).err;
  expect(meant("continue")).toMatch(/did you mean run or resume\?/);
  expect(meant("merge")).toMatch(/did you mean take\?/);
});

it("has the commands for agents under agent, too", () => {
  const { code, out } = inShell(["agent", "--help"]);
  expect(code).toBe(0);
  for (const { name } of shown.filter(({ group }) => group === "agent"))
    expect(out).toContain(`\n  agent ${name}`);
  expect(inShell(["agent"]).out).toBe(out);
  expect(inShell(["agent", "done", "--help"]).out).toBe(inShell(["done", "--help"]).out);
  const started = startPlace(specum);
  expect(started.run(["agent", "done", "1.1", "--report", "TASK_COMPLETE"]).code).toBe(0);
  expect(started.json(["status"])).toMatchObject({ done: 1 });
});

describe("--help", () => {
  it("of the shell is one screen; --all lists the rest", () => {
    const { out } = inShell(["help"]);
    expect(inShell(["--help"]).out).toBe(out);
    expect(out.split("\n").length).toBeLessThanOrEqual(24);
    const { out: all } = inShell(["help", "--all"]);
    for (const { name } of shown.filter(({ group }) => group !== "agent"))
      expect(all).toContain(`\n  ${name} `);
    expect(all).toContain("\n  agent <command> ");
  });

  it("works without a project, and in JSON", () => {
    expect(place.json(["status", "--help"], { cwd: makeFolder() })).toMatchObject({
      ok: true,
      code: 0,
    });
    expect(place.json(["--version"])).toMatchObject({ ok: true, version: manifest.version });
    for (const word of ["--version", "-v"])
      expect(place.run([word]).out).toBe(`${manifest.version}\n`);
  });
});

describe("-C", () => {
  it("works in another folder, whatever the client's project is", () => {
    const other = makePlace(specum, {}, "other");
    const env = { CLAUDE_PROJECT_DIR: other.root, CLAUDE_CODE_SESSION_ID: "s" };
    for (const options of [{ cwd: "/" }, { cwd: other.root, env }])
      for (const argv of [
        ["-C", place.root, "status"],
        ["status", "-C", place.root],
      ])
        expect(place.json(argv, options)).toMatchObject({ spec: "demo" });
    expect(place.json(["status", "-C", "specs/demo"])).toMatchObject({ spec: "demo" });
  });
});

describe("plain output", () => {
  // eslint-disable-next-line no-control-regex -- escape codes are just what is looked for
  const ESCAPE = /\u001b/;
  it.each([[["status"]], [["doctor"]], [["--help"]], [["nonsense"]]])(
    "of %j has no escape codes in a pipe",
    (argv) => {
      const { out, err } = place.run(argv);
      expect(out + err).not.toMatch(ESCAPE);
    },
  );

  it("is asked for with NO_COLOR, and is not with FORCE_COLOR", () => {
    const both = { NO_COLOR: "1", FORCE_COLOR: "1" };
    expect(place.run(["status"], { env: both }).out).not.toMatch(ESCAPE);
    expect(place.run(["status"], { env: { FORCE_COLOR: "1" } }).out).toMatch(ESCAPE);
    expect(place.run(["status", "--json"], { env: { FORCE_COLOR: "1" } }).out).not.toMatch(ESCAPE);
  });
});

describe.each(layouts)("the program of $plugin", (layout) => {
  const bin = join(REPOSITORY, "plugins", layout.plugin, "bin", layout.plugin);
  it("runs by its name, in any folder", () => {
    const { code, out } = runChild(bin, ["--help"], { cwd: "/", env: { PATH } });
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${layout.plugin} ${manifest.version}: `));
  });

  it("says so when there is no node", () => {
    const ran = runChild("/bin/sh", [bin, "status"], { env: { PATH: makeFolder() } });
    expectRefusal(ran, EXIT.broken, /node is not on PATH; install Node.js 20/);
  });
});

describe("smart-ralph", () => {
  const bin = join(REPOSITORY, "bin/smart-ralph.cjs");
  const run = (cwd: string, ...argv: string[]) =>
    runChild(process.execPath, [bin, ...argv], { cwd, env: { PATH, HOME: cwd } });

  it.each(layouts)("finds $id on its own", (layout) => {
    const { root, folder } = makePlace(layout);
    expect(run(root, "status").out).toMatch(/^demo \.\//);
    expect(run(root, "implement", "--json").code).toBe(0);
    expect(readdirSync(folder)).toContain(layout.stateFile);
    expect(run(root, "nonsense").err).toMatch(/^smart-ralph: /);
  });

  it("prefers the layout that runs, and obeys --layout", () => {
    const { root } = makePlace(specum, { ".specify/specs/other/tasks.md": "- [ ] T001 Do it\n" });
    expect(run(root, "status").out).toMatch(/^demo /);
    expect(run(root, "implement", "other", "--layout", "speckit").code).toBe(0);
    expect(run(root, "status").out).toMatch(/^other /);
    expect(run(root, "status", "--layout=specum").out).toMatch(/^demo /);
  });

  it("says where specs go if there are none", () => {
    expectRefusal(
      run(makeFolder(), "implement"),
      EXIT.missing,
      /there is no specs\/ in .*; begin with smart-ralph run "<what you want to build>", or \/ralph-specum:start/,
    );
  });
});
