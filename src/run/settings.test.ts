import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runsOf } from "../../test/support/full.ts";
import { parseFrontMatter } from "../text/front-matter.ts";
import { combineSettings } from "./combine-settings.ts";
import { parseSettingsFile, type SettingsFile } from "./settings-file.ts";
import { defaultSettings, parseSettings, type Settings } from "./settings.ts";

const front = (...lines: readonly string[]): string => ["---", ...lines, "---", ""].join("\n");

/** As they hold where only the user has said something. */
const settingsOf = (text: string): Settings => combineSettings(parseSettings(text), {}).settings;

describe("enabled", () => {
  it.each([
    ["false", false],
    ["False", false],
    ["FALSE", false],
    ['"false"', false],
    ["'False'", false],
    ["false  ", false],
    ["false # for now", false],
    ['"false" # for now', false],
    ["true", true],
    ["True", true],
    ['"true"', true],
    ["", true],
    ["maybe", true],
    ['"false, or not"', true],
    ["falsey", true],
  ])("%j is %s", (value, expected) => {
    expect(settingsOf(front(`enabled: ${value}`)).enabled).toBe(expected);
  });
});

describe("specs_dirs", () => {
  it.each([
    ["specs_dirs: [specs, docs/specs]", ["specs", "docs/specs"]],
    [`specs_dirs: ["specs", 'docs/specs',]`, ["specs", "docs/specs"]],
    ["specs_dirs: [ a , b ] # two", ["a", "b"]],
    ["specs_dirs: []", []],
    ["specs_dirs:", []],
    ["specs_dirs: specs", ["specs"]],
    ['specs_dirs: "my specs"', ["my specs"]],
    ["specs_dirs:\n  - specs\n  - docs/specs", ["specs", "docs/specs"]],
    ["specs_dirs:\n- specs\n- docs/specs", ["specs", "docs/specs"]],
    [
      "specs_dirs: # where they are\n  - 'specs' # first\n\n  # between\n  - \"b c\"",
      ["specs", "b c"],
    ],
    ["specs_dirs:\n  - a#b\n  - /abs/dir", ["a#b", "/abs/dir"]],
  ])("%j", (lines, expected) => {
    expect(settingsOf(front(lines)).specsDirs).toEqual(expected);
    expect([(parse(lines) as Record<string, unknown>)["specs_dirs"] ?? []].flat()).toEqual(
      expected,
    );
  });
});

describe("stall_limit", () => {
  it.each([
    ["5", 5],
    ['"5"', 5],
    ["1", 1],
    ["0", 3],
    ["-2", 3],
    ["2.5", 3],
    ["many", 3],
    ["", 3],
  ])("%j is %s", (value, expected) => {
    expect(settingsOf(front(`stall_limit: ${value}`)).stallLimit).toBe(expected);
  });
});

