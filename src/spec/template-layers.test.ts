import { describe, expect, it } from "vitest";
import {
  composeTemplate,
  MAX_TEMPLATE,
  orderByPriority,
  parseTemplateEntry,
  type TemplateLayer,
} from "./template-layers.ts";

const layer = (text: string, strategy: TemplateLayer["strategy"] = "replace"): TemplateLayer => ({
  text,
  strategy,
});

describe("composeTemplate", () => {
  it.each<[layers: TemplateLayer[], text: string | undefined]>([
    [[], undefined],
    [[layer("a"), layer("b")], "a"],
    [[layer("a", "prepend"), layer("b")], "a\n\nb"],
    [[layer("a", "append"), layer("b")], "b\n\na"],
    [[layer("<{CORE_TEMPLATE}|{CORE_TEMPLATE}>", "wrap"), layer("$&")], "<$&|$&>"],
    [[layer("no place", "wrap"), layer("b")], "b"],
    [[layer("a", "append"), layer("b", "prepend"), layer("c")], "b\n\nc\n\na"],
    [[layer("a", "append")], undefined],
  ])("%j is %j", (layers, text) => {
    expect(composeTemplate(layers)).toBe(text);
  });

  it("leaves out layers that would make it too long", () => {
    const many = layer("{CORE_TEMPLATE}\n".repeat(2000), "wrap");
    const layers = [many, layer("first", "prepend"), many, many, layer("core")];
    const text = composeTemplate(layers) ?? "";
    expect(text.length).toBeLessThanOrEqual(MAX_TEMPLATE);
    expect(text.startsWith("first\n\ncore\ncore\n")).toBe(true);
    const whole = "x".repeat(MAX_TEMPLATE - 10);
    expect(composeTemplate([layer("y".repeat(20), "append"), layer(whole)])).toBe(whole);
  });
});

describe("parseTemplateEntry", () => {
  const manifest = (entry: object): Record<string, unknown> => ({
    provides: { templates: [{ type: "command", name: "spec-template", file: "x" }, entry] },
  });
  it.each<[entry: object, found: unknown]>([
    [
      { type: "template", name: "spec-template", file: "a/b.md" },
      { file: "a/b.md", strategy: "replace" },
    ],
    [
      { name: "spec-template", file: "b.md", strategy: "Wrap" },
      { file: "b.md", strategy: "wrap" },
    ],
    [{ name: "plan-template", file: "b.md" }, undefined],
    [{ name: "spec-template", file: "../b.md" }, undefined],
    [{ name: "spec-template", file: "/b.md" }, undefined],
    [{ name: "spec-template", file: "C:\\b.md" }, undefined],
    [{ name: "spec-template", file: 7 }, undefined],
  ])("%j → %j", (entry, found) => {
    expect(parseTemplateEntry(manifest(entry), "spec-template")).toEqual(found);
  });
  it.each([{}, { provides: 1 }, { provides: { templates: {} } }, { provides: { templates: [1] } }])(
    "%j says nothing",
    (said) => {
      expect(parseTemplateEntry(said, "spec-template")).toBeUndefined();
    },
  );
});

it("orders by priority, then by name, without those that are off", () => {
  const registry = {
    late: { priority: 20 },
    b: {},
    a: { priority: true },
    first: { priority: "1" },
    off: { enabled: false, priority: 1 },
    nothing: { enabled: null },
    broken: 7,
    "../out": { priority: 1 },
  };
  expect(orderByPriority(registry, ["off", "c", "Not-An-Id", "b"])).toEqual([
    "first",
    "a",
    "b",
    "c",
    "late",
  ]);
});
