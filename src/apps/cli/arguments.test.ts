import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import {
  parseArguments,
  separateTyped,
  splitWords,
  stringOption,
  wholeNumber,
} from "./arguments.ts";
import type { Input, NamedCommand } from "./command.ts";

const command: NamedCommand = {
  name: "try",
  summary: "",
  args: ["<task>", "[spec]"],
  group: "run",
  options: {
    report: { value: "text", summary: "" },
    yes: { summary: "" },
    n: { value: "n", summary: "" },
  },
  run: () => ({ text: "", json: {} }),
};

const parse = (...argv: string[]): Input => parseArguments(command, argv, "ralph");

function failure(...argv: string[]): Refusal {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("was not refused");
}

describe("arguments", () => {
  it.each<[argv: string[], args: string[], options: object]>([
    [["1.1"], ["1.1"], {}],
    [["1.1", "demo", "--yes"], ["1.1", "demo"], { yes: true }],
    [["--yes", "1.1"], ["1.1"], { yes: true }],
    [["1.1", "--report", "fine"], ["1.1"], { report: "fine" }],
    [["1.1", "--report=fine"], ["1.1"], { report: "fine" }],
    [["1.1", "--report", "-"], ["1.1"], { report: "-" }],
    [["1.1", "--report", ""], ["1.1"], { report: "" }],
    [["1.1", "--report", "- did this\n- did that"], ["1.1"], { report: "- did this\n- did that" }],
    [["1.1", "--report", "--force is gone"], ["1.1"], { report: "--force is gone" }],
    [["1.1", "--report", "a=b --yes"], ["1.1"], { report: "a=b --yes" }],
    [["1.1", "--", "--yes"], ["1.1", "--yes"], {}],
    [["--help"], [], { help: true }],
    [["-h"], [], { help: true }],
    [["1.1", "--", "-h"], ["1.1", "-h"], {}],
    [["1.1", "--report", "-h"], ["1.1"], { report: "-h" }],
  ])("%j", (argv, args, options) => {
    const input = parse(...argv);
    expect(input.args).toEqual(args);
    expect({ ...input.options }).toEqual(options);
  });

  it("takes all remaining words if the last argument says so", () => {
    const rest = { ...command, args: ["<name>", "<goal…>"] };
    expect(parseArguments(rest, ["a", "b", "c", "--yes", "d"], "ralph").args).toEqual([..."abcd"]);
    expect(() => parseArguments(rest, ["a"], "ralph")).toThrow("try needs <goal…>");
  });

  it.each<[argv: string[], says: string]>([
    [[], "try needs <task>"],
    [["1", "2", "3"], 'unexpected argument "3"'],
    [["1", "--nope"], "unknown option --nope"],
    [["1", "-x"], "unknown option -x"],
    [["1", "--report"], "--report needs <text>"],
    [["1", "--report", "--", "--yes"], "Option '--report' argument is ambiguous"],
    [["1", "--report", "--yes"], "Option '--report' argument is ambiguous"],
    [["1", "--yes=no"], "Option '--yes' does not take an argument"],
  ])("%j is refused in one sentence", (argv, says) => {
    const { kind, message, fix } = failure(...argv);
    expect({ kind, message, fix }).toEqual({
      kind: "usage",
      message: says,
      fix: "see ralph try --help",
    });
  });
});

it("the last argument may be many words", () => {
  const many = { ...command, args: ["[text…]"] };
  expect(parseArguments(many, ["a", "b", "--yes", "c"], "ralph").args).toEqual(["a", "b", "c"]);
  expect(parseArguments(many, [], "ralph").args).toEqual([]);
});

describe("wholeNumber", () => {
  const read = (n: string): number | undefined => wholeNumber({ args: [], options: { n } }, "n");
  it.each([
    ["1", 1],
    ["10000", 10_000],
    ["007", 7],
  ])("takes %j", (text, value) => expect(read(text)).toBe(value));

  it.each(["0", "-1", "1.5", "10001", "ten", "", " ", "1e2", "0x10", "5 ", "+5", "Infinity", "٣"])(
    "refuses %j and says what it takes",
    (text) =>
      expect(() => read(text)).toThrow(`--n takes a whole number from 1 to 10000, not "${text}"`),
  );

  it("is nothing if it is not given", () => {
    expect(wholeNumber({ args: [], options: {} }, "n")).toBeUndefined();
    expect(stringOption({ args: [], options: { n: true } }, "n")).toBeUndefined();
  });
});

