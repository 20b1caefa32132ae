import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import type { Request } from "./request.ts";
import { openTaskFile, writeTaskFile } from "./task-file.ts";

it.each([
  ["a spec", undefined],
  ["a file", "specs/demo/tasks.md"],
])("does not write over a box that was ticked since: %s", (_, target) => {
  const cwd = makeFolder();
  fillFolder(cwd, { "specs/demo/tasks.md": "- [ ] 1.1 one\n" });
  const path = join(cwd, "specs/demo/tasks.md");
  const request = {
    layout: specum,
    cwd,
    starts: [cwd],
    env: {},
    caller: { session: null, authority: "user" },
    program: "ralph-specum",
  } as unknown as Request;
  const open = () => openTaskFile(request, target);
  const before = open();
  writeFileSync(path, "- [x] 1.1 one\n");
  expect(() => writeTaskFile(before, "- [ ] 1.2 other\n")).toThrow("has changed in the meantime");
  expect(readFileSync(path, "utf8")).toBe("- [x] 1.1 one\n");
  writeTaskFile(open(), "- [ ] 1.2 other\n");
  expect(readFileSync(path, "utf8")).toBe("- [ ] 1.2 other\n");
});
