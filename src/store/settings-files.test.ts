import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { userSettingsFor } from "./settings-files.ts";

let base = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-settings-")));
  mkdirSync(join(base, "home"));
  mkdirSync(join(base, "project/config"), { recursive: true });
  writeFileSync(join(base, "project/config/own.md"), "");
  symlinkSync(join(base, "project"), join(base, "link"));
  vi.stubEnv("HOME", join(base, "home"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const isBelieved = (root: string, path: string): boolean =>
  userSettingsFor(join(base, root), { path: join(base, path), said: {} }).said !== undefined;

it("a file in the project is not the user's, by whichever way one comes to it", () => {
  for (const root of ["project", "link"])
    for (const folder of ["project", "link"])
      expect(isBelieved(root, `${folder}/config/own.md`), `${root}, ${folder}`).toBe(false);
  writeFileSync(join(base, "home/own.md"), "");
  expect(isBelieved("link", "home/own.md")).toBe(true);
});

it("a project that contains the user's home has no say about their files", () => {
  vi.stubEnv("HOME", join(base, "link"));
  expect(isBelieved("project", "project/config/own.md")).toBe(true);
});
