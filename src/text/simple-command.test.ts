import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../test/support/full.ts";
import { parseSimpleCommand } from "./simple-command.ts";

const DONE = "ralph-specum done 1.1 --report - <<'REPORT'\nWrote `x`; $(y) & more\nREPORT";

describe("a simple command", () => {
  it.each<[text: string, words: readonly string[]]>([
    ["ralph-specum next", ["ralph-specum", "next"]],
    ["  ralph-specum\tnext  \n", ["ralph-specum", "next"]],
    [DONE, ["ralph-specum", "done", "1.1", "--report", "-"]],
    [`${DONE}\n`, ["ralph-specum", "done", "1.1", "--report", "-"]],
    ['x "a b" \'c "d"\' ""', ["x", "a b", 'c "d"', ""]],
    [String.raw`x "say \"hi\" \\ there!"`, ["x", String.raw`say "hi" \ there!`]],
    ["x 'two\nlines' --a=b", ["x", "two\nlines", "--a=b"]],
    ['x - <<"END"\nEND of it\nEND', ["x", "-"]],
  ])("is %j", (text, words) => {
    expect(parseSimpleCommand(text)).toEqual(words);
  });

  it.each([
    "",
    " ",
    "\n",
    "x; rm -rf y",
    "x;rm",
    "x && y",
    "x || y",
    "x | y",
    "x & y",
    "x &",
    "x\ny",
    "x\n\n",
    "x \\\ny",
    "x $(y)",
    "x `y`",
    "x $HOME",
    'x "$(y)"',
    'x "`y`"',
    'x "$y"',
    String.raw`x "\$(y)"`,
    String.raw`x "\\$(y)"`,
    String.raw`x "\n"`,
    "x $'y'",
    'x $"y"',
    "x > y",
    "x >y",
    "x < y",
    "x <(y)",
    "x >(y)",
    "x 2>&1",
    "x <<< y",
    "x *",
    "x a?",
    "x [a]",
    "x {a,b}",
    "x ~",
    "x ~/y",
    "x # y",
    "x !y",
    "x =ls",
    "x ^y",
    "A=b x",
    "(x)",
    "{ x; }",
    "! x",
    String.raw`x a\ b`,
    "x 'a",
    'x "a',
    "x 'a'b",
    "x a'b'",
    "x 'a''b'",
    "x \"a\"'b'",
    "x\u0000y",
    "x\ry",
    "x 'a\u001B[2Kb'",
    "x y\u2028z",
    "x\u00A0y",
    "x - <<REPORT\n$(y)\nREPORT",
    "x - <<\\REPORT\ny\nREPORT",
    "x - <<-'REPORT'\ny\n\tREPORT",
    "x - <<'REPORT'\ny",
    "x - <<'REPORT'\ny\nREPORT \n",
    "x - <<'REPORT'\ny\nREPORT\nrm -rf z",
    "x - <<'REPORT'\ny\nREPORT\n\nREPORT",
    "x - <<'REPORT'\nREPORT\ny\nREPORT",
    "x - <<'REPORT'; y\nREPORT",
    "x - <<'REPORT' | y\nREPORT",
    "x - <<'REPORT' y\nREPORT",
    "x - <<'REPORT' <<'END'\nREPORT\nEND",
    "x - <<'RE PORT'\nRE PORT",
    "x - <<''\n\n",
    "x - <<'$(y)'\n$(y)",
    "x -<<'REPORT'\nREPORT",
    "<<'REPORT'\nx\nREPORT",
  ])("is not %j", (text) => {
    expect(parseSimpleCommand(text)).toBeUndefined();
  });

  it("has the words that a shell finds, and does nothing else", () => {
    const pieces = [
      "a",
      "1.1",
      "-",
      "--b=c",
      " ",
      "'",
      '"',
      "\\",
      "$",
      "`",
      ";",
      "\n",
      "&",
      "|",
      "<",
      "<<'E'\n",
      "\nE",
      "#",
      "~",
      "*",
      "é",
      "!",
      "(",
      "=",
    ];
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 12 })
      .map((parts) => `p ${parts.join("")}`);
    fc.assert(
      fc.property(text, (command) => {
        const words = parseSimpleCommand(command);
        if (words === undefined) return;
        const script = `p() { printf '%s\\0' "$@"; }\n${command}`;
        const out = execFileSync("/bin/sh", ["-c", script], {
          encoding: "utf8",
          env: { PATH: "" },
          input: "",
        });
        expect(out.split("\0").slice(0, -1)).toEqual(words.length === 1 ? [""] : words.slice(1));
      }),
      { numRuns: runsOf(2000) },
    );
  });
});
