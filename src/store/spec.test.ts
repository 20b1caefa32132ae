import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { speckit, specum } from "../../test/support/editions.ts";
import type { Edition } from "../layouts/layout.ts";
import { parseSettings } from "../run/settings.ts";
import { openProject, type Project } from "./project.ts";
import {
  findActiveSpec,
  findSpec,
  type SpecLookup,
  listSpecs,
  pointerText,
  type Spec,
} from "./spec.ts";

/** A project in a folder that has a sibling, so that there is something to escape to. The settings are the user's. */
function makeProject(files: readonly string[], settings = "", layout: Edition = specum): Project {
  const root = makeFolder();
  fillFolder(root, { "outside/secret/tasks.md": "- [ ] 1.1 Not yours\n", "project/": "" });
  const project = join(root, "project");
  fillFolder(project, Object.fromEntries(files.map((file) => [file, ""])));
  const said = parseSettings(settings.replaceAll("OUTSIDE", join(root, "outside")));
  return openProject(layout, project, { path: undefined, said });
}

/** The spec's path, or what is wrong, in one word. */
const shown = (found: SpecLookup): string =>
  found.kind === "ok" ? found.spec.basePath : found.kind;

const SPECS = [
  "specs/demo/tasks.md",
  "specs/other name/tasks.md",
  "apps/api/tasks.md",
  "specs/a-file",
];

