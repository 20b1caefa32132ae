import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { measureFolder, readFree } from "./free-space.ts";

it("says how much is free, also where something will be", () => {
  expect(readFree("/")).toBeGreaterThan(0);
  expect(readFree("/not/there/yet")).toBe(readFree("/"));
});

it("says what a folder takes, and how much of that has a name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "size-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "a/node_modules/b/node_modules"), { recursive: true });
  const block = "x".repeat(100_000);
  writeFileSync(join(folder, "a/file"), block);
  writeFileSync(join(folder, "a/node_modules/b/node_modules/file"), block);
  const { bytes, named } = await measureFolder(folder, "node_modules", Infinity);
  expect(bytes).toBeGreaterThanOrEqual(200_000);
  expect(named).toBe(bytes / 2);
  expect(await measureFolder(join(folder, "gone"), "x", Infinity)).toEqual({ bytes: 0, named: 0 });
});
