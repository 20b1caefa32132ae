import { join } from "node:path";
import { expect, it } from "vitest";
import { fillFolder, makeFolder } from "../program/temporary.ts";
import { hasTitle } from "./titles.ts";

it("knows whole titles and rows of what is run, in the file and in what belongs to it", () => {
  const folder = fillFolder(makeFolder(), {
    "one.test.ts": `
      import { suite } from "./suite.ts";
      import { other } from "../other.ts";
      suite();
      describe("a group", () => {
        it.skipIf(isWindows)("is skipped in places", async () => { said("in passing"); });
        it.each<[string, number]>([["a row", 1]])("of %s", () => {});
        it(\`ends \${how}\`, function () {});
        it.skip("is skipped", () => {});
        it.todo("is to come");
      });
      describe.skip("a group that is skipped", () => { it("never", () => {}); });
    `,
    "suite.ts": `export const suite = () => rows.map(({ name }) => it(name, () => {}));
      const rows = [{ name: "a row of the suite" }];`,
    "one/table.json": '{ "cases": [{ "name": "a row of the table", "why": "because" }] }',
  });
  const file = join(folder, "one.test.ts");
  for (const there of ["a group", "is skipped in places", "of %s", "ends %s"])
    expect(hasTitle(file, there), there).toBe(true);
  for (const row of ["a row", "a row of the suite", "a row of the table"])
    expect(hasTitle(file, row), row).toBe(true);
  for (const not of ["group", "in passing", "because", "is skipped", "is to come", "never"])
    expect(hasTitle(file, not), not).toBe(false);
});