describe("front matter", () => {
  it.each([
    ["no front matter", "enabled: false\n"],
    ["text before it", "Notes\n\n---\nenabled: false\n---\n"],
    ["a fence before it", "# Notes\n\n```\n---\nenabled: false\n---\n```\n"],
    ["an unknown key without a space", front("disabled:true")],
    ["a word for no that is none", front("enabled: nope")],
    ["nothing", ""],
    ["an empty one", "---\n---\n"],
    ["a setting below it", "---\n---\nenabled: false\n"],
    ["a nested setting", front("other:", "  enabled: false")],
    ["a setting in a comment", front("# enabled: false")],
  ])("with %s changes nothing", (_, text) => {
    expect(settingsOf(text)).toEqual(defaultSettings);
  });

  it.each([
    ["Windows line ends", "---\r\nenabled: false\r\nspecs_dirs:\r\n  - a\r\n---\r\n"],
    ["a byte order mark", "\uFEFF---\nenabled: false\nspecs_dirs: [a]\n---\n"],
    ["no end", "---\nenabled: false\nspecs_dirs: [a]\n"],
    ["a document end", "---\nenabled: false\nspecs_dirs: [a]\n...\nenabled: true\n"],
    ["text behind it", "---\nenabled: false\nspecs_dirs: [a]\n---\n# Notes\n\nenabled: true\n"],
    [
      "the same key twice",
      front("enabled: true", "specs_dirs: [b]", "enabled: false", "specs_dirs: [a]"),
    ],
    ["unknown keys", front("mode: fast", "enabled: false", "list:", "  - x", "specs_dirs: [a]")],
    ["a blank line before it", "\n\n---\nenabled: false\nspecs_dirs: [a]\n---\n"],
    ["a title before it", "# My settings\n\n---\nenabled: false\nspecs_dirs: [a]\n---\n"],
    [
      "a title behind a byte order mark",
      "\uFEFF# A\r\n---\r\nenabled: no\r\nspecs_dirs: a\r\n---\r\n",
    ],
    ["no space behind the colon", front("enabled:false", "specs_dirs:[a]")],
    ["no space, and quotes", front('enabled:"false"', "specs_dirs:'a'")],
    ["quotes", front('enabled: "false"', 'specs_dirs: "a"')],
    ["capitals", front("Enabled: No", "SPECS_DIRS: [a]")],
    ["space before the colon", front("enabled : False  # off", "specs_dirs :", "  - a")],
    ["other words for no", front("enabled: n", "specs_dirs: [a]")],
    ["space behind the rule", "---  \nenabled: false\nspecs_dirs: [a]\n---\t\n"],
  ])("with %s is read", (_, text) => {
    expect(settingsOf(text)).toMatchObject({ enabled: false, specsDirs: ["a"] });
  });
});

describe("what was not understood", () => {
  it.each<[text: string, found: Partial<SettingsFile>]>([
    [front("enabled: false"), { state: "closed", isEmpty: false }],
    ["---\nenabled: false\n", { state: "unclosed", isEmpty: false }],
    ["enabled: false\n", { state: "absent", isEmpty: true }],
    [front("mode: x", "enabled: no"), { unknown: ["mode"] }],
    [front("toString: x"), { unknown: ["toString"] }],
    [front("enabled: flase"), { misread: [{ key: "enabled", said: "flase" }] }],
    [front("Enabled:"), { misread: [{ key: "enabled", said: "" }] }],
    [front("verify_timeout: 2m"), { misread: [{ key: "verify_timeout", said: "2m" }] }],
    [front("stall_limit: 0"), { misread: [{ key: "stall_limit", said: "0" }] }],
    [front("evidence: [off, on]"), {}],
    [front("branch: maybe"), { misread: [{ key: "branch", said: "maybe" }] }],
    [front("weight_risky: high"), { misread: [{ key: "weight_risky", said: "high" }] }],
    [front("enabled = false"), { unread: ["enabled = false"] }],
    [front("mode:fast"), { unread: ["mode:fast"] }],
    [front("- enabled: false"), { unread: ["- enabled: false"] }],
    [front("  enabled: false"), { unread: ["  enabled: false"] }],
    [front("specs_dirs:", "  - a", "# why", "", "verify_allow: []"), {}],
    [front("other:", "  nested: x"), { unknown: ["other"] }],
  ])("in %j: %j", (text, found) => {
    const { said: _, run: __, values: ___, runKeys, ...rest } = parseSettingsFile(text);
    expect(runKeys).toEqual([]);
    const nothing = {
      state: "closed",
      isEmpty: rest.isEmpty,
      unknown: [],
      misread: [],
      unread: [],
    };
    expect(rest).toEqual({ ...nothing, ...found });
  });
});

// None of this measures time: what is not linear here does not end before the test's time is up.
it.each([
  ["a list that never ends", `specs_dirs: [a\n${"b\n".repeat(500_000)}`],
  ["a value behind a gap", `a:${" ".repeat(500_000)}b\u2028c`],
  ["an item behind a gap", `a:\n-${" ".repeat(500_000)}b\u2028c`],
  ["nothing but comments", `a: b${" #".repeat(500_000)}\u2028c`],
])("reads %s", (_, lines) => {
  expect(parseFrontMatter(front(lines)).values.size).toBe(1);
});

it("never throws, whatever the file is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      parseSettings(text);
      parseSettings(front(text));
    }),
    { numRuns: runsOf(500) },
  );
});
