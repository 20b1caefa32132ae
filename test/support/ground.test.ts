import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { closingLine } from "../../scripts/closing-line.mjs";
import { isUnused } from "./ground.ts";
import { FILE_FOLDER, HOME } from "./places.ts";

function makeFileFolder(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), FILE_FOLDER));
  mkdirSync(join(folder, HOME));
  for (const name of names) writeFileSync(join(folder, name), "");
  return folder;
}

it("the folder of a file whose tests were all skipped is not something left behind", () => {
  expect(isUnused(makeFileFolder())).toBe(true);
});

it.each(["left.txt", `${HOME}/.bashrc`])("but what a program leaves there is: %s", (name) => {
  expect(isUnused(makeFileFolder(name))).toBe(false);
});

it("the closing line says 0 failed only beside exit code 0", () => {
  const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 2 };
  expect(closingLine(counts, 0)).toEqual({ lines: ["3 passed, 0 failed, 2 skipped"], exitCode: 0 });
  expect(closingLine(counts, 1)).toEqual({
    lines: ["something besides the tests failed: see above", "3 passed, 1 failed, 2 skipped"],
    exitCode: 1,
  });
  expect(closingLine({ ...counts, numFailedTests: 1 }, 1).lines).toEqual([
    "3 passed, 1 failed, 2 skipped",
  ]);
  expect(closingLine({}, 1).exitCode).toBe(1);
  expect(closingLine(counts, 0, ["codex was not tested"])).toEqual({
    lines: ["codex was not tested", "3 passed, 1 failed, 2 skipped"],
    exitCode: 1,
  });
});
