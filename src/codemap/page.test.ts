import { array, assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "./classify.ts";
import type { CodeIndex, IndexedFile, IndexedSpec } from "./code-index.ts";
import { MAX_PAGE, PAGE_MARK, planShares, renderIndexPage } from "./page.ts";

const file = (path: string, fields: Partial<IndexedFile> = {}): IndexedFile => ({
  path,
  category: "source",
  size: 1,
  mtime: 1,
  hash: "aaaaaaaa",
  summary: "What it does",
  ...fields,
});
const spec: IndexedSpec = {
  name: "login",
  path: "./specs/login",
  phase: "execution",
  taskIndex: 1,
  totalTasks: 3,
  standing: "running",
  goal: "Users log in",
};
const render = (
  fields: Partial<CodeIndex>,
  external = [] as Parameters<typeof renderIndexPage>[1],
) =>
  renderIndexPage(
    { updated: "2026-01-02", scanner: 1, directories: [], specs: [], files: [], ...fields },
    external,
  );

describe("the page", () => {
  it("lists specs, sources and files, one line each", () => {
    const page = render(
      {
        specs: [spec, { ...spec, name: "new", totalTasks: 0, goal: "" }],
        files: [
          file("src/a.ts"),
          file("src/b.ts", { summary: "" }),
          file("src/c.ts", { category: "services", summary: "Serves" }),
        ],
      },
      [{ name: "url-x.md", title: "The API", url: "https://x.example/" }],
    );
    expect(page).toContain(PAGE_MARK);
    expect(page.split("\n").filter((line) => /^(?:- |## )/.test(line))).toEqual([
      "## Specs (2)",
      "- **login** — running, 1 of 3 tasks done — Users log in",
      "- **new** — running, no tasks yet",
      "## External sources (1)",
      "- The API — https://x.example/ (external/url-x.md)",
      "## Services (1)",
      "- src/c.ts — Serves",
      "## Other source (2)",
      "- src/a.ts — What it does",
      "- src/b.ts",
    ]);
    expect(page).toContain("3 source files and 2 specs, 2026-01-02");
  });

  it("accepts nothing that would break a line or control a terminal", () => {
    const odd = "a\n## b\u001b[31m\u202e";
    const page = render({
      specs: [{ ...spec, name: odd, goal: odd, standing: odd }],
      files: [file(odd, { summary: odd })],
    });
    expect(page).not.toMatch(/^## b/m);
    expect(page).not.toMatch(/[\u001b\u202e]/);
  });

  it("says what did not fit, and where it is", () => {
    const many = Array.from({ length: 3000 }, (_, i) =>
      file(`src/${i % 2 ? "odd" : "even"}/f${i}.ts`),
    );
    const few = [file("src/x.service.ts", { category: "services" })];
    const page = render({ files: [...few, ...many] });
    expect(page.length).toBeLessThanOrEqual(MAX_PAGE);
    expect(page).toContain("- src/x.service.ts — ");
    const [, left, even, odd] =
      /- … and (\d+) more: src\/even\/ \((\d+)\), src\/odd\/ \((\d+)\)/.exec(page) ??
      /- … and (\d+) more: src\/odd\/ \((\d+)\), src\/even\/ \((\d+)\)/.exec(page) ??
      [];
    const shown = page.match(/^- src\/(?:odd|even)/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(300);
    expect(shown + Number(left)).toBe(3000);
    expect(Number(even) + Number(odd)).toBe(Number(left));
  });

  it("is never too long", () => {
    const long = "x".repeat(500);
    const files = CATEGORIES.flatMap((category) =>
      Array.from({ length: 200 }, (_, i) =>
        file(`${long}/${i}/${long}`, {
          category,
          summary: long,
        }),
      ),
    );
    const specs = Array.from({ length: 300 }, () => ({
      ...spec,
      name: long,
      goal: long,
      standing: long,
    }));
    const external = Array.from({ length: 200 }, () => ({ name: long, title: long, url: long }));
    expect(render({ files, specs }, external).length).toBeLessThanOrEqual(MAX_PAGE);
    expect(render({ files }).length).toBeLessThanOrEqual(MAX_PAGE);
  });
});

it("shares are what is needed, or what there is room for", () => {
  assert(
    property(array(nat(5000)), nat(20_000), (sizes, room) => {
      const shares = planShares(sizes, room);
      const sum = shares.reduce((a, b) => a + b, 0);
      expect(sum).toBeLessThanOrEqual(room);
      for (const [i, share] of shares.entries())
        expect(share).toBeLessThanOrEqual(sizes[i] as number);
      const wanted = sizes.reduce((a, b) => a + b, 0);
      if (wanted <= room) expect(shares).toEqual(sizes);
      else expect(sum).toBeGreaterThan(room - sizes.length - 1);
    }),
  );
});
