import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { mergeProgress, writeProgressSection } from "./progress.ts";
import { openProject } from "./project.ts";
import { type Spec, specAt } from "./spec.ts";

function makeSpec(progress?: string): Spec {
  const root = makeFolder();
  const folder = join(root, "specs", "demo");
  mkdirSync(folder, { recursive: true });
  if (progress !== undefined) writeFileSync(join(folder, ".progress.md"), progress);
  return specAt(openProject(specum, root), folder);
}
const read = (spec: Spec): string => readFileSync(spec.progress, "utf8");

it("adds a section, and puts a new one in its place", () => {
  const spec = makeSpec("# Progress\n\nmine\n\n## Receipt\n\nold\n\n## Learnings\n\nkept\n");
  writeProgressSection(spec, "Receipt", "new\n");
  expect(read(spec)).toBe("# Progress\n\nmine\n\n## Receipt\n\nnew\n\n## Learnings\n\nkept\n");
  writeProgressSection(spec, "Other", "more");
  expect(read(spec)).toMatch(/kept\n\n## Other\n\nmore\n$/);
});

it("keeps Windows line endings and the byte order mark, in what it adds and in what it replaces", () => {
  const spec = makeSpec("\uFEFF# Progress\r\n\r\nmine\r\n");
  writeProgressSection(spec, "Receipt", "one\ntwo\n");
  const head = "\uFEFF# Progress\r\n\r\nmine\r\n\r\n";
  expect(read(spec)).toBe(`${head}## Receipt\r\n\r\none\r\ntwo\r\n`);
  writeProgressSection(spec, "Learnings", "kept");
  writeProgressSection(spec, "Receipt", "new");
  expect(read(spec)).toBe(`${head}## Receipt\r\n\r\nnew\r\n\r\n## Learnings\r\n\r\nkept\r\n`);
});

it("converts notes with Windows line endings to those of the file", () => {
  const spec = makeSpec("# Progress\n");
  writeFileSync(join(spec.folder, ".progress-task-1.1.md"), "\uFEFFone\r\ntwo\r\n");
  mergeProgress(spec, [{ id: "1.1", index: 0 }]);
  expect(read(spec)).toBe("# Progress\n\n## Notes on 1.1\n\none\ntwo\n");
});

it("creates the file if there is none", () => {
  const spec = makeSpec();
  writeProgressSection(spec, "Receipt", "text");
  expect(read(spec)).toBe("# Progress: demo\n\n## Receipt\n\ntext\n");
});

it("merges the notes of a group in the order of its tasks, and removes the files", () => {
  const spec = makeSpec("# Progress\n");
  const path = (name: string): string => join(spec.folder, `.progress-task-${name}.md`);
  writeFileSync(path("1.3"), "third\n");
  writeFileSync(path("1.2"), "second\n");
  writeFileSync(path("0"), "first, as older versions name it\n");
  const group = ["1.1", "1.2", "1.3"].map((id, index) => ({ id, index }));
  mergeProgress(spec, group);
  expect(read(spec)).toBe(
    "# Progress\n\n## Notes on 1.1\n\nfirst, as older versions name it\n\n## Notes on 1.2\n\nsecond\n\n## Notes on 1.3\n\nthird\n",
  );
  expect(["0", "1.2", "1.3"].map((name) => existsSync(path(name)))).toEqual([false, false, false]);
});

it("leaves notes where they are, and says why, if they cannot be merged", () => {
  const spec = makeSpec();
  mkdirSync(spec.progress);
  const notes = join(spec.folder, ".progress-task-1.1.md");
  writeFileSync(notes, "first\n");
  expect(mergeProgress(spec, [{ id: "1.1", index: 0 }])).toBe(
    `${spec.progress} cannot be used: it is not a file`,
  );
  expect(readFileSync(notes, "utf8")).toBe("first\n");
});
