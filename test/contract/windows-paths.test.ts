import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type * as nodePath from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findProject, openProject, type Project } from "../../src/store/project.ts";
import {
  findActiveSpec,
  findSpec,
  pointerText,
  shownPath,
  type Spec,
  spellAs,
} from "../../src/store/spec.ts";
import { speckit, specum } from "../support/editions.ts";

/**
 * The rules of Windows for paths on any system. To this disk a path like `C:\a\b` is one name without folders in it, so
 * a folder that has them all side by side is as good as a drive, as long as nobody lists it.
 */
vi.mock("node:path", async (original) => {
  const { win32 } = await original<typeof nodePath>();
  return { ...win32, default: win32 };
});

/** On Windows itself these would be real drives. */
const onTheSide = describe.skipIf(process.platform === "win32");

const before = process.cwd();
const { HOME, USERPROFILE, XDG_CONFIG_HOME } = process.env;
const home = { HOME, USERPROFILE, XDG_CONFIG_HOME };
let disk: string;

beforeEach(() => {
  disk = realpathSync(mkdtempSync(`${tmpdir()}/smart-ralph-`));
  process.chdir(disk);
  delete process.env["HOME"];
  delete process.env["XDG_CONFIG_HOME"];
  process.env["USERPROFILE"] = "C:\\Users\\tess";
});
afterEach(() => {
  process.chdir(before);
  Object.assign(process.env, home);
  if (home.USERPROFILE === undefined) delete process.env["USERPROFILE"];
  rmSync(disk, { recursive: true, force: true });
});

/** Files by path, with every folder above them; what ends in a backslash is a folder. */
function fill(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split("\\");
    for (let i = 1; i < parts.length; i++) {
      const folder = parts.slice(0, i).join("\\");
      if (folder.replaceAll("\\", "") !== "") mkdirSync(folder, { recursive: true });
    }
    if (!path.endsWith("\\")) writeFileSync(path, text);
  }
}

const USER_FILE = "C:\\Users\\tess\\.config\\smart-ralph\\ralph-specum.md";

const ROOTS = [
  "C:\\work",
  "D:\\Jörg Müller\\mein Projekt (1)",
  "\\\\server\\share\\work",
  "C:\\a & b\\100%\\it's",
];

const makeSpec = (root: string, name: string, specs = "specs"): Record<string, string> => ({
  [`${root}\\${specs}\\${name}\\tasks.md`]: "- [ ] 1.1 x\r\n",
});

/** What the pointer leads to, as people see it, or why not. */
function activeIn(project: Project | undefined): string {
  if (project === undefined) return "no project";
  const found = findActiveSpec(project);
  return found.kind === "ok" ? found.spec.basePath : found.kind;
}

