import { expect, it } from "vitest";
import { speckit } from "../../test/support/editions.ts";
import { MAX_GOAL, type TemplateFacts } from "./documents.ts";
import { fillOwnTemplate } from "./own-template.ts";

it("puts a long goal in the first places only", () => {
  const facts = { name: "001-x", path: "./specs/001-x", goal: "g".repeat(MAX_GOAL), date: "" };
  const text = fillOwnTemplate(
    speckit,
    "$ARGUMENTS\n".repeat(20_000),
    "spec.md",
    facts as TemplateFacts,
  );
  expect(text.startsWith("ggg")).toBe(true);
  expect(text.endsWith("$ARGUMENTS\n")).toBe(true);
  expect(text.length).toBeLessThan(1 << 20);
});
