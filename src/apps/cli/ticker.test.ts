import { describe, expect, it } from "vitest";
import { makeTicker } from "./ticker.ts";

function run(times: readonly number[], isTerminal = true): string[] {
  const written: string[] = [];
  let now = 0;
  const ticker = makeTicker(
    "indexing",
    9,
    isTerminal,
    (text) => written.push(text),
    () => now,
  );
  for (const [i, time] of times.entries()) {
    now = time;
    ticker.tick(i);
  }
  ticker.end();
  return written;
}

describe("a ticker", () => {
  it.each<[what: string, times: number[], isTerminal: boolean, shown: string[]]>([
    ["says nothing of quick work", [0, 500, 999], true, []],
    [
      "begins after a second and clears its line",
      [0, 1000],
      true,
      ["\rindexing 1 of 9\u001b[K", "\r\u001b[K"],
    ],
    [
      "speaks ten times a second at most",
      [1000, 1050, 1099, 1100],
      true,
      ["\rindexing 0 of 9\u001b[K", "\rindexing 3 of 9\u001b[K", "\r\u001b[K"],
    ],
    ["says nothing to a pipe", [0, 5000], false, []],
  ])("%s", (_, times, isTerminal, shown) => {
    expect(run(times, isTerminal)).toEqual(shown);
  });
});
