import { describe, expect, it } from "vitest";
import { proposalIn } from "./doubt.ts";

describe("the Verify that an agent proposes", () => {
  it("is what it puts in backticks after the word", () => {
    expect(proposalIn("I looked.\nVERIFY_WRONG: the script is called `npm run unit`.")).toBe(
      "npm run unit",
    );
    expect(proposalIn("`not this`\nVERIFY_WRONG:\n`node --test a.mjs`")).toBe("node --test a.mjs");
  });

  it("is the rest of the line, if that looks like a command", () => {
    expect(proposalIn("VERIFY_WRONG: node --test a.mjs\nmore")).toBe("node --test a.mjs");
    expect(proposalIn("VERIFY_WRONG: nonsense")).toBeUndefined();
  });

  it("is neither the present Verify nor a value that is quoted", () => {
    const old = "grep -q loud LOUD.md";
    const report = `VERIFY_WRONG: \`${old}\` looks for lower case; \`grep -q LOUD LOUD.md\` would prove it.`;
    expect(proposalIn(report, [old])).toBe("grep -q LOUD LOUD.md");
    expect(proposalIn(`VERIFY_WRONG: \`${old}\``, [old])).toBeUndefined();
    expect(
      proposalIn(
        'VERIFY_WRONG: it compares with `{"greeting": "Ann"}`. This would do: `npm test && ls a`',
      ),
    ).toBe("npm test && ls a");
    expect(proposalIn('VERIFY_WRONG: it wants `{"a": 1}` from `--json`')).toBeUndefined();
  });

  it("is nothing if its end could be hidden from whoever is asked", () => {
    const gap = `grep -q x a.txt${" ".repeat(40)} || true`;
    const long = `grep${" -e x".repeat(70)} a.txt || true`;
    for (const command of [gap, long])
      expect(proposalIn(`VERIFY_WRONG: \`${command}\``)).toBeUndefined();
  });

  it("is nothing if nothing is proposed", () => {
    expect(proposalIn("VERIFY_WRONG")).toBeUndefined();
    expect(proposalIn("All is well.")).toBeUndefined();
  });
});
