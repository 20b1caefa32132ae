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

  it("is nothing if nothing is proposed", () => {
    expect(proposalIn("VERIFY_WRONG")).toBeUndefined();
    expect(proposalIn("All is well.")).toBeUndefined();
  });
});
