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

  it("the pointer comes before environment and branch", () => {
    const flow = makeGitFlow(speckit, { ...FEATURES, ".specify/.current-feature": "001-login\n" });
    flow.git.git("switch", "-q", "-c", "002-search");
    expect(specOf(flow, { SPECIFY_FEATURE: "002-search" })).toBe("001-login");
  });

  it("a feature that Spec Kit has chosen since is meant, unless ours is being worked on", () => {
    const flow = makeFlow(speckit, FEATURES);
    flow.slash(["switch", "login"]);
    expect(specOf(flow)).toBe("001-login");
    fillFolder(flow.root, featureJson("specs/003-export"));
    expect(specOf(flow)).toBe("003-export");
    flow.prompt("plan", "login");
    fillFolder(flow.root, featureJson("specs/003-export"));
    expect(specOf(flow)).toBe("001-login");
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

  it("is created if there is none, and is not in git's way", () => {
    const flow = makeGitFlow(speckit, FEATURES);
    flow.git.commit({}, "features");
    flow.prompt("start", "login");
    expect(read(flow)).toEqual({ feature_directory: "specs/001-login" });
    expect(flow.git.git("status", "--porcelain", "--untracked-files=all", ".specify")).toBe("");
  });

  it("a folder in its place is left alone", () => {
    const flow = makeFlow(speckit, { ...FEATURES, [`${path}/mine`]: "x" });
    expect(flow.type("start", "search").code).toBe(0);
    expect(readFileSync(join(flow.root, path, "mine"), "utf8")).toBe("x");
  });

  it("goes with the feature that it names", () => {
    const flow = makeFlow(speckit, FEATURES);
    flow.slash(["switch", "login"]);
    expect(flow.slash(["archive", "search", "--force"]).code).toBe(0);
    expect(read(flow)).toEqual({ feature_directory: "specs/001-login" });
    expect(flow.slash(["archive", "login", "--force"]).code).toBe(0);
    expect(existsSync(join(flow.root, path))).toBe(false);
    fillFolder(flow.root, featureJson("specs/003-export"));
    expect(flow.slash(["cancel", "export", "--delete-spec", "--yes"]).code).toBe(0);
    expect(read(flow)).toEqual({ kept: 1 });
  });
});
