import { array, assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { SCAN_CHARACTERS, scanSource } from "./scan-source.ts";

describe("names", () => {
  it.each<[path: string, text: string, names: string[]]>([
    [
      "a.ts",
      "export const a = 1;\nexport async function b() {}\nexport default class C {}\nexport abstract class D {}\nexport type E = 1;\nexport interface F {}\nexport const enum G {}\nexport declare function h(): void;\nexport function* i() {}\nexport function *j() {}\nconst hidden = 1;\n",
      ["a", "b", "C", "D", "E", "F", "G", "h", "i", "j"],
    ],
    ["a.ts", "export { a, b as c, type D };\nexport * from './x';\n", ["a", "c", "D"]],
    ["a.ts", "export {\n  a, // first\n  b,\n};\nexport const z = 1;\n", ["a", "b", "z"]],
    ["a.js", "module.exports = { a, b: c, d() {} };\n", ["a", "b", "d"]],
    ["a.js", "exports.a = 1;\nmodule.exports.b = 2;\n", ["a", "b"]],
    ["a.js", "module.exports = Thing;\n", ["Thing"]],
    ["a.js", "module.exports = require('./b');\n", []],
    ["a.js", "module.exports = function () {};\nfunction b() {}\n", ["b"]],
    ["a.js", "export default thing;\n", ["thing"]],
    ["a.js", "function a() {}\nclass B {}\nconst c = 1;\n  const inner = 1;\n", ["a", "B", "c"]],
    ["a.js", "/*\nexport const a = 1;\n*/\nexport const b = 1;\n", ["b"]],
    ["a.test.ts", "const x = 1;\ndescribe('the loop', () => {});\n", ["the loop"]],
    [
      "a.py",
      "class A:\n  def method(self): pass\n\nasync def b(): pass\ndef c(): pass\nLIMIT: int = 3\n_x = 1\ndef _d(): pass\n",
      ["A", "b", "c", "LIMIT"],
    ],
    ["a.py", 'def a():\n    """\ndef b():\n    """\n', ["a"]],
    ["a.py", "def _only(): pass\n", ["_only"]],
    [
      "a.go",
      "func New() {}\nfunc (s *Store) Get(k string) {}\nfunc small() {}\ntype Store struct {}\nvar Limit = 1\n",
      ["New", "Get", "Store", "Limit"],
    ],
    ["main.go", "func main() {}\n", ["main"]],
    [
      "a.rs",
      "pub fn a() {}\npub(crate) async fn b() {}\npub const fn c() {}\npub const D: u8 = 1;\npub struct E;\nfn hidden() {}\nmacro_rules! f { }\n",
      ["a", "b", "c", "D", "E", "f"],
    ],
    ["a.rs", "fn main() {}\n", ["main"]],
    ["A.java", "public final class A {\n  class Inner {}\n}\nrecord B() {}\n", ["A", "B"]],
    ["a.rb", "module Shop\n  class Order\n    def pay; end\n  end\nend\n", ["Shop", "Order"]],
    ["a.php", "<?php\nfinal class A {\n    function m() {}\n}\nfunction b() {}\n", ["A", "b"]],
    [
      "A.cs",
      "namespace X\n{\n    public sealed class A { }\n    internal record struct B(int C);\n}\n",
      ["A", "B"],
    ],
    ["a.kt", "class A\n", []],
    ["a.md", "# Title\n", []],
  ])("of %s", (path, text, names) => {
    expect(scanSource(path, text).names).toEqual(names);
    const dos = text.replaceAll("\n", "\r\n");
    expect(scanSource(path, `\uFEFF${dos}`).names).toEqual(names);
  });
});

describe("the summary", () => {
  it.each<[path: string, text: string, summary: string]>([
    ["a.ts", "/** Does it. */\nexport const a = 1;\n", "Does it"],
    ["a.ts", "// Does it\n// all day long.\nconst a = 1;\n", "Does it all day long"],
    ["a.ts", "/**\n * Keeps orders. They are\n * many.\n *\n * More.\n */\n", "Keeps orders"],
    ["a.ts", "/**\n * @file What it is for\n * @author Tess\n */\n", "What it is for"],
    ["a.ts", 'import a from "a";\n\n/** Does it. */\nexport const b = 1;\n', "Does it"],
    ["a.ts", "import a from 'a';\n\n// A remark.\nconst b = 1;\nexport const c = 1;\n", ""],
    ["a.ts", "import a from 'a';\n/** Ours. */\n@dec()\nexport class B {}\n", "Ours"],
    ["a.ts", "// Copyright 2020 Tess\n\n// Does the thing.\n", "Does the thing"],
    ["a.ts", "/* eslint-disable */\n// @ts-nocheck\n", ""],
    ["a.ts", "// License keys are checked here.\n", "License keys are checked here"],
    ["a.ts", "/** Runs `run <name>` for all. */\n", "Runs `run <name>` for all"],
    ["a.ts", "#!/usr/bin/env node\n'use strict';\n// Starts it.\n", "Starts it"],
    ["a.ts", "//=====\n//  Parser  =====\n//=====\n", "Parser"],
    ["a.ts", "/* never closed\nconst a = 1;\n", "never closed const a = 1;"],
    [
      "a.go",
      "//go:build linux\n\n// Package a keeps things. And more.\npackage a\n",
      "Package a keeps things",
    ],
    ["a.rs", "//! Crate docs.\n", "Crate docs"],
    ["a.rs", "use x;\n\n/// Runs.\n#[inline]\npub fn a() {}\n", "Runs"],
    [
      "A.cs",
      "using X;\n/// <summary>\n/// Keeps orders.\n/// </summary>\n[Serializable]\npublic class A {}\n",
      "Keeps orders",
    ],
    ["A.java", "package x;\n\nimport y;\n\n/**\n * Pays.\n */\npublic class A {}\n", "Pays"],
    ["a.php", "<?php\n/** Pays. */\nclass A {}\n", "Pays"],
    ["a.py", '"""Pays bills.\n\nMore."""\n', "Pays bills"],
    ["a.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nr'''Pays.'''\n", "Pays"],
    ["a.py", "# Pays bills.\nimport x\n", "Pays bills"],
    ["a.py", 'class A:\n    """An account."""\n', "An account"],
    ["a.rb", "# frozen_string_literal: true\n\nrequire 'x'\n\n# Pays.\nclass A; end\n", "Pays"],
    ["a.sh", "#!/bin/sh\n# Builds it.\nset -e\n", "Builds it"],
    ["a.sql", "-- Adds users.\nCREATE TABLE a;\n", "Adds users"],
    ["ci.yml", "name: Test everything\non: push\n", "Test everything"],
    ["Dockerfile", "# The image of the service\nFROM node\n", "The image of the service"],
    ["package.json", '{\n  "name": "a",\n  "description": "Pays bills."\n}\n', "Pays bills"],
    ["a.md", "---\nlayout: x\n---\n\nText\n\n# How to pay #\n", "How to pay"],
    ["a.md", "---\ntitle: 'Paying'\n---\n# Other\n", "Paying"],
    ["a.md", "- [ ] a box\n", ""],
    ["a.rst", "Paying\n======\n", "Paying"],
    ["a.png", "# x\n", ""],
    ["a.ts", "", ""],
  ])("of %s %j", (path, text, summary) => {
    expect(scanSource(path, text).summary).toBe(summary);
    expect(scanSource(path, text.replaceAll("\n", "\r\n")).summary).toBe(summary);
  });

  it("is one short line", () => {
    const { summary } = scanSource("a.ts", `/** ${"word ".repeat(100)} */`);
    expect(summary).toHaveLength(140);
    expect(summary).toMatch(/^word .*…$/);
  });
});

const EXTENSIONS = "ts js py go rs java rb php cs sh sql md json yml vue kt txt".split(" ");

describe("whatever a file holds", () => {
  const piece = constantFrom(
    ..."/* */ // /// # -- \"\"\" ''' export const function class def pub impl type { } , ; ( ) [ ] < > = : . @file --- <!-- -->".split(
      " ",
    ),
    "\n",
    "\n",
    " ",
    "\t",
    "name",
    "\u2028",
    "\u0000",
  );
  it("a scan is small and on one line", () => {
    assert(
      property(
        tuple(constantFrom(...EXTENSIONS), array(piece, { maxLength: 200 }), string()),
        ([extension, pieces, more]) => {
          const { summary, names } = scanSource(`a.${extension}`, pieces.join("") + more);
          expect(summary.length).toBeLessThanOrEqual(140);
          expect(summary).not.toMatch(/[\r\n]/);
          expect(names.length).toBeLessThanOrEqual(24);
          expect(new Set(names).size).toBe(names.length);
          for (const name of names) expect(name.length).toBeLessThanOrEqual(60);
        },
      ),
      { numRuns: 500 },
    );
  });

  // Each would take a pattern that tries every way of matching far longer than any time limit.
  it.each([
    ["spaces", " "],
    ["line feeds", "\n"],
    ["stars", "*"],
    ["dashes", "-"],
    ["hashes", "#"],
    ["slashes", "/"],
    ["open comments", "/*"],
    ["modifiers", "public static "],
    ["exports", "export "],
    ["lists", "export {\n"],
    ["async", "export async "],
    ["quotes", '"""\n'],
    ["constants", "A"],
    ["rust", "pub const unsafe "],
    ["brackets", "func ("],
    ["dots", ". "],
    ["titles", "title: "],
  ])("long runs of %s are read to the end", (_, unit) => {
    const text = unit.repeat(Math.ceil((2 * SCAN_CHARACTERS) / unit.length));
    for (const extension of EXTENSIONS) {
      for (const around of [text, `export const a = 1;${text}`, `/** ${text}`, `# ${text}x`]) {
        expect(scanSource(`a.${extension}`, around).names.length).toBeLessThanOrEqual(24);
      }
    }
  });

  it("a comment that ends far to the right has ended", () => {
    const text = `/* ${"long ".repeat(100)}*/\nexport const a = 1;\n`;
    expect(scanSource("a.ts", text).names).toEqual(["a"]);
  });

  it("only its head counts", () => {
    const text = `${"\n".repeat(SCAN_CHARACTERS)}export const late = 1;\n`;
    expect(scanSource("a.ts", text).names).toEqual([]);
  });
});
