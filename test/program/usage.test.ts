import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { EXIT } from "../../src/apps/cli/command.ts";
import { commands } from "../../src/apps/cli/commands.ts";
import { layouts, specum } from "../support/editions.ts";
import { PATH, REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, makePlace, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const place = makePlace(specum);
/** Those that only a client's hook calls are not shown to people. */
const shown = commands.filter(({ group }) => group !== "hook");
const names = shown.map(({ name }) => name);
const inShell = (argv: readonly string[]): ReturnType<typeof runChild> =>
  runChild(process.execPath, [join(REPOSITORY, "bin/smart-ralph.cjs"), ...argv], {
    cwd: place.root,
    env: { PATH },
  });

it.each([
  [["statsu"], /there is no command "statsu"; did you mean status\?/],
  [["comp"], /there is no command "comp"; did you mean completion\?/],
  [["--jsno"], /there is no command "--jsno"; did you mean --json\?/],
  [["--versoin"], /did you mean --version\?/],
  [["hlep"], /did you mean help\?/],
  [["report"], /did you mean summary\?/],
  [["continue"], /did you mean resume\?/],
  [["agent", "dnoe"], /there is no command "agent dnoe"; did you mean agent done\?/],
  [["agent", "status"], /there is no command "agent status"; there are: agent next, /],
  [["lint"], /there is no command "lint"; did you mean tasks lint\?/],
  [["tasks", "lnt"], /there is no command "tasks lnt"; did you mean tasks lint\?/],
  [["epic", "stauts"], /there is no command "epic stauts"; did you mean epic status\?/],
  [["epic"], /epic needs a subcommand; one of: epic switch, /],
  [["status", "--jsn"], /unknown option --jsn; did you mean --json\?/],
  [["status", "--spec"], /--spec needs <name>; see ralph-specum status --help/],
])("%j says what was probably meant", (argv, says) => {
  expectRefusal(makePlace(specum).run(argv), EXIT.usage, says);
});

it.each([["status"], ["switch"], ["tasks"]])(
  "%s dmeo says which spec was probably meant",
  (verb) => {
    expectRefusal(
      makePlace(specum).run([verb, "dmeo"]),
      EXIT.missing,
      'there is no spec "dmeo"; did you mean demo?',
    );
  },
);

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

it("shows the help of every command that begins with a word", () => {
  const { code, out } = makePlace(specum).run(["epic", "--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/epic new[^]*epic add[^]*epic status/);
});

describe("--help", () => {
  it.each([["--help"], ["-h"], ["help"], ["help", "--json"]])(
    "%j lists every command that the layout has",
    (...argv) => {
      const { code, out, err } = place.run(argv);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      for (const { name, layouts: own = [specum.id], shellOnly = false } of shown)
        expect(
          out.split(/\n|\\n/).some((line) => line.startsWith(`  ${name} `)),
          name,
        ).toBe(own.includes(specum.id) && !shellOnly);
      for (const exit of Object.values(EXIT)) expect(out).toContain(`${exit} `);
    },
  );

  it("of the shell is one screen; --all lists the rest", () => {
    const { out } = inShell(["help"]);
    expect(inShell(["--help"]).out).toBe(out);
    expect(out.split("\n").length).toBeLessThanOrEqual(24);
    const { out: all } = inShell(["help", "--all"]);
    for (const { name } of shown.filter(({ group }) => group !== "agent"))
      expect(all).toContain(`\n  ${name} `);
    expect(all).toContain("\n  agent <command> ");
  });

  it("lists each command once", () => {
    const { out } = makePlace(specum).run(["--help"]);
    const listed = [...out.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, name]) => name);
    expect(listed.length).toBeGreaterThan(40);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(layouts)("$plugin lists its own phases, and no other's", (layout) => {
    const { out } = makePlace(layout).run(["--help"]);
    const [, plan = ""] = /From an idea to tasks:\n([^]*?)\n\n/.exec(out) ?? [];
    const phases = new Set(layouts.flatMap((one) => one.phases.map(({ name }) => name)));
    const listed = plan.split("\n").map((line) => line.trim().split(" ", 1)[0] as string);
    expect(listed.filter((name) => phases.has(name))).toEqual(
      layout.phases.map(({ name }) => name),
    );
  });

  it.each(names)("%s says what it takes", (name) => {
    const command = commands.find((one) => one.name === name);
    // Some have only the program of the shell.
    const ask =
      command?.shellOnly === true ? inShell : (argv: readonly string[]) => place.run(argv);
    const program = command?.shellOnly === true ? "smart-ralph" : "ralph-specum";
    const { code, out, err } = ask([name, "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`${program} ${[name, ...(command?.args ?? [])].join(" ")}: `);
    for (const option of Object.keys(command?.options ?? {})) expect(out).toContain(`--${option}`);
    expect(ask(["help", name]).out).toBe(out);
  });

  it("of a plugin sends to a shell for what only the program there has", () => {
    expectRefusal(place.run(["run"]), EXIT.usage, "run is a command of smart-ralph");
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

it("options may come before a command of two words", () => {
  expect(JSON.parse(place.run(["--json", "tasks", "list"]).out)).toMatchObject({ total: 3 });
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

  it.each([
    [["status", "-C", "gone"], /-C: there is no folder "gone"/],
    [["status", "-C", "specs/demo/tasks.md"], /there is no folder/],
    [["status", "-C"], /--directory needs <dir>/],
  ])("%j is refused", (argv, says) => expectRefusal(place.run(argv), EXIT.usage, says));
});

it.each([
  ["--json", "status", "demo"],
  ["--spec", "demo", "--json", "status"],
  ["--spec=demo", "status", "--json"],
  ["--layout", "specum", "--json", "status"],
  ["-C", place.root, "--json", "status"],
])("options may come before the command: %s %s %s", (...argv) => {
  const { code, out } = place.run(argv);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ ok: true, spec: "demo" });
});

describe("wrong arguments", () => {
  it.each<[argv: string[], says: RegExp]>([
    [["nonsense"], /there is no command "nonsense"; ralph-specum help --all lists them/],
    [["--nonsense"], /there is no command "--nonsense"/],
    [["--json=yes", "nonsense"], /there is no command "nonsense"/],
    [["help", "nonsense"], /there is no command "nonsense"/],
    [["\u001b[31mred\nline"], /there is no command "\[31mred line"/],
    [["status", "--nonsense"], /unknown option --nonsense; see ralph-specum status --help/],
    [["status", "a", "b"], /unexpected argument "b"/],
    [["status", "demo", "--spec", "demo"], /named twice/],
    [["done"], /done needs <task>/],
    [["fail", "1.1"], /fail needs --reason; say why/],
    [["fail", "1.1", "--reason", " \n"], /fail needs --reason/],
    [["status", "--layout", "other"], /--layout takes specum, speckit or openspec, not "other"/],
    [["implement", "--max-task-iterations", "0"], /takes a whole number from 1 to 10000, not "0"/],
    [["implement", "--max-global-iterations", "lots"], /whole number from 1 to 10000, not "lots"/],
    [["implement", "--recovery-mode=maybe"], /does not take an argument/],
    [["implement", "../../etc"], /leads out of the project/],
    [["implement", "specs/demo"], /"specs\/demo" is a path: begin it with \.\//],
    [["status", "specs/nofile.md"], /"specs\/nofile\.md" does not exist/],
  ])("%j are refused with 2 and one line, and nothing is written", (argv, says) => {
    expectRefusal(place.run(argv), EXIT.usage, says);
    const { code, ok, error } = place.json(argv);
    expect({ code, ok }).toEqual({ code: EXIT.usage, ok: false });
    expect(error).toMatchObject({ code: EXIT.usage, message: expect.any(String) as string });
    expect(readdirSync(place.folder)).toEqual(["tasks.md"]);
    expect(readdirSync(join(place.root, "specs"))).toEqual(["demo"]);
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

it.each(layouts)("$plugin says where specs go if there are none", (layout) => {
  const ran = makePlace(layout).run(["implement"], { cwd: makeFolder() });
  const folder = layout.specsDirs[0].replaceAll(".", "\\.");
  expectRefusal(
    ran,
    EXIT.missing,
    new RegExp(
      `there is no ${folder}/ in .*; begin with smart-ralph run "<what you want to build>", or /${layout.plugin}:start`,
    ),
  );
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
