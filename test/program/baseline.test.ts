import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, IN_SESSION, makePlace, type Place } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const OLD = "- [x] 1.1 One\n  - **Verify**: `true`\n- [x] 1.2 Two\n";
const FILE = "specs/.trace-baseline.json";

const oldPlace = (): Place =>
  makePlace(specum, { "specs/demo/tasks.md": OLD, "specs/other/tasks.md": "- [x] 1.1 By hand\n" });
const codeOf = (place: Place): number | null => place.run(["trace", "--all", "--check"]).code;
const read = (place: Place): unknown =>
  (JSON.parse(readFileSync(join(place.root, FILE), "utf8")) as { specs: unknown }).specs;

it("trace --baseline accepts what is there today, and --check fails only on what is new", () => {
  const place = oldPlace();
  expect(codeOf(place)).toBe(EXIT.refused);
  expect(place.run(["trace", "--baseline", "--all"])).toEqual({
    code: 0,
    out: `./${FILE}: 3 problems accepted; commit it\n`,
    err: "",
  });
  expect(read(place)).toEqual({
    demo: ["no-evidence 1.1", "no-evidence 1.2"],
    other: ["no-evidence 1.1"],
  });
  const { code, out } = place.run(["trace", "--all", "--check"]);
  expect(out).toMatch(/; no problems, 2 in the baseline\n.*; no problems, 1 in the baseline\n$/);
  expect(code).toBe(0);
  // Other lines may change.
  fillFolder(place.root, {
    "specs/demo/tasks.md": `# Tasks\n\n${OLD.replace("[x] 1.2", "[ ] 1.2")}- [x] 1.3 New\n`,
  });
  expect(place.json(["trace", "demo", "--check"])).toMatchObject({
    code: 1,
    problems: [{ code: "no-evidence", about: "1.3" }],
    known: [{ about: "1.1" }],
    stale: ["no-evidence 1.2"],
    counts: { problems: 1, known: 1 },
  });
  expect(place.run(["trace", "demo", "--check"]).out).toContain(
    "fixed since the baseline: no-evidence 1.2; trace --baseline drops them\n",
  );
  // One spec leaves the others as they are.
  expect(place.run(["trace", "demo", "--baseline"]).out).toContain(
    "3 problems accepted, 3 before;",
  );
  expect(read(place)).toEqual({
    demo: ["no-evidence 1.1", "no-evidence 1.3"],
    other: ["no-evidence 1.1"],
  });
  expect(codeOf(place)).toBe(0);
});

it("trace --baseline writes the same text again, and nothing if there is nothing to accept", () => {
  const place = oldPlace();
  place.run(["trace", "--baseline", "--all"]);
  const text = readFileSync(join(place.root, FILE), "utf8");
  place.run(["trace", "--baseline", "--all"]);
  expect(readFileSync(join(place.root, FILE), "utf8")).toBe(text);
  for (const name of ["demo", "other"])
    fillFolder(place.root, { [`specs/${name}/tasks.md`]: "- [ ] 1.1 One\n" });
  expect(place.run(["trace", "--baseline", "--all"]).out).toBe(
    `./${FILE} is gone: no problems left\n`,
  );
  expect(existsSync(join(place.root, FILE))).toBe(false);
  expect(place.run(["trace", "demo", "--baseline"]).out).toBe("no problems, no baseline needed\n");
});

it("an agent cannot accept the failures of its own run", () => {
  const place = oldPlace();
  expectRefusal(
    place.run(["trace", "demo", "--baseline"], IN_SESSION),
    EXIT.refused,
    /only the user can run trace --baseline/,
  );
  expect(existsSync(join(place.root, FILE))).toBe(false);
});

it("trace refuses a baseline that it cannot read, and --check with --baseline", () => {
  const place = oldPlace();
  writeFileSync(join(place.root, FILE), "<<<<<<< HEAD\n");
  for (const option of ["--check", "--baseline"])
    expectRefusal(
      place.run(["trace", "demo", option]),
      EXIT.broken,
      /\.trace-baseline\.json cannot be read: it is not a baseline/,
    );
  expectRefusal(
    place.run(["trace", "demo", "--check", "--baseline"]),
    EXIT.usage,
    "--baseline writes what --check accepts",
  );
});
