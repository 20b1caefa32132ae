import fc from "fast-check";
import { expect, it } from "vitest";
import { isObject } from "../text/schema.ts";
import { insertSetting } from "./settings-file.ts";

it.each<[text: string, inside: string | undefined, after: string | undefined]>([
  ["{}", undefined, '{"k": true}'],
  ["{\n}\n", undefined, '{"k": true\n}\n'],
  ['{"id": 12345678901234567890}', undefined, '{"k": true, "id": 12345678901234567890}'],
  ['{\n\t"a": 1.0\n}\n', undefined, '{\n\t"k": true,\n\t"a": 1.0\n}\n'],
  ['{"a": 1}', "model", '{"model": { "k": true }, "a": 1}'],
  ['{"model": {"name": "x"}}', "model", '{"model": {"k": true, "name": "x"}}'],
  ['{"model": {}}', "model", '{"model": {"k": true}}'],
  ['{"a": {"model": {}}, "model": {}}', "model", '{"a": {"model": {}}, "model": {"k": true}}'],
  ['{"model": 1, "model": {}}', "model", '{"model": 1, "model": {"k": true}}'],
  ['{"a": "{\\"", "model": {}}', "model", '{"a": "{\\"", "model": {"k": true}}'],
  ['{"model": "flash"}', "model", undefined],
  ['{"model": null}', "model", undefined],
  ["{ // mine\n}", undefined, undefined],
  ["[]", undefined, undefined],
])("%j, in %j: %j", (text, inside, after) => {
  expect(insertSetting(text, { key: "k", value: true, inside })).toBe(after);
});

it("adds that and nothing else", () => {
  const inside = fc.constantFrom("model", undefined);
  const settings = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom("model", "a")),
    fc.oneof(
      fc.json().map((text) => JSON.parse(text) as unknown),
      fc.dictionary(fc.string(), fc.string()),
    ),
  );
  fc.assert(
    fc.property(settings, inside, fc.constantFrom(0, 2, "\t"), (old, part, indent) => {
      const before = JSON.parse(JSON.stringify(old)) as Record<string, unknown>;
      const setting = { key: "own key", value: 7, inside: part };
      const text = insertSetting(JSON.stringify(old, null, indent), setting);
      const model = before["model"];
      if (part !== undefined && "model" in before && !isObject(model)) {
        expect(text).toBeUndefined();
        return;
      }
      const wanted =
        part === undefined
          ? { "own key": 7, ...before }
          : { ...before, model: { "own key": 7, ...(isObject(model) ? model : {}) } };
      expect(JSON.parse(text ?? "")).toEqual(wanted);
    }),
  );
});
