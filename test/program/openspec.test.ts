import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { openspec, specum } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { makeFlow, startFlow, written } from "./flow.ts";
import { expectRefusal, findingOf, makePlace, type Place, pointerOf } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const CHANGE = "openspec/changes/demo";
const DELTA = written(openspec, "specs/");
const FINISHED = "## 1. All\n\n- [x] 1.1 a\n";

/** The program that finds the layout by itself. */
function anyLayout(place: Place, ...args: string[]): Record<string, unknown> {
  const program = join(REPOSITORY, "bin/smart-ralph.cjs");
  const { out } = runChild(process.execPath, [program, ...args, "--json"], {
    cwd: place.root,
    env: { ...place.env },
  });
  return JSON.parse(out) as Record<string, unknown>;
}

describe("an OpenSpec project", () => {
  it("has changes; the archive, the specs and hidden folders are none", () => {
    const place = makePlace(openspec, {
      "openspec/specs/limits/spec.md": "# Limits\n",
      "openspec/changes/archive/2025-01-02-old/tasks.md": FINISHED,
      "openspec/changes/.cache/tasks.md": FINISHED,
    });
    const specs = place.json(["list"])["specs"] as { spec: string }[];
    expect(specs.map(({ spec }) => spec)).toEqual(["demo"]);
    expect(place.json(["list", "--archived"])["archived"]).toEqual([
      { spec: "old", at: "2025-01-02", path: "./openspec/changes/archive/2025-01-02-old" },
    ]);
    for (const name of ["archive", "old", "./openspec/changes/archive/2025-01-02-old"])
      expectRefusal(place.run(["status", name]), EXIT.missing, /there is no change/);
  });

  it("says that coverage is not checked where no task names a requirement", () => {
    const place = makePlace(openspec, { [`${CHANGE}/specs/limits/spec.md`]: DELTA });
    const { out } = place.run(["trace"]);
    expect(out).toMatch(/requirements?; no task names one, so coverage is not checked; 0 of/);
    expect(out).toContain("- no task names it");
  });

  it("has no active change once OpenSpec has archived it", () => {
    const place = makePlace(openspec, {
      "openspec/changes/archive/2026-11-16-add-x/tasks.md": FINISHED,
      [pointerOf(openspec)]: "add-x\n",
    });
    expect(place.json(["status"])).toMatchObject({ code: 0, spec: "demo", active: null });
    expect(findingOf(place, "pointer")).toMatchObject({
      severity: "info",
      message: 'no active change: "add-x" was archived',
    });
    fillFolder(place.root, { "openspec/changes/other/tasks.md": "- [ ] 1.1 a\n" });
    expectRefusal(
      place.run(["status"]),
      EXIT.missing,
      /"add-x" was archived; there are: demo, other; name one of them, or ralph-openspec switch <name>/,
    );
  });

  it("gets nothing of ours next to its changes: OpenSpec would take it for one", () => {
    const place = makePlace(openspec, { "src/a.ts": "export {};\n" });
    expect(place.run(["index"]).code).toBe(0);
    expect(place.run(["epic", "new", "big", "a lot"]).code).toBe(0);
    expect(place.run(["new", "archive", "put things away"]).code).not.toBe(0);
    expect(readdirSync(join(place.root, "openspec/changes"))).toEqual(["demo"]);
    expect(existsSync(join(place.root, "openspec/.index/index.md"))).toBe(true);
    expect(existsSync(join(place.root, "openspec/_epics/big"))).toBe(true);
  });

  it("leaves it to OpenSpec to archive a change that says something about specs", () => {
    const place = makePlace(openspec, {
      [`${CHANGE}/tasks.md`]: FINISHED,
      [`${CHANGE}/specs/limits/spec.md`]: DELTA,
    });
    expectRefusal(
      place.run(["archive", "demo"]),
      EXIT.refused,
      /not been merged.*`openspec archive demo` merges it.*--skip-specs only moves/,
    );
    expect(existsSync(place.folder)).toBe(true);
    expect(place.run(["archive", "demo", "--skip-specs"]).code).toBe(0);
    expect(existsSync(place.folder)).toBe(false);
  });

  it("is checked by OpenSpec's rules, file by file", () => {
    const place = makePlace(openspec, {
      [`${CHANGE}/specs/limits/spec.md`]: DELTA,
      [`${CHANGE}/specs/api/keys/spec.md`]: DELTA.replace("SHALL refuse", "refuses"),
    });
    const { code, findings } = place.json(["check", "specs"]);
    expect(code).toBe(EXIT.refused);
    expect(findings).toMatchObject([
      { code: "not-normative", target: "specs/api/keys/spec.md", line: 5 },
    ]);
    fillFolder(place.folder, { "specs/api/keys/spec.md": DELTA });
    for (const word of ["specs/", "specs", "./openspec/changes/demo/specs/limits/spec.md"])
      expect(place.json(["check", word])).toMatchObject({ code: 0, documents: ["specs/"] });
  });

  it("needs no delta if the change says that it changes no spec", () => {
    const place = makePlace(openspec);
    expect(place.json(["check", "specs"])).toMatchObject({
      findings: [{ code: "document-missing", target: "specs/" }],
    });
    fillFolder(place.folder, { ".openspec.yaml": "schema: spec-driven\nskip_specs: true\n" });
    expect(place.json(["check", "specs"])).toMatchObject({ code: 0 });
  });

  it("is traced by the names of requirements", () => {
    const list = "- [ ] 1.1 Count\n  - _Requirements: FR-1 Count_\n";
    const place = makePlace(openspec, {
      [`${CHANGE}/tasks.md`]: list,
      [`${CHANGE}/specs/limits/spec.md`]: DELTA,
    });
    expect(place.json(["trace", "--check"])).toMatchObject({
      code: EXIT.refused,
      document: "./openspec/changes/demo/specs/",
      problems: [
        {
          code: "uncovered-requirement",
          about: "limits: US-1 Too many",
          target: "./openspec/changes/demo/specs/limits/spec.md:5",
        },
      ],
    });
    fillFolder(place.folder, { "tasks.md": "- [ ] 1.1 Count\n" });
    expect(place.json(["trace", "--check"])).toMatchObject({ code: 0, problems: [] });
  });

  it("a small goal takes the short way, which still has a delta", () => {
    const flow = startFlow(openspec, makeFlow(openspec), "--small");
    flow.write("proposal.md", written(openspec, "proposal.md", true));
    expect(flow.json(["submit"])).toMatchObject({ code: 0, document: "proposal.md" });
    const out = flow.prompt("specs");
    expect(out).toContain("proposal.md holds the design too, then specs/, then tasks.md");
    flow.write("specs/");
    expect(flow.json(["submit"])).toMatchObject({ code: 0, document: "specs/" });
    expect(flow.prompt("tasks")).toContain("ralph-openspec:task-planner");
  });
});

