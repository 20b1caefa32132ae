import { expect, it } from "vitest";
import { readFree } from "./free-space.ts";

it("says how much is free, also where something will be", () => {
  expect(readFree("/")).toBeGreaterThan(0);
  expect(readFree("/not/there/yet")).toBe(readFree("/"));
});
