import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { expectRefusal, TASKS } from "../program/support.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { GOAL, makeFlow, nameIn, startFlow, written } from "./flow.ts";

describe.each(layouts)("$plugin new", (layout) => {
  it("creates a spec, and refuses a name that exists", async () => {
    const flow = makeFlow(layout);
    expect(await flow.typeJson("new", "rate-limit", GOAL)).toMatchObject({
      code: 0,
      created: true,
    });
    const before = readdirSync(join(flow.root, layout.specsDirs[0]));
    for (const name of ["rate-limit", nameIn(layout)])
      expectRefusal(
        await flow.type("new", name, "x", "y"),
        EXIT.refused,
        /already exists; .*fresh/,
      );
    expect(readdirSync(join(flow.root, layout.specsDirs[0]))).toEqual(before);
  });

  it("creates another one for the same goal", async () => {
    const flow = makeFlow(layout);
    const [one, two] = [await flow.typeJson("new", GOAL), await flow.typeJson("new", GOAL)];
    expect(one["spec"]).not.toBe(two["spec"]);
    expect(flow.read(`../${String(two["spec"])}/.progress.md`)).toContain(
      `- ${String(one["spec"])} [High]`,
    );
  });

  it("--skip-research begins with the second phase", async () => {
    const flow = await startFlow(layout, makeFlow(layout), "--skip-research");
    const [before, second] = layout.phases;
    expect(flow.state()).toMatchObject({ phase: second?.name });
    expect(await flow.prompt("start")).toContain(`There is no ${before?.document}; continuing`);
  });
});

describe("--specs-dir", () => {
  const settings = {
    ".claude/ralph-specum.local.md": "---\nspecs_dirs: [specs, packages/api/specs]\n---\n",
  };

  it("puts the spec into one of the configured folders, and the pointer into the first", async () => {
    const flow = makeFlow(specum, settings);
    const made = await flow.typeJson("start", "rate-limit", "--specs-dir", "./packages/api/specs/");
    expect(made).toMatchObject({ code: 0, path: "./packages/api/specs/rate-limit" });
    expect(readFileSync(join(flow.root, "specs/.current-spec"), "utf8")).toBe("rate-limit\n");
    const refused = await flow.type("start", "x-y", "--specs-dir", "packages");
    expectRefusal(refused, EXIT.usage, /packages is not one of .*\.\/specs, \.\/packages\/api/);
    expectRefusal(await flow.type("new", "rate-limit"), EXIT.refused, /already/);
  });

  it("lists the paths of a name that several folders have", async () => {
    const flow = makeFlow(specum, {
      ...settings,
      "specs/login/research.md": written(specum, "research.md"),
      "packages/api/specs/login/tasks.md": TASKS,
    });
    const paths = /ambiguous: \.\/specs\/login, \.\/packages\/api\/specs\/login; give the path/;
    for (const verb of ["start", "research", "design", "switch", "status"])
      expectRefusal(await flow.run([verb, "login"]), EXIT.usage, paths);
    expectRefusal(
      await flow.type("start"),
      EXIT.usage,
      /\.\/specs\/login, \.\/packages\/api\/specs\/l/,
    );
    expect(await flow.typeJson("start", "./specs/login")).toMatchObject({ phase: "requirements" });
  });
});

it("a Spec Kit project keeps its features where it has them", async () => {
  const inits = makeFlow(speckit, { ".specify/templates/": "" });
  expect(await inits.typeJson("start", GOAL)).toMatchObject({
    path: "./specs/001-count-requests-refuse",
  });
  const older = makeFlow(speckit, { ".specify/specs/004-old/spec.md": "# Old\n" });
  expect(await older.typeJson("start", GOAL)).toMatchObject({
    path: "./.specify/specs/005-count-requests-refuse",
  });
});
