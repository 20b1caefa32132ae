import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { layouts } from "../../layouts/all.ts";
import { opencode } from "./host.ts";
import { packageFiles } from "./package.ts";
import { foldersIn, setup } from "./setup.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "opencode-doctor-"))));
afterEach(() => rmSync(home, { recursive: true }));

const check = (env = {}) =>
  setup.checkPlugin("ralph-specum", join(home, "project"), { XDG_CONFIG_HOME: home, ...env });

function configure(text: string, ...folder: string[]): void {
  const place = join(home, ...folder);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "opencode.jsonc"), text);
}

it.each([
  ['"plugin": ["/a/ralph-specum/opencode"]', ["/a/ralph-specum/opencode"]],
  ['"plugin": ["file:///a/ralph-specum/opencode/"]', ["/a/ralph-specum/opencode"]],
  [String.raw`["C:\\a\\ralph-specum\\opencode"]`, [String.raw`C:\a\ralph-specum\opencode`]],
  ['  // "/a/ralph-specum/opencode"', []],
  ['"/a/ralph-speckit/opencode"', []],
])("%s names %j", (text, folders) => {
  expect(foldersIn(text, "ralph-specum")).toEqual(folders);
});

it("says how to install the plugin", () => {
  expect(check()).toMatchObject({ severity: "info", fix: expect.stringContaining("--client") });
});

it.each([
  ["the user's settings", ["opencode"]],
  ["the project's", ["project", ".opencode"]],
])("finds it in %s", (_, place) => {
  const folder = join(home, "ralph-specum", "opencode");
  configure(JSON.stringify({ plugin: [folder] }), ...place);
  expect(check()).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("which is not there"),
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"version": "4.6.0"}');
  expect(check()).toMatchObject({ severity: "ok", message: expect.stringContaining("4.6.0") });
  expect(check({ OPENCODE_PURE: "1" }).severity).toBe("warning");
});

it("warns of two copies, which would both answer", () => {
  configure('{"plugin": ["/a/ralph-specum/opencode"]}', "opencode");
  configure('{"plugin": ["/b/ralph-specum/opencode"]}', "project");
  expect(check()).toMatchObject({
    severity: "warning",
    message: expect.stringContaining("twice"),
  });
});

it("gives the client the folder that the build makes", () => {
  const made = packageFiles(layouts.map((layout) => opencode.edition(layout)));
  const given = layouts.flatMap(({ plugin }) =>
    setup
      .steps({ root: "/project", package: ".", plugin, env: {} })
      .map((step) => (step.kind === "run" ? step.command[2] : undefined)),
  );
  expect(given.map((folder) => join(folder ?? "", "package.json"))).toEqual(
    made.map(({ path }) => join(path)),
  );
});
