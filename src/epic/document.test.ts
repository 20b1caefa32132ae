import { describe, expect, it } from "vitest";
import { renderEpicDocument, replaceSpecTable } from "./document.ts";
import { beginEpic, type Epic, planAdd } from "./model.ts";

function withSpec(goal: string, epicGoal = "Sell things"): Epic {
  const wish = { name: "cart", goal, dependencies: ["shop", "stock"], size: "M" };
  const change = planAdd(beginEpic("store", epicGoal), wish);
  if (change.kind === "refused") throw new Error(change.why);
  return change.epic;
}

describe("the document of an epic", () => {
  const fresh = renderEpicDocument(beginEpic("store", "Sell things"));

  it("has its sections, and a table without rows", () => {
    expect(fresh.match(/^#.*$/gm)).toEqual([
      "# Epic: store",
      "## Goal",
      "## Specs",
      "## Interface contracts",
      "## Risks",
    ]);
    expect(fresh).toContain("\n## Goal\n\nSell things\n");
    expect(fresh).toContain("|---|---|---|---|\n<!-- specs:end -->");
    expect(fresh).not.toContain("{{");
  });

  it("gets a row for each spec, and keeps all that people wrote", () => {
    const written = fresh.replace("## Risks", "cart gives `total()`.\n\n## Risks");
    const once = replaceSpecTable(written, withSpec("Fill a cart"));
    expect(once).toContain("\n| cart | Fill a cart | M | shop, stock |\n<!-- specs:end -->");
    expect(replaceSpecTable(once, withSpec("Fill a cart"))).toBe(once);
    expect(replaceSpecTable(once, beginEpic("store", ""))).toBe(written);
  });

  it("keeps Windows line endings", () => {
    const windows = replaceSpecTable(fresh.replaceAll("\n", "\r\n"), withSpec("Fill a cart"));
    expect(windows).toContain("| cart | Fill a cart | M | shop, stock |\r\n<!-- specs:end -->");
    expect(windows).not.toMatch(/[^\r]\n/);
  });

  it.each(["", "# My epic\n\n| cart | mine |\n", "<!-- specs:end -->\n<!-- specs:begin -->\n"])(
    "that has no place for the table stays as it is: %j",
    (text) => {
      expect(replaceSpecTable(text, withSpec("x"))).toBe(text);
    },
  );

  it.each(["a | b \\| c", "<!-- specs:end -->", "line\nline", "$& $1", "\u001b[31mred"])(
    "is not broken by the goal %j",
    (goal) => {
      const epic = withSpec(goal, goal);
      const text = renderEpicDocument(epic);
      const [row = ""] = /^\| cart.*$/m.exec(text) ?? [];
      const cells = row.match(/(?:\\.|[^|\\])+/g) ?? [];
      expect(cells.map((cell) => cell.trim()).filter((_, i) => i !== 1)).toEqual([
        "cart",
        "M",
        "shop, stock",
      ]);
      expect(text).not.toContain("\u001b");
      expect(replaceSpecTable(text, epic)).toBe(text);
    },
  );
});
