import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isName } from "../../src/core/name.ts";
import { layouts, speckit } from "../../src/core/layout.ts";
import { EXIT } from "../../src/cli/command.ts";
import { REPOSITORY, startChild } from "./child.ts";
import { GOAL, makeFlow, nameIn, startFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";

const ODD = [
  "Größe & Übergröße",
  "добавить вход",
  "ユーザーのログイン",
  "🎉🎉🎉",
  'say "hello" to $(touch pwned) `touch pwned`; touch pwned',
  "../../../etc/passwd is readable",
  "..\\..\\windows is open",
  "con",
  "NUL",
  "aux.txt is locked",
  "x".repeat(300),
  "\u202Eevil\u001b[31m red",
  "-rf --no-preserve-root",
  "{{name}} and <goal>",
];

describe.each(layouts)("$plugin: a name", (layout) => {
  it.each(ODD)("is made of the goal %j", (goal) => {
    const flow = makeFlow(layout);
    const made = flow.typeJson("start", ...(goal.startsWith("-") ? ["--"] : []), goal);
    // Behind `--` everything is a word, the session too.
    expect(made).toMatchObject({ code: 0, created: true });
    const name = String(made["spec"]);
    expect(isName(name), name).toBe(true);
    const folders = readdirSync(join(flow.root, layout.specsDirs[0])).filter(
      (one) => one[0] !== ".",
    );
    expect(folders).toEqual([name]);
    expect(existsSync(join(flow.root, "pwned"))).toBe(false);
    expect(flow.at(name).read(".progress.md")).toContain(
      // eslint-disable-next-line no-control-regex -- these are just what must be gone
      goal.replace(/[\u001b\u202E]/g, ""),
    );
  });

  it("comes on standard input as well, where no shell takes it apart", () => {
    const flow = makeFlow(layout).at(nameIn(layout, "say-its-here"));
    const line = 'say-its-here it\'s $(touch pwned) "two  words" --tasks-size fine\n';
    const { code } = flow.run(["start", "--session", "s", "--args-from-stdin"], { input: line });
    expect(code).toBe(0);
    expect(flow.read(".progress.md")).toContain("Goal\n\nit's $(touch pwned) two  words\n");
    expect(flow.state()).toMatchObject({ granularity: "fine", sessionId: "s" });
    expect(readdirSync(flow.root)).not.toContain("pwned");
  });

  it("may stand before a goal that speaks of options, in quotes", () => {
    const flow = makeFlow(layout);
    const bare = flow.type("start", "add", "a", "--dry-run", "flag");
    expectRefusal(
      bare,
      EXIT.usage,
      /Unknown option '--dry-run'; if it is part of a goal, put that/,
    );
    expect(flow.type("start", "add a --dry-run flag").code).toBe(0);
  });

  it("that leads out of the project is refused, and nothing is made", () => {
    const flow = startFlow(layout);
    for (const path of ["../other", "/etc", "./../other"]) {
      expectRefusal(flow.type("start", path), EXIT.usage, /leads out of the project/);
      expectRefusal(flow.type(layout.phases[1]?.name ?? "", path), EXIT.usage, /leads out/);
    }
    expectRefusal(flow.run(["switch", "../other"]), EXIT.usage, /leads out of the project/);
    expect(readdirSync(join(flow.root, ".."))).toEqual(["project"]);
  });

  it("is given once, however many want it at the same time", async () => {
    const flow = makeFlow(layout);
    const cli = join(REPOSITORY, "plugins", layout.plugin, "dist/cli.cjs");
    const goals = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? GOAL : "Sell tickets"));
    const made = await Promise.all(
      goals.map((goal) =>
        startChild(process.execPath, [cli, `--layout=${layout.id}`, "new", goal, "--json"], {
          cwd: flow.root,
          env: flow.env,
        }),
      ),
    );
    const names = made.map(({ out, err }) => {
      expect(err).toBe("");
      return String((JSON.parse(out) as { spec: string }).spec);
    });
    expect(new Set(names).size).toBe(10);
    if (layout.id === "speckit")
      expect(names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(
        goals.map((_, i) => i + 1),
      );
    for (const [i, name] of names.entries())
      expect(flow.at(name).read(".progress.md")).toContain(`Original Goal\n\n${goals[i]}\n`);
  }, 60_000);
});

it("a feature is found by its name without the number, unless several have it", () => {
  const flow = startFlow(speckit);
  flow.type("start", "rate-limit", "another", "--fresh");
  expectRefusal(
    flow.type("plan", "rate-limit"),
    EXIT.usage,
    /ambiguous: .*001-rate-limit, .*002-rate-limit/,
  );
  expect(flow.json(["status", "002-rate-limit"])).toMatchObject({ spec: "002-rate-limit" });
});
