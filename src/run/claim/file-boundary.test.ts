import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runCapped } from "../../../test/hostile/growth.ts";
import { runsOf } from "../../../test/support/full.ts";
import { planBoundary } from "./file-boundary.ts";

const outside = (files: readonly string[], ...changed: readonly string[]): string[] =>
  planBoundary({ files, changed, spec: "./specs/demo" }).outside;

describe("planBoundary", () => {
  it.each<[declared: string, inside: string[], out: string[]]>([
    [
      "src/a.ts",
      ["src/a.ts"],
      ["src/b.ts", "a.ts", "lib/src/a.ts", "src/a.ts.map", "src/a.test.ts"],
    ],
    ["./src/a.ts", ["src/a.ts"], ["src/b.ts"]],
    ["/src/a.ts", ["src/a.ts"], ["b.ts"]],
    ["src\\a.ts", ["src/a.ts"], ["src/b.ts"]],
    ["../web/a.ts", ["../web/a.ts"], ["web/a.ts"]],
    // folders
    ["src/api/", ["src/api/a.ts", "src/api/deep/b.ts"], ["src/apis/a.ts", "lib/src/api/a.ts"]],
    ["src/api", ["src/api/a.ts", "src/api/deep/b.ts"], ["src/apis/a.ts"]],
    ["src", ["src/a.ts", "src/b/c.ts"], ["lib/a.ts"]],
    ["src/", ["src/a.ts", "src/b/c.ts"], ["lib/src/a.ts"]],
    // names without a folder
    [
      "config.ts",
      ["config.ts", "src/config.ts", "a/b/config.ts"],
      ["src/my-config.ts", "config.tsx"],
    ],
    ["Makefile", ["Makefile", "sub/Makefile"], ["Makefile.in"]],
    ["*.sql", ["a.sql", "db/b.sql"], ["db/b.sql.gz"]],
    // patterns
    ["src/*.ts", ["src/a.ts", "src/.ts"], ["src/b/a.ts", "src/a.tsx", "a.ts"]],
    ["src/**", ["src/a.ts", "src/b/c/d.ts"], ["lib/a.ts", "srcs/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/b/c/d.ts"], ["src/a.js", "lib/a.ts"]],
    ["**/*.test.ts", ["a.test.ts", "src/b/a.test.ts"], ["src/a.ts"]],
    ["src/**/api/*", ["src/api/a", "src/x/y/api/b"], ["src/api/x/b", "src/apis/a"]],
    ["packages/*/src/", ["packages/a/src/x.ts", "packages/b/src/y/z.ts"], ["packages/a/x.ts"]],
    ["src/?.ts", ["src/a.ts"], ["src/ab.ts", "src/.ts"]],
    ["src/{a,b}.ts", ["src/a.ts", "src/b.ts"], ["src/c.ts", "src/{a,b}.js"]],
    ["{src,lib}/{a,b}.ts", ["src/a.ts", "lib/b.ts"], ["src/c.ts"]],
    // brackets and braces that mean themselves
    ["app/[id]/page.tsx", ["app/[id]/page.tsx"], ["app/i/page.tsx"]],
    ["app/[...slug]/*.tsx", ["app/[...slug]/a.tsx"], ["app/x/a.tsx"]],
    ["src/{id}.ts", ["src/{id}.ts"], ["src/id.ts"]],
    ["docs/what?.md", ["docs/what?.md", "docs/what1.md"], ["docs/what.md"]],
    ["with space.txt", ["with space.txt", "x/with space.txt"], ["with"]],
    ["-rf", ["-rf", "x/-rf"], ["rf"]],
    ["日本/ñ.ts", ["日本/ñ.ts"], ["日本/n.ts"]],
    ["src/?.ts", ["src/😀.ts"], []],
    // lock files
    [
      "package.json",
      ["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb"],
      ["Cargo.lock"],
    ],
    [
      "packages/a/package.json",
      ["package-lock.json", "packages/a/yarn.lock"],
      ["packages/b/yarn.lock"],
    ],
    ["packages/*/package.json", ["packages/b/package-lock.json"], ["packages/b/index.js"]],
    ["Cargo.toml", ["Cargo.lock"], ["package-lock.json"]],
    ["go.mod", ["go.sum"], ["main.go"]],
    ["pyproject.toml", ["uv.lock", "poetry.lock"], []],
    ["src/a.ts", [], ["package-lock.json", "package.json"]],
  ])("%s", (declared, inside, out) => {
    expect(outside([declared], ...inside)).toEqual([]);
    expect(outside([declared], ...out)).toEqual([...out].sort());
  });

  it("has nothing to say about a task that declares nothing", () => {
    expect(outside([], "a", "b")).toEqual([]);
    expect(outside(["", "./"], "a")).toEqual([]);
  });

  it("never counts the spec's own folder, however it is spelled", () => {
    const changed = ["specs/demo/.progress.md", "specs/demo/tasks.md", "specs/demo2/tasks.md"];
    for (const spec of ["./specs/demo", "specs/demo/", "specs/demo"]) {
      expect(planBoundary({ files: ["a"], changed, spec }).outside).toEqual([
        "specs/demo2/tasks.md",
      ]);
    }
    expect(planBoundary({ files: ["a"], changed }).outside).toEqual([...changed].sort());
  });

  it("names each file once, as it came, in order", () => {
    expect(outside(["x"], "b", "./a", "b")).toEqual(["./a", "b"]);
  });

  it("is not slowed down by a pattern of many wild cards", () => {
    const name = `${"a".repeat(500)}!`;
    // It takes milliseconds; what tries every way would take years.
    runCapped(() => {
      expect(outside([`src/${"*a".repeat(100)}b`], `src/${name}`)).toHaveLength(1);
      expect(outside([`${"**/a/".repeat(100)}b`], `${"a/".repeat(500)}c`)).toHaveLength(1);
      expect(outside([`src/${"{a,b}".repeat(50)}`], "src/a")).toHaveLength(1);
    }, 60_000);
  });

  const part = fc.stringMatching(/^[a-c.[\]$ -]{1,4}$/).filter((text) => !/^\.+$/.test(text));
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

  it("always covers what is declared by name, and all below it", () => {
    fc.assert(
      fc.property(path, path, fc.array(path), (declared, below, others) => {
        expect(outside([declared, ...others], declared, `${declared}/${below}`)).toEqual([]);
      }),
    );
  });

  it("agrees with regular expressions on stars", () => {
    const star = fc.array(fc.constantFrom("a", "b", "*", "?", "."), { minLength: 1, maxLength: 6 });
    const pattern = fc
      .array(
        fc.oneof(
          star.map((all) => all.join("")),
          fc.constant("**"),
        ),
        { minLength: 2, maxLength: 4 },
      )
      .filter((parts) => !parts.some((one) => /^\.+$/.test(one)))
      // A plain name covers all that is below it, too.
      .filter((parts) => parts.some((one) => /[*?]/.test(one)))
      .map((parts) => parts.join("/"));
    const name = fc
      .array(fc.stringMatching(/^[ab.]{1,4}$/), { minLength: 2, maxLength: 4 })
      .filter((parts) => !parts.some((one) => /^\.+$/.test(one)))
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(pattern, name, (glob, file) => {
        // `**` becomes a single character first, so that its stars are not taken for two.
        const source = glob
          .replace(/(^|\/)\*\*(?=\/|$)/g, "$1\u0001")
          .replace(/[.]/g, "\\.")
          .replace(/\*+/g, "[^/]*")
          .replaceAll("?", "[^/]")
          .split("/");
        const regular = toRegular(source);
        expect(outside([glob], file).length === 0).toBe(regular.test(`${file}/`));
      }),
      { numRuns: runsOf(2000) },
    );
  });
});

/** Each part with its trailing slash, so that `**` may match none. */
const toRegular = (parts: readonly string[]): RegExp =>
  new RegExp(`^${parts.map((one) => (one === "\u0001" ? "(?:[^/]+/)*" : `${one}/`)).join("")}$`);
