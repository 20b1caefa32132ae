import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { isName } from "../../src/spec/name.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { REPOSITORY, startChild } from "./child.ts";
import { GOAL, makeFlow, nameIn, startFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";
import { besides } from "./temporary.ts";

const layout = specum;

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

describe("a name", () => {
  it.each(ODD)("is made from the goal %j", (goal) => {
    const flow = makeFlow(layout);
    const made = flow.typeJson("start", goal);
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

  it("is taken as typed: no shell splits it", () => {
    const flow = makeFlow(layout).at(nameIn(layout, "say-its-here"));
    const prompt = `/${layout.plugin}:start say-its-here it's $(touch pwned) "two  words" --tasks-size fine`;
    expect(flow.hook("expansion", { session_id: "s", prompt })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    expect(flow.run(["start", "--typed", "s"]).code).toBe(0);
    expect(flow.read(".progress.md")).toContain("Goal\n\nit's $(touch pwned) two  words\n");
    expect(flow.state()).toMatchObject({ granularity: "fine", sessionId: "s" });
    expect(readdirSync(flow.root)).not.toContain("pwned");
  });

  it("may come before a goal that mentions options", () => {
    const flow = makeFlow(layout);
    const goal = "add a --dry-run flag, --quick as it is -h and --json";
    const made = flow.typeJson("start", ...goal.split(" "), "there");
    const name = String(made["spec"]);
    expect(flow.at(name).read(".progress.md")).toContain(`${goal} there\n`);
    expect(flow.at(name).state()).toMatchObject({ quickMode: false });
    expectRefusal(flow.type("start", "--dry-run", "a"), EXIT.usage, /unknown option --dry-run/);
    // In a shell, quotes are for the shell.
    const bare = flow.run(["new", "add", "a", "--dry-run", "flag"]);
    expectRefusal(bare, EXIT.usage, /unknown option --dry-run; if it is part of a goal, put that/);
  });

  it("comes only from what was typed: the agent that runs the line adds nothing to it", () => {
    const flow = makeFlow(layout).at(nameIn(layout, "two-words"));
    const prompt = `/${layout.plugin}:start two-words of a goal`;
    flow.hook("expansion", { session_id: "s", prompt });
    expect(flow.run(["start", "--typed", "s", "--quick", "more"]).code).toBe(0);
    expect(flow.read(".progress.md")).toContain("Goal\n\nof a goal\n");
    expect(flow.state()).toMatchObject({ quickMode: false });
  });

  it("that leads out of the project is refused, and nothing is created", () => {
    const flow = startFlow(layout);
    for (const path of ["../other", "/etc", "./../other"]) {
      expectRefusal(flow.type("start", path), EXIT.usage, /leads out of the project/);
      expectRefusal(flow.type(layout.phases[1]?.name ?? "", path), EXIT.usage, /leads out/);
    }
    expectRefusal(flow.slash(["switch", "../other"]), EXIT.usage, /leads out of the project/);
    expect(besides(flow)).toEqual(["project"]);
  });
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

it.each(layouts)(
  "$plugin gives a name once, however many want it at the same time",
  async (own) => {
    const flow = makeFlow(own);
    const cli = join(REPOSITORY, "plugins", own.plugin, "dist/cli.cjs");
    const goals = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? GOAL : "Sell tickets"));
    const made = await Promise.all(
      goals.map((goal) =>
        startChild(process.execPath, [cli, `--layout=${own.id}`, "new", goal, "--json"], {
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
    if (own.id === "speckit")
      expect(names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(
        goals.map((_, i) => i + 1),
      );
    for (const [i, name] of names.entries())
      expect(flow.at(name).read(".progress.md")).toContain(`Original Goal\n\n${goals[i]}\n`);
  },
  60_000,
);
