import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { expectRefusal, makePlace } from "../program/support.ts";
import { makeFolder } from "../program/temporary.ts";
import { layouts, specum } from "../support/editions.ts";
import { openDesk, SHELL } from "../support/in-process.ts";

const commands = await loadCommands();
/** Those that only a client's hook calls are not shown to people. */
const shown = commands.filter(({ group }) => group !== "hook");
const names = shown.map(({ name }) => name);
const place = makePlace(specum);
const desk = openDesk(place);

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
])("%j says what was probably meant", async (argv, says) => {
  expectRefusal(await desk.run(argv), EXIT.usage, says);
});

it.each([["status"], ["switch"], ["tasks"]])(
  "%s dmeo says which spec was probably meant",
  async (verb) => {
    expectRefusal(
      await desk.run([verb, "dmeo"]),
      EXIT.missing,
      'there is no spec "dmeo"; did you mean demo?',
    );
  },
);

it("shows the help of every command that begins with a word", async () => {
  const { code, out } = await desk.run(["epic", "--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/epic new[^]*epic add[^]*epic status/);
});

describe("--help", () => {
  it.each([["--help"], ["-h"], ["help"], ["help", "--json"]])(
    "%j lists every command that the layout has",
    async (...argv) => {
      const { code, out, err } = await desk.run(argv);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      for (const { name, layouts: own = [specum.id], shellOnly = false } of shown)
        expect(
          out.split(/\n|\\n/).some((line) => line.startsWith(`  ${name} `)),
          name,
        ).toBe(own.includes(specum.id) && !shellOnly);
      for (const exit of Object.values(EXIT)) expect(out).toContain(`${exit} `);
    },
  );

  it("lists each command once", async () => {
    const { out } = await desk.run(["--help"]);
    const listed = [...out.matchAll(/^ {2}(\S.*?) {2,}/gm)].map(([, name]) => name);
    expect(listed.length).toBeGreaterThan(40);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it.each(layouts)("$plugin lists its own phases, and no other's", async (layout) => {
    const { out } = await openDesk(makePlace(layout)).run(["--help"]);
    const [, plan = ""] = /From an idea to tasks:\n([^]*?)\n\n/.exec(out) ?? [];
    const phases = new Set(layouts.flatMap((one) => one.phases.map(({ name }) => name)));
    const listed = plan.split("\n").map((line) => line.trim().split(" ", 1)[0] as string);
    expect(listed.filter((name) => phases.has(name))).toEqual(
      layout.phases.map(({ name }) => name),
    );
  });

  it.each(names)("%s says what it takes", async (name) => {
    const command = commands.find((one) => one.name === name);
    // Some have only the program of the shell.
    const more = command?.shellOnly === true ? SHELL : {};
    const { code, out, err } = await desk.run([...name.split(" "), "--help"], more);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const program = command?.shellOnly === true ? SHELL.program : specum.plugin;
    expect(out).toContain(`${program} ${[name, ...(command?.args ?? [])].join(" ")}: `);
    for (const option of Object.keys(command?.options ?? {})) expect(out).toContain(`--${option}`);
    expect((await desk.run(["help", ...name.split(" ")], more)).out).toBe(out);
  });

  it("of a plugin sends to a shell for what only the program there has", async () => {
    expectRefusal(await desk.run(["run"]), EXIT.usage, "run is a command of smart-ralph");
  });
});

it("options may come before a command of two words", async () => {
  expect(JSON.parse((await desk.run(["--json", "tasks", "list"])).out)).toMatchObject({ total: 3 });
});

describe("-C", () => {
  it.each([
    [["status", "-C", "gone"], /-C: there is no folder "gone"/],
    [["status", "-C", "specs/demo/tasks.md"], /there is no folder/],
    [["status", "-C"], /--directory needs <dir>/],
  ])("%j is refused", async (argv, says) => expectRefusal(await desk.run(argv), EXIT.usage, says));
});

it.each([
  ["--json", "status", "demo"],
  ["--spec", "demo", "--json", "status"],
  ["--spec=demo", "status", "--json"],
  ["--layout", "specum", "--json", "status"],
  ["-C", place.root, "--json", "status"],
])("options may come before the command: %s %s %s", async (...argv) => {
  const { code, out } = await desk.run(argv);
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
  ])("%j are refused with 2 and one line, and nothing is written", async (argv, says) => {
    expectRefusal(await desk.run(argv), EXIT.usage, says);
    const { code, ok, error } = await desk.json(argv);
    expect({ code, ok }).toEqual({ code: EXIT.usage, ok: false });
    expect(error).toMatchObject({ code: EXIT.usage, message: expect.any(String) as string });
    expect(readdirSync(place.folder)).toEqual(["tasks.md"]);
    expect(readdirSync(join(place.root, "specs"))).toEqual(["demo"]);
  });
});

it.each(layouts)("$plugin says where specs go if there are none", async (layout) => {
  const ran = await openDesk(makePlace(layout)).run(["implement"], { cwd: makeFolder() });
  const folder = layout.specsDirs[0].replaceAll(".", "\\.");
  expectRefusal(
    ran,
    EXIT.missing,
    new RegExp(
      `there is no ${folder}/ in .*; begin with smart-ralph run "<what you want to build>", or /${layout.plugin}:start`,
    ),
  );
});
