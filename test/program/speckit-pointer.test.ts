import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { speckit, specum } from "../support/editions.ts";
import { type Flow, makeFlow, makeGitFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const FEATURES = {
  ".specify/templates/": "",
  "specs/001-login/spec.md": "# Login\n",
  "specs/002-search/spec.md": "# Search\n",
  "specs/003-export/spec.md": "# Export\n",
};

const specOf = (flow: Flow, env: Record<string, string> = {}): unknown =>
  flow.json(["status"], { env })["spec"];

const featureJson = (folder: string): Record<string, string> => ({
  ".specify/feature.json": JSON.stringify({ feature_directory: folder, kept: 1 }),
});

describe("without a pointer, a feature is found as Spec Kit's own scripts find it", () => {
  it("by the environment", () => {
    const flow = makeFlow(speckit, { ...FEATURES, ...featureJson("specs/003-export") });
    expect(specOf(flow, { SPECIFY_FEATURE: "002-search" })).toBe("002-search");
    expect(specOf(flow, { SPECIFY_FEATURE: "002-other-branch" })).toBe("002-search");
    expect(specOf(flow, { SPECIFY_FEATURE_DIRECTORY: "specs/001-login" })).toBe("001-login");
    expect(specOf(flow, { SPECIFY_FEATURE_DIRECTORY: join(flow.root, "specs/001-login") })).toBe(
      "001-login",
    );
    expect(specOf(flow, { SPECIFY_FEATURE: "009-none" })).toBe("003-export");
  });

  it.each(["specs/002-search", "./specs/002-search", "specs/002-search/"])(
    "by its file of the active feature: %s",
    (folder) => {
      const flow = makeFlow(speckit, { ...FEATURES, ...featureJson(folder) });
      expect(specOf(flow)).toBe("002-search");
      expect(flow.typeJson("start")).toMatchObject({ spec: "002-search", phase: "plan" });
    },
  );

  it.each(["002-search", "feat/002-search", "002-try-again"])("by the branch %s", (branch) => {
    const flow = makeGitFlow(speckit, FEATURES);
    flow.git.git("switch", "-q", "-c", branch);
    expect(specOf(flow)).toBe("002-search");
  });

  it.each<[what: string, files: Record<string, string>]>([
    ["a file that says nothing", { ".specify/feature.json": "{}" }],
    ["a broken file", { ".specify/feature.json": "{" }],
    ["a list", { ".specify/feature.json": "[1]" }],
    ["a feature that is gone", featureJson("specs/009-gone")],
    ["a folder outside", featureJson("../elsewhere")],
    ["a number", { ".specify/feature.json": '{"feature_directory": 7}' }],
  ])("%s does not help", (_, files) => {
    const flow = makeFlow(speckit, { ...FEATURES, ...files });
    expectRefusal(flow.run(["status"]), EXIT.missing, /there is no .*current-feature; there are: /);
  });

  it("two features with one number are distinguished by name only", () => {
    const flow = makeGitFlow(speckit, { ...FEATURES, "specs/002-second/spec.md": "# x\n" });
    flow.git.git("switch", "-q", "-c", "002-third");
    expect(flow.run(["status"]).code).toBe(EXIT.missing);
    flow.git.git("switch", "-q", "-c", "002-second");
    expect(specOf(flow)).toBe("002-second");
  });

  it("the pointer comes before all of them", () => {
    const flow = makeGitFlow(speckit, {
      ...FEATURES,
      ...featureJson("specs/003-export"),
      ".specify/.current-feature": "001-login\n",
    });
    flow.git.git("switch", "-q", "-c", "002-search");
    expect(specOf(flow, { SPECIFY_FEATURE: "002-search" })).toBe("001-login");
  });

  it("means nothing to the other layout", () => {
    const flow = makeFlow(specum, { "specs/001-a/": "", "specs/002-b/": "" });
    const { code } = flow.run(["status"], { env: { SPECIFY_FEATURE: "002-b" } });
    expect(code).toBe(EXIT.missing);
  });
});

describe("Spec Kit's own file of the active feature", () => {
  const path = ".specify/feature.json";
  const read = (flow: Flow): unknown => JSON.parse(readFileSync(join(flow.root, path), "utf8"));

  it("follows start, phases and switch, and keeps what else it says", () => {
    const flow = makeFlow(speckit, { ...FEATURES, ...featureJson("specs/003-export") });
    flow.prompt("plan", "001-login");
    expect(read(flow)).toEqual({ feature_directory: "specs/001-login", kept: 1 });
    flow.slash(["switch", "search"]);
    expect(read(flow)).toEqual({ feature_directory: "specs/002-search", kept: 1 });
    flow.prompt("start", "bulk-import");
    expect(read(flow)).toEqual({ feature_directory: "specs/004-bulk-import", kept: 1 });
    writeFileSync(join(flow.root, path), "{");
    flow.slash(["switch", "login"]);
    expect(read(flow)).toEqual({ feature_directory: "specs/001-login" });
  });

  it("is not created if there is none", () => {
    const flow = makeFlow(speckit, FEATURES);
    flow.prompt("start", "login");
    expect(existsSync(join(flow.root, path))).toBe(false);
    fillFolder(flow.root, { [`${path}/`]: "" });
    expect(flow.type("start", "search").code).toBe(0);
  });
});
