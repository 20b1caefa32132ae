import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { removeLeftovers, removeTemporary } from "./leftovers.ts";
import { openProject } from "./project.ts";
import { specAt } from "./spec.ts";

const DEAD_PID = 2 ** 22 + 1;

afterEach(() => {
  vi.useRealTimers();
});

/** Nobody can set the time that shows how old a file is, so the clock is advanced instead. */
const later = (milliseconds: number): unknown =>
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ["Date"] });

it("removes what dead processes left, and nothing else", () => {
  const root = makeFolder();
  const spec = specAt(openProject(specum, root), join(root, "specs/demo"));
  const kept = [
    `tasks.md.${process.pid}.tmp`,
    `notes.md.${DEAD_PID}.tmp`,
    "tasks.md.old.tmp",
    ".ralph-lock.1-2.live",
    "tasks.md",
  ];
  const gone = [
    `tasks.md.${DEAD_PID}.tmp`,
    `.progress.md.${DEAD_PID}.tmp`,
    `receipt.json.${DEAD_PID}.tmp`,
    `.ralph-state.json.${DEAD_PID}.tmp`,
    ".ralph-lock.1-2",
  ];
  const text = (name: string): string => (name.endsWith("live") ? `${process.pid}\n` : "x");
  fillFolder(spec.folder, Object.fromEntries([...kept, ...gone].map((one) => [one, text(one)])));
  mkdirSync(join(spec.folder, `tasks.md.${DEAD_PID + 1}.tmp`));
  removeLeftovers(spec);
  expect(readdirSync(spec.folder)).toHaveLength(kept.length + gone.length + 1);
  later(3000);
  removeLeftovers(spec);
  expect(readdirSync(spec.folder).sort()).toEqual([...kept, `tasks.md.${DEAD_PID + 1}.tmp`].sort());
});

it("goes by when a file was made, not by the age it was given", () => {
  const folder = makeFolder();
  const index = join(folder, `index.${DEAD_PID}`);
  writeFileSync(index, "");
  utimesSync(index, 1, 1);
  removeTemporary(folder, ["index"]);
  expect(readdirSync(folder)).toHaveLength(1);
  later(3000);
  removeTemporary(folder, ["index"]);
  expect(readdirSync(folder)).toEqual([]);
});

it("treats a missing folder as empty", () => {
  expect(() => removeTemporary("/nonexistent/folder", ["x"])).not.toThrow();
});
