import * as fc from "fast-check";
import { expect, it } from "vitest";
import { formatSize, parseCount, parseDuration, parseSize, parseUsd } from "./quantity.ts";

it.each([
  ["90s", 90_000],
  ["10m", 600_000],
  ["6h", 21_600_000],
  ["1h30m", 5_400_000],
  ["1h 30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["2d", 172_800_000],
  ["10M", 600_000],
  ["60", undefined],
  ["0m", undefined],
  ["-5m", undefined],
  ["30d", undefined],
  ["10 minutes", undefined],
  ["", undefined],
])("a time: %j is %s ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

it.each([
  ["500k", 500_000],
  ["2m", 2_000_000],
  ["1.5M", 1_500_000],
  ["12000", 12_000],
  ["0", undefined],
  ["-1", undefined],
  ["2g", undefined],
  ["many", undefined],
])("a number: %j is %s", (text, count) => expect(parseCount(text)).toBe(count));

it.each([
  ["5", 5],
  ["2.50", 2.5],
  ["$5", 5],
  ["5 USD", 5],
  ["0", undefined],
  ["-5", undefined],
  ["5€", undefined],
  ["", undefined],
])("dollars: %j is %s", (text, usd) => expect(parseUsd(text)).toBe(usd));

it.each([
  ["500MB", 5e8, "500 MB"],
  ["1.5 GB", 1.5e9, "1.5 GB"],
  ["2g", 2e9, "2.0 GB"],
  ["1TB", 1e12, "1000.0 GB"],
  ["1", undefined, ""],
  ["0MB", undefined, ""],
  ["off", undefined, ""],
])("a size: %j is %s bytes", (text, bytes, shown) => {
  expect(parseSize(text)).toBe(bytes);
  if (bytes !== undefined) expect(formatSize(bytes)).toBe(shown);
});

it("takes any text in its stride, and gives nothing that is not a positive number", () => {
  const any = fc.oneof(fc.string(), fc.stringMatching(/^[\d.smhdkgb$ ]{0,30}$/));
  fc.assert(
    fc.property(any, (text) => {
      for (const value of [parseDuration(text), parseCount(text), parseUsd(text), parseSize(text)])
        expect(value === undefined || (Number.isFinite(value) && value > 0), text).toBe(true);
    }),
  );
});