describe("splitWords", () => {
  it.each<[line: string, words: string[]]>([
    ["", []],
    [" \n\t ", []],
    ["demo --max-task-iterations 3\n", ["demo", "--max-task-iterations", "3"]],
    ['"my spec" x', ["my spec", "x"]],
    ["'my spec'", ["my spec"]],
    [`"it's" 'a "b"'`, ["it's", 'a "b"']],
    ["a'b'c", ["a'b'c"]],
    ["parse('1e400', \"a b\")", ["parse('1e400',", '"a', 'b")']],
    ["don't lose the error's message", ["don't", "lose", "the", "error's", "message"]],
    ["'don't do it'", ["'don't", "do", "it'"]],
    ["'1e400', then", ["'1e400',", "then"]],
    [`--spec="my spec" --report='a "b"' x`, ["--spec=my spec", '--report=a "b"', "x"]],
    ['x="a b"', ['x="a', 'b"']],
    ['""', [""]],
    ["it's", ["it's"]],
    ['say "open', ["say", '"open']],
    ["$(touch pwned) `id` ; rm -rf /", ["$(touch", "pwned)", "`id`", ";", "rm", "-rf", "/"]],
    ["a\nb\r\nc", ["a", "b", "c"]],
    ["$HOME ~ *", ["$HOME", "~", "*"]],
  ])("%j", (line, words) => expect(splitWords(line)).toEqual(words));

  it("leaves every word alone that does not begin with a quote", () => {
    const word = fc
      .string({ unit: fc.constantFrom("a", "'", '"', "-", "=", "(", ",", "é") })
      .filter((text) => /^[^"']/.test(text) && !/^--[a-z-]+=["']/.test(text));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(splitWords(words.join(" "))).toEqual(words);
      }),
    );
  });

  it("returns any words that were quoted", () => {
    const word = fc.string().filter((text) => !text.includes('"'));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(splitWords(words.map((text) => `"${text}"`).join(" "))).toEqual(words);
      }),
    );
  });
});

describe("separateTyped", () => {
  const many = { ...command, args: ["[name]", "[goal…]"] };
  const read = (typed: string): Input => parseArguments(many, separateTyped(many, typed), "ralph");

  it.each<[typed: string, goal: string, options: object]>([
    ["", "", {}],
    ["a b", "a b", {}],
    ["--yes a b", "a b", { yes: true }],
    ["--yes --report fine a b", "a b", { yes: true, report: "fine" }],
    ["--report=fine a b", "a b", { report: "fine" }],
    ["a b --yes", "a b", { yes: true }],
    ["a b --yes\n", "a b", { yes: true }],
    ["a b --yes --report fine", "a b", { yes: true, report: "fine" }],
    ['a b --report "two words" --yes', "a b", { yes: true, report: "two words" }],
    ["parse('1e400', x) doesn't fail", "parse('1e400', x) doesn't fail", {}],
    ["demo 'the goal'", "demo the goal", {}],
    ["--yes", "", { yes: true }],
    ["--n 3 a b --yes", "a b", { yes: true, n: "3" }],
    ["-h", "", { help: true }],
    ["a --json", "a", { json: true }],
    // An option among the words is one of them.
    ["a --yes b", "a --yes b", {}],
    ["a --report fine b --yes", "a --report fine b", { yes: true }],
    ["a --dry-run", "a --dry-run", {}],
    ["a --dry-run --yes", "a --dry-run", { yes: true }],
    ["a --yes=no", "a --yes=no", {}],
    ["a --report", "a --report", {}],
    ["what -h means here", "what -h means here", {}],
    ["a -- b --yes c", "a -- b --yes c", {}],
    ["a -- b --yes", "a -- b", { yes: true }],
    ["-- a --yes", "a --yes", {}],
    ["--yes -- --report b", "--report b", { yes: true }],
    ['"--yes" a', "--yes a", {}],
    ['a "--yes"', "a --yes", {}],
    ['"-rf is bad"', "-rf is bad", {}],
    ["- one - two", "- one - two", {}],
    ["--- a/file", "--- a/file", {}],
    // Pasted lines are not meant as options.
    ["a b\n--yes", "a b --yes", {}],
    ["a b --yes\nc", "a b --yes c", {}],
    ["--yes a\n\n--report x\n", "a --report x", { yes: true }],
    ["--yes\n--report x", "--report x", { yes: true }],
    ["a\r\n--yes", "a --yes", {}],
    ["a\r--yes", "a --yes", {}],
    [`a ${"--yes ".repeat(60)}`, `a ${"--yes ".repeat(10)}`.trim(), { yes: true }],
  ])("%j", (typed, goal, options) => {
    const input = read(typed);
    expect(input.args.join(" ")).toBe(goal);
    expect({ ...input.options }).toEqual(options);
  });

  it.each(["--nope a b", "-x a", "--report\na --yes", "--report"])("%j is refused", (typed) =>
    expect(() => read(typed)).toThrow(Refusal),
  );

  it("changes nothing if there is no goal", () => {
    expect(separateTyped(command, "1.1 --yes\ndemo")).toEqual(["1.1", "--yes", "demo"]);
  });

  it("never takes an option from between two words, or from a second line", () => {
    const word = fc.constantFrom("a", "--yes", "--report", "--n", "-h", "--", "-x", '"b c"');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const text = words.join(" ");
        expect({ ...read(`a ${text} b c`).options }).toEqual({});
        expect({ ...read(`a\n${text}`).options }).toEqual({});
      }),
    );
  });
});
