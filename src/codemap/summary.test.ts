import { array, assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { HEAD_CHARACTERS, summarize } from "./summary.ts";

describe("summarize", () => {
  it.each<[text: string, summary: string]>([
    ["/** Does it. */\nexport const a = 1;\n", "Does it"],
    ["// Does it\n// all day long.\nconst a = 1;\n", "Does it"],
    ["/**\n * Keeps orders. They are\n * many.\n */\n", "Keeps orders"],
    ['import a from "a";\n\n/** Does it. */\nexport const b = 1;\n', "Does it"],
    ["function a() {\n  // A remark inside.\n}\n", ""],
    ["// Copyright 2020 Tess\n// You may copy it.\n\n// Does the thing.\n", "Does the thing"],
    ["/*\n * Licensed under X.\n *\n * Unless agreed.\n */\n// Does it.\n", "Does it"],
    ["/* eslint-disable */\n// @ts-nocheck\n// Does it.\n", "Does it"],
    ["/** Runs `run <name>` for all. */\n", "Runs `run <name>` for all"],
    ["#!/usr/bin/env node\n'use strict';\n// Starts it.\n", "Starts it"],
    ["//go:build linux\n\n// Package a keeps things. And more.\n", "Package a keeps things"],
    ["//! Crate docs.\n", "Crate docs"],
    ["using X;\n/// <summary>\n/// Keeps orders.\n/// </summary>\n", "Keeps orders"],
    ["<?php\n/** Pays. */\nclass A {}\n", "Pays"],
    ["#include <stdio.h>\n#define A 1\n", ""],
    ['"""Pays bills.\n\nMore."""\n', "Pays bills"],
    ["#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nr'''Pays.'''\n", "Pays"],
    ["# frozen_string_literal: true\n\nrequire 'x'\n\n# Pays.\nclass A; end\n", "Pays"],
    ["-- Adds users.\nCREATE TABLE a;\n", "Adds users"],
    ["---\nlayout: x\n---\n\nText\n\n# How to pay #\n", "How to pay"],
    ["<!-- Keep short -->\n# Other\n", "Keep short"],
    ["- [ ] a box\n", ""],
    ["", ""],
  ])("%j", (text, summary) => {
    expect(summarize(text)).toBe(summary);
    expect(summarize(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toBe(summary);
  });

  it("is one short line", () => {
    expect(summarize(`/** ${"word ".repeat(100)} */`)).toMatch(/^word .{134}…$/);
  });

  it("stays small, whatever a file contains", () => {
    const piece = constantFrom(
      ..."/* */ // # -- \"\"\" ''' = <!-- --> . A a".split(" "),
      "\n",
      " ",
    );
    assert(
      property(tuple(array(piece, { maxLength: 200 }), string()), ([pieces, more]) => {
        const summary = summarize(pieces.join("") + more);
        expect(summary.length).toBeLessThanOrEqual(140);
        expect(summary).not.toMatch(/[\r\n]/);
      }),
    );
  });

  // A pattern that tries every way of matching would take far longer than any time limit.
  it.each([" ", "\n", "*", "-", "#", "/", "/*", '"""\n', ". ", "# a ", "a.A "])(
    "reads long runs of %j to the end",
    (unit) => {
      const run = unit.repeat(Math.ceil((2 * HEAD_CHARACTERS) / unit.length));
      for (const text of [run, `/** ${run}`, `# ${run}x`, `# a${run}x`])
        expect(summarize(text).length).toBeLessThanOrEqual(140);
    },
  );
});
