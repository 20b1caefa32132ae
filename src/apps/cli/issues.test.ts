import { expect, it } from "vitest";
import { issuesPage } from "./issues.ts";

const PAGE = "https://github.com/o/n/issues";

it.each<[manifest: Record<string, unknown>, page: string | undefined]>([
  [{}, undefined],
  [{ bugs: PAGE }, PAGE],
  [{ bugs: { url: PAGE, email: "x@example.com" }, repository: "other/one" }, PAGE],
  [{ bugs: { email: "x@example.com" }, repository: "o/n" }, PAGE],
  [{ bugs: "javascript:alert(1)" }, undefined],
  [{ repository: "o/n" }, PAGE],
  [{ repository: "github:o/n" }, PAGE],
  [{ repository: "gitlab:o/n" }, "https://gitlab.com/o/n/issues"],
  [{ repository: "https://github.com/o/n" }, PAGE],
  [{ repository: { type: "git", url: "git+https://github.com/o/n.git" } }, PAGE],
  [{ repository: { url: "git+ssh://git@github.com/o/n.git" } }, PAGE],
  [{ repository: "git@github.com:o/n.git" }, PAGE],
  [{ repository: "somewhere else" }, undefined],
  [{ repository: 7 }, undefined],
])("%j: %s", (manifest, page) => {
  expect(issuesPage(manifest)).toBe(page);
});
