import { describe, expect, it } from "vitest";
import { branchScope, branchTemplate, renderBranch } from "./branch-name.ts";

const FACTS = { author: "Jane Doe", app: "My.Web App" };

describe("a template for branches", () => {
  it.each<[template: string, prefix: string, expected: string | undefined]>([
    ["", "", undefined],
    ["", "features/{app}", "features/{app}/{number}-{slug}"],
    ["", "features/", "features/{number}-{slug}"],
    ["{author}/{number}-{slug}", "features", "{author}/{number}-{slug}"],
    ["{author}/{slug}", "", undefined],
    ["{slug}/{number}-x", "", undefined],
    ["{number}/{slug}", "", undefined],
    ["--orphan/{number}-{slug}", "", undefined],
    ["a b/{number}-{slug}", "", undefined],
  ])("%j and the prefix %j make %j", (template, prefix, expected) => {
    expect(branchTemplate(template, prefix)).toBe(expected);
  });

  it.each([
    ["{author}/{app}/{number}-{slug}", "003-login", "jane-doe/my-web-app/003-login"],
    ["f/{number}-{slug}", "20261116-093000-login", "f/20261116-093000-login"],
    ["f/{number}-{slug}", "003-{app}", "f/003-{app}"],
  ])("%j for %j is %j", (template, name, expected) => {
    expect(renderBranch(template, name, FACTS)).toBe(expected);
  });

  it("has its own count, and at most as many bytes as GitHub takes", () => {
    expect(branchScope("{author}/{app}/{number}-{slug}", FACTS)).toBe("jane-doe/my-web-app/");
    const long = renderBranch("f/{number}-{slug}", `003-${"ä".repeat(200)}`, FACTS);
    expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(244);
    expect(long).toMatch(/^f\/003-ä{100,}$/);
    expect(renderBranch(`${"p".repeat(300)}/{number}-{slug}`, "003-a", FACTS)).toContain("/003-");
  });

  it("an author without a letter still has a name", () => {
    expect(branchScope("{author}/{app}/{number}-{slug}", { author: "李", app: "!" })).toBe(
      "unknown/app/",
    );
  });
});
