import { expect, it } from "vitest";
import { findLiterals, readSource } from "./literals.ts";

it("reads every expression of the source", () => {
  expect(readSource().length).toBeGreaterThan(900);
});

it("reads expressions off the source, and nothing else", () => {
  const source = [
    "// a comment /no/",
    'const a = "/no/" + b / c / d;',
    "const e = /[/]\\/x/giu.test(`/no/`); /* /no/ */",
    'f(new RegExp(String.raw`(a)`, "g"), (g) => /h/);',
    "const k = `${l(`${m}/${n}`)}/${o}`;",
    "if (i) return /j/.test(k); const returned = returns / l / m;",
  ].join("\n");
  expect(findLiterals(source)).toEqual([
    { line: 3, source: "/[/]\\/x/giu" },
    { line: 4, source: 'new RegExp(String.raw`(a)`, "g")' },
    { line: 4, source: "/h/" },
    { line: 6, source: "/j/" },
  ]);
});