describe("findSpec", () => {
  it.each([
    ["demo", "./specs/demo"],
    ["other name", "./specs/other name"],
    ["./specs/demo", "./specs/demo"],
    ["./specs/demo/", "./specs/demo"],
    ["./specs/../specs/demo", "./specs/demo"],
    ["./apps/api", "./apps/api"],
    ["/abs/specs/demo", "./specs/demo"],
    ["missing", "none"],
    ["a-file", "none"],
    ["./missing", "none"],
    ["", "none"],
    ["./specs", "none"],
    ["./specs/", "none"],
    ["specs/demo", "refused"],
    [".", "refused"],
    ["..", "refused"],
    ["./", "refused"],
    ["./.", "refused"],
    ["../x", "refused"],
    ["../outside", "refused"],
    ["../outside/secret", "refused"],
    ["./../outside/secret", "refused"],
    ["./specs/../../outside/secret", "refused"],
    ["a/../../b", "refused"],
    ["demo/../../../outside/secret", "refused"],
    ["/abs/../outside/secret", "refused"],
    ["/etc", "refused"],
    ["/", "refused"],
    ["demo\n", "refused"],
    ["demo\u0000", "refused"],
    ["\u001b[31mdemo", "refused"],
    ["demo\u009b31m", "refused"],
    ["de\tmo", "refused"],
    ["..\\outside", "none"],
  ])("takes %j for %s", (name, expected) => {
    const project = makeProject(SPECS);
    const found = findSpec(project, name.replace(/^\/abs/, project.root));
    expect(shown(found)).toBe(expected);
    // eslint-disable-next-line no-control-regex -- none may reach the terminal
    if ("why" in found) expect(found.why).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it.each([
    ["a spec folder that is a link out", "specs/link", "../../outside/secret", "link", "refused"],
    ["a link in the middle of a path", "way", "../outside", "./way/secret", "refused"],
    ["a link to another spec", "specs/link", "demo", "link", "./specs/link"],
    ["a link to itself", "specs/link", "link", "link", "none"],
  ])("follows %s", (_, place, target, name, expected) => {
    const project = makeProject(SPECS);
    symlinkSync(target, join(project.root, place));
    expect(shown(findSpec(project, name))).toBe(expected);
  });
});

describe("a name in several of specs_dirs", () => {
  const both = ["a/demo/tasks.md", "b/demo/tasks.md", "b/only/tasks.md"];
  it.each([
    ["an inline list", "---\nspecs_dirs: [a, b]\n---\n"],
    ["a YAML list", "---\nspecs_dirs:\n  - a\n  - b\n---\n"],
  ])("is ambiguous with %s, but not in the pointer", (_, settings) => {
    const project = makeProject(both, settings);
    const found = findSpec(project, "demo");
    expect(found.kind === "ambiguous" && found.specs.map((spec) => spec.basePath)).toEqual([
      "./a/demo",
      "./b/demo",
    ]);
    writeFileSync(project.pointer, "demo\n");
    expect(shown(findActiveSpec(project))).toBe("./a/demo");
    expect(shown(findSpec(project, "only"))).toBe("./b/only");
  });

  it("is one spec if both ways lead to one folder", () => {
    const project = makeProject(["specs/demo/tasks.md", ".specify/"], "", speckit);
    symlinkSync("../specs", join(project.root, ".specify/specs"));
    expect(shown(findSpec(project, "demo"))).toBe("./.specify/specs/demo");
    expect(listSpecs(project)).toHaveLength(1);
  });

  it("may be outside the project if the user says so, and only then", () => {
    const project = makeProject(
      ["specs/demo/tasks.md"],
      "---\nspecs_dirs: [specs, OUTSIDE]\n---\n",
    );
    const outside = join(project.root, "../outside");
    expect(shown(findSpec(project, "secret"))).toBe(join(outside, "secret"));
    expect(shown(findSpec(project, "../outside/secret"))).toBe(join(outside, "secret"));
    mkdirSync(join(project.root, "../elsewhere/x"), { recursive: true });
    expect(shown(findSpec(project, "../elsewhere/x"))).toBe("refused");
    expect(shown(findSpec(project, outside))).toBe("refused");
  });

  it("is found in both of Spec Kit's folders", () => {
    const project = makeProject(
      [".specify/specs/a/", "specs/b/", ".specify/specs/c/", "specs/c/"],
      "",
      speckit,
    );
    expect(["a", "b", "c"].map((name) => shown(findSpec(project, name)))).toEqual([
      "./.specify/specs/a",
      "./specs/b",
      "ambiguous",
    ]);
  });
});

describe("the pointer", () => {
  it.each([
    ["demo", "./specs/demo"],
    ["demo\n", "./specs/demo"],
    ["\uFEFFdemo\r\n", "./specs/demo"],
    ["  other name  \n", "./specs/other name"],
    ["./apps/api\n", "./apps/api"],
    ["", "none"],
    ["\n \n", "none"],
    ["gone\n", "none"],
    ["demo\nother\n", "refused"],
    ["../../outside/secret\n", "refused"],
    ["../outside/secret\n", "refused"],
    ["x".repeat(5000), "refused"],
  ])("%.40j leads to %s", (text, expected) => {
    const project = makeProject(SPECS);
    writeFileSync(project.pointer, text);
    expect(shown(findActiveSpec(project))).toBe(expected);
  });

  it("says whether it is unset or out of date", () => {
    const project = makeProject(SPECS);
    expect(findActiveSpec(project)).toMatchObject({ kind: "none", unset: true });
    writeFileSync(project.pointer, "gone\n");
    expect(findActiveSpec(project)).not.toHaveProperty("unset");
  });

  it("may be a folder, and then leads nowhere", () => {
    const project = makeProject([...SPECS, "specs/.current-spec/"]);
    expect(findActiveSpec(project)).toEqual({
      kind: "refused",
      why: "./specs/.current-spec: it is not a file",
    });
  });

  it.each([
    ["./a/demo", "demo"],
    ["./b/demo", "./b/demo"],
    ["./b/only", "only"],
    ["./c/far", "./c/far"],
  ])("for %s holds %s, which leads back to it", (path, text) => {
    const files = ["a/demo/", "b/demo/", "b/only/", "c/far/"];
    const project = makeProject(files, "---\nspecs_dirs: [a, b]\n---\n");
    const found = findSpec(project, path) as { spec: Spec };
    expect(pointerText(found.spec)).toBe(text);
    writeFileSync(project.pointer, text);
    expect(shown(findActiveSpec(project))).toBe(path);
  });
});

it("lists specs, not what is merely next to them", () => {
  const hidden = ["specs/.hidden/", "specs/_epics/", "specs/\u001b[31mred/", "specs/file"];
  const project = makeProject(["specs/b/", "specs/a/", ...hidden]);
  symlinkSync("../../outside/secret", join(project.root, "specs/link"));
  expect(listSpecs(project).map((spec) => spec.name)).toEqual(["a", "b"]);
});
