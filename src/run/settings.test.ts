import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseFrontMatter } from "../text/front-matter.ts";
import { combineSettings } from "./combine-settings.ts";
import {
  defaultSettings,
  parseSettings,
  parseSettingsFile,
  type SettingsFile,
  type StatedSettings,
  type Settings,
} from "./settings.ts";

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

describe("combineSettings", () => {
  it.each<
    [key: string, user: StatedSettings, project: StatedSettings, holds: unknown, ignored: string]
  >([
    // What the project says counts where it tightens,
    ["enabled", {}, { enabled: false }, false, ""],
    ["stallLimit", {}, { stallLimit: 1 }, 1, ""],
    ["stallLimit", { stallLimit: 9 }, { stallLimit: 7 }, 7, ""],
    ["evidence", { evidence: "off" }, { evidence: "required" }, "required", ""],
    ["evidence", { evidence: "off" }, { evidence: "recorded" }, "recorded", ""],
    ["verifyTimeoutSeconds", {}, { verifyTimeoutSeconds: 5 }, 5, ""],
    ["verifyTimeoutSeconds", { verifyTimeoutSeconds: 600 }, { verifyTimeoutSeconds: 300 }, 300, ""],
    ["verifyAllow", {}, { verifyAllow: ["npm test"] }, ["npm test"], ""],
    ["commitSpec", {}, { commitSpec: false }, false, ""],
    ["quick", { quick: true }, { quick: false }, false, ""],
    ["maxAttempts", {}, { maxAttempts: 2 }, 2, ""],
    ["maxAttempts", {}, { maxAttempts: 5 }, 5, ""],
    ["maxAttempts", { maxAttempts: 9 }, { maxAttempts: 7 }, 7, ""],
    ["files", {}, { files: "enforce" }, "enforce", ""],
    ["files", { files: "off" }, { files: "report" }, "report", ""],
    // where it is a matter of taste,
    ["granularity", {}, { granularity: "fine" }, "fine", ""],
    ["granularity", { granularity: "fine" }, { granularity: "coarse" }, "coarse", ""],
    // and nowhere else.
    ["enabled", { enabled: false }, { enabled: true }, false, "enabled: true"],
    ["stallLimit", {}, { stallLimit: 4 }, 3, "stall_limit: 4"],
    ["stallLimit", { stallLimit: 2 }, { stallLimit: 3 }, 2, "stall_limit: 3"],
    ["evidence", {}, { evidence: "recorded" }, "required", "evidence: recorded"],
    ["evidence", {}, { evidence: "off" }, "required", "evidence: off"],
    ["evidence", { evidence: "recorded" }, { evidence: "off" }, "recorded", "evidence: off"],
    ["verifyTimeoutSeconds", {}, { verifyTimeoutSeconds: 101 }, 100, "verify_timeout: 101"],
    ["commitSpec", { commitSpec: false }, { commitSpec: true }, false, "auto_commit_spec: true"],
    ["quick", {}, { quick: true }, false, "quick_mode_default: true"],
    ["proveSetup", {}, { proveSetup: "npm ci" }, undefined, "prove_setup: npm ci"],
    ["branch", {}, { branch: "worktree" }, "none", "branch: worktree"],
    ["branch", { branch: "branch" }, { branch: "none" }, "branch", "branch: none"],
    ["maxAttempts", {}, { maxAttempts: 6 }, undefined, "default_max_iterations: 6"],
    ["maxAttempts", { maxAttempts: 2 }, { maxAttempts: 3 }, 2, "default_max_iterations: 3"],
    ["files", {}, { files: "off" }, "report", "files: off"],
    ["files", { files: "enforce" }, { files: "report" }, "enforce", "files: report"],
    // What is as it is anyway is not worth a word.
    ["evidence", {}, { evidence: "required" }, "required", ""],
    ["quick", {}, { quick: false }, false, ""],
    ["branch", {}, { branch: "none" }, "none", ""],
    // The user's own file may say everything.
    ["evidence", { evidence: "off" }, {}, "off", ""],
    ["verifyTimeoutSeconds", { verifyTimeoutSeconds: 900 }, {}, 900, ""],
    ["proveSetup", { proveSetup: "npm ci" }, {}, "npm ci", ""],
    ["branch", { branch: "worktree" }, {}, "worktree", ""],
    ["quick", { quick: true }, {}, true, ""],
  ])("%s: the user %j, the project %j", (key, user, project, holds, ignored) => {
    const combined = combineSettings(user, project);
    expect(combined.settings).toEqual({ ...combineSettings(user, {}).settings, [key]: holds });
    expect(combined.ignored.map((one) => `${one.key}: ${one.said}`).join()).toBe(ignored);
  });

  it("has no setting that a project could loosen unnoticed", () => {
    const loose: StatedSettings = {
      stallLimit: 1000,
      evidence: "off",
      verifyTimeoutSeconds: 1000,
      files: "off",
      quick: true,
      branch: "worktree",
      maxAttempts: 1000,
      specsDirs: ["/", ".."],
    };
    const { settings, ignored } = combineSettings({}, loose, () => false);
    expect(settings).toEqual(defaultSettings);
    expect(new Set(ignored.map(({ key }) => key)).size).toBe(Object.keys(loose).length);
  });

  it("takes the project's weights one by one", () => {
    const said = { weights: { risky: 9 } };
    const { weights } = combineSettings({ weights: { risky: 1, impact: 5 } }, said).settings;
    expect(weights).toEqual({ ...defaultSettings.weights, risky: 9, impact: 5 });
  });

  it("accepts only those of the project's folders that may contain specs", () => {
    const combine = (user: StatedSettings, ...specsDirs: string[]) =>
      combineSettings(user, { specsDirs }, (folder) => folder.startsWith("in"));
    expect(combine({}, "in", "/", "in/x")).toMatchObject({
      settings: { specsDirs: ["in", "in/x"] },
      ignored: [{ key: "specs_dirs", said: "/" }],
    });
    expect(combine({ specsDirs: ["mine"] }, "/").settings.specsDirs).toEqual(["mine"]);
    expect(combine({}, "/").settings.specsDirs).toEqual([]);
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
    const { said: _, ...rest } = parseSettingsFile(text);
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
      { numRuns: 500 },
    );
  });

  it("and never throws, whatever the file is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        parseSettings(text);
        parseSettings(front(text));
      }),
      { numRuns: 500 },
    );
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
