import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runsOf } from "../../test/support/full.ts";
import { parseFrontMatter } from "./front-matter.ts";

describe("parseFrontMatter reads flat YAML as a YAML library does", () => {
  const key = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,12}$/);
  const word = fc.stringMatching(/^[a-zA-Z./][a-zA-Z0-9./_-]{0,15}$/);
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
  const quoted = fc.oneof(
    phrase.map((text) => `"${text}"`),
    phrase.map((text) => `'${text}'`),
    fc.constantFrom('"# no comment"', "'a # b'", '"a: b"', "'- x'", '"[x]"'),
  );
  const scalar = fc.oneof(phrase, quoted, fc.nat().map(String));
  const item = fc.oneof(
    word,
    phrase.map((text) => `"${text}"`),
    phrase.map((text) => `'${text}'`),
  );
  const comment = fc.constantFrom("", " # why", "   # a 'quoted' \"word\"");
  const pair = fc
    .tuple(key, scalar, comment)
    .map(([name, value, end]) => [`${name}: ${value}${end}`]);
  const inline = fc
    .tuple(key, fc.array(item, { maxLength: 4 }), fc.constantFrom("", " # why"))
    .map(([name, items, end]) => [`${name}: [${items.join(", ")}]${end}`]);
  const block = fc
    .tuple(
      key,
      fc.constantFrom("", "  ", "    "),
      fc.array(fc.tuple(scalar, comment), { minLength: 1, maxLength: 4 }),
    )
    .map(([name, indent, items]) => [
      `${name}:`,
      ...items.map(([value, end]) => `${indent}- ${value}${end}`),
    ]);
  const filler = fc.constantFrom([""], ["# comment: here"], ["   # - indented"]);
  const document = fc.array(fc.oneof(pair, inline, block, filler), { maxLength: 8 });

  it("for scalars, inline lists and block lists", () => {
    fc.assert(
      fc.property(document, fc.constantFrom("\n", "\r\n"), (parts, end) => {
        const lines = parts.flat();
        // The failsafe schema takes every scalar for a string, as we do.
        const oracle = (parse(lines.join("\n"), { uniqueKeys: false, schema: "failsafe" }) ??
          {}) as object;
        const expected = Object.entries(oracle).map(([name, value]) => [
          name,
          [value ?? []].flat().map(String),
        ]);
        const text = ["---", ...lines, "---", "body"].join(end);
        expect(Object.fromEntries(parseFrontMatter(text).values)).toEqual(
          Object.fromEntries(expected),
        );
      }),
      { numRuns: runsOf(500) },
    );
  });
});