onTheSide.each(ROOTS)("a project in %s", (root) => {
  it.each([
    ["demo\r\n", "./specs/demo"],
    ["\uFEFFdemo", "./specs/demo"],
    [".\\specs\\demo\r\n", "./specs/demo"],
    ["./specs/demo\r\n", "./specs/demo"],
    [".\\specs/demo", "./specs/demo"],
    [`${root}\\specs\\demo\r\n`, "./specs/demo"],
    ["..\\other", "refused"],
    [".\\..\\other", "refused"],
    ["C:\\Windows", "refused"],
    ["C:demo", "none"],
    ["\\Windows", "refused"],
    ["\\\\server\\other", "refused"],
    ["specs\\demo", "refused"],
    ["nul", "none"],
    ["gone", "none"],
  ])("with %j in the pointer", (text, expected) => {
    fill({
      ...makeSpec(root, "demo"),
      [`${root}\\specs\\.current-spec`]: text,
      [`${root}\\src\\deep\\x`]: "",
      "C:\\Windows\\x": "",
      "\\Windows\\x": "",
      "\\\\server\\other\\x": "",
      [`${root}\\..\\other\\x`]: "",
    });
    for (const start of [root, `${root}\\src\\deep`, `${root}\\`, root.replaceAll("\\", "/")]) {
      expect(activeIn(findProject(specum, [start])), start).toBe(expected);
    }
  });

  it("gives every file of a spec its own path, and people one with forward slashes", () => {
    fill({ ...makeSpec(root, "größe"), [`${root}\\specs\\.current-spec`]: "größe\r\n" });
    expect(findActiveSpec(openProject(specum, root))).toMatchObject({
      kind: "ok",
      spec: {
        name: "größe",
        basePath: "./specs/größe",
        folder: `${root}\\specs\\größe`,
        state: `${root}\\specs\\größe\\.ralph-state.json`,
        tasks: `${root}\\specs\\größe\\tasks.md`,
      },
    });
  });

  it("finds specs in other folders, and one outside only if it is configured", () => {
    fill({
      ...makeSpec(root, "a", "docs\\specs"),
      ...makeSpec("E:\\shared", "b", "specs"),
      [USER_FILE]:
        "\uFEFF---\r\nspecs_dirs:\r\n  - .\\docs\\specs\r\n  - E:\\shared\\specs\r\n---\r\n",
      [`${root}\\docs\\specs\\.current-spec`]: "E:/shared/specs/b\r\n",
    });
    const project = findProject(specum, [root]) as Project;
    const [a, b] = ["a", "b"].map((name) => (findSpec(project, name) as { spec: Spec }).spec);
    expect(a?.basePath).toBe("./docs/specs/a");
    expect(b?.basePath).toBe("E:/shared/specs/b");
    expect(activeIn(project)).toBe("E:/shared/specs/b");
    expect(pointerText(b as Spec)).toBe("b");
    fill({ ...makeSpec("E:\\elsewhere", "c") });
    expect(findSpec(project, "E:\\elsewhere\\specs\\c").kind).toBe("refused");
  });

  it("reads the quoted forms of a path in the settings", () => {
    fill({
      ...makeSpec("E:\\shared", "b", "specs"),
      [`${root}\\.claude\\ralph-specum.local.md`]: "",
      [USER_FILE]: "---\r\nspecs_dirs: [\"E:\\\\shared\\\\specs\", '.\\x y']\r\n---\r\n",
    });
    expect(findProject(specum, [root])?.specsDirs).toEqual(["E:\\shared\\specs", `${root}\\x y`]);
  });

  it("keeps features where Spec Kit has them", () => {
    fill({
      ...makeSpec(root, "001-x"),
      [`${root}\\.specify\\.current-feature`]: "001-x\r\n",
    });
    expect(activeIn(findProject(speckit, [root]))).toBe("./specs/001-x");
  });
});

onTheSide("the search for a project", () => {
  it.each(["C:\\Users\\tess", "c:\\users\\TESS", "C:/Users/tess/"])(
    "ends below the home folder, however that is written: %s",
    (written) => {
      process.env["USERPROFILE"] = written;
      fill({ "C:\\Users\\tess\\specs\\.current-spec": "demo", "C:\\Users\\tess\\a\\b\\x": "" });
      expect(findProject(specum, ["C:\\Users\\tess\\a\\b"])).toBeUndefined();
    },
  );

  it("continues if the first start does not help", () => {
    fill({ ...makeSpec("C:\\work", "demo"), "C:\\work\\specs\\.current-spec": "demo\r\n" });
    for (const useless of ["/c/work", "Z:\\gone", "\\\\gone\\share", "C:", "relative\\x"]) {
      expect(activeIn(findProject(specum, [useless, "C:\\work"])), useless).toBe("./specs/demo");
    }
  });
});

describe("a path that is shown", () => {
  it.each([
    ["C:\\p", "C:\\p\\specs\\demo", "./specs/demo"],
    ["C:\\", "C:\\specs\\demo", "./specs/demo"],
    ["\\\\s\\h\\p", "\\\\s\\h\\p\\a b", "./a b"],
    ["C:\\p", "C:\\pq\\x", "C:/pq/x"],
    ["C:\\p", "\\\\s\\h\\x", "//s/h/x"],
  ])("from %s: %s", (root, path, shown) => {
    expect(shownPath({ root }, path)).toBe(shown);
  });

  it("keeps a backslash that is part of a name elsewhere", () => {
    expect(shownPath({ root: "/p" }, "/p/specs/a\\b", "/")).toBe("./specs/a\\b");
  });
});

describe("where Demo opens demo, a spec is called", () => {
  it.each([
    ["as its folder, in capitals", "C:\\p\\specs\\DEMO", "C:\\p\\specs\\demo", "demo"],
    ["as its folder, with its accents", "C:\\s\\gro\u0308ße", "C:\\s\\größe", "größe"],
    ["as it is said, where that is a link", "C:\\p\\specs\\link", "D:\\else\\demo", "link"],
  ])("%s", (_, said, real, name) => {
    expect(spellAs(said, real)).toBe(`${said.slice(0, said.lastIndexOf("\\"))}\\${name}`);
  });
});