describe("which layout is meant", () => {
  it("openspec, where only that is there, also for what begins", () => {
    const place = makePlace(openspec);
    expect(anyLayout(place, "status")).toMatchObject({ spec: "demo", unit: "change" });
    const fresh = makeFlow(openspec, { "openspec/config.yaml": "schema: spec-driven\n" });
    expect(anyLayout(fresh, "new", "limits", "count requests")).toMatchObject({
      path: "./openspec/changes/limits",
    });
  });

  it("specum, where its specs are, whether or not there is a pointer", () => {
    const files = { "openspec/specs/a/spec.md": "# A\n", [`${CHANGE}/tasks.md`]: FINISHED };
    const place = makePlace(specum, files, "own");
    expect(anyLayout(place, "status")).toMatchObject({ spec: "own", unit: "spec" });
    expect(anyLayout(place, "status", "demo")).toMatchObject({ spec: "demo", unit: "change" });
    expect(anyLayout(place, "--layout=openspec", "status")).toMatchObject({ spec: "demo" });
    fillFolder(place.root, { "openspec/.current-change": "demo\n" });
    expect(anyLayout(place, "status")).toMatchObject({ spec: "demo" });
    fillFolder(place.root, { "specs/.current-spec": "own\n" });
    expect(anyLayout(place, "status")).toMatchObject({ spec: "own" });
  });

  it("openspec, where `specs` is a folder of something else", () => {
    const place = makePlace(openspec, { "specs/models/user_spec.rb": "" });
    expect(anyLayout(place, "status")).toMatchObject({ spec: "demo", unit: "change" });
    expect(readFileSync(join(place.folder, "tasks.md"), "utf8")).toContain("1.1");
  });
});
