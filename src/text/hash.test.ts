import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "./hash.ts";

it("is the SHA-256 of everybody else", () => {
  const lengths = Array.from({ length: 140 }, (_, i) => "x".repeat(i));
  const check = (text: string): void => {
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
  };
  for (const text of lengths) check(text);
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), check));
});
