import { appendFileSync } from "node:fs";
import { expect, inject } from "vitest";
import { isFull } from "../support/full.ts";
import { type Count } from "./tally.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where every test file writes down how many points it tried. */
    readonly tally: string;
  }
}

/** Some of the points in CI, about so many; all of them in a full run. The last one is always among them. */
export function some<T>(points: readonly T[], about: number): T[] {
  const step = isFull ? 1 : Math.ceil(points.length / about);
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

/** Tries every point, counts those that are survived, and reports the others. */
export async function tryAll<T>(
  { scene, way }: Pick<Count, "scene" | "way">,
  points: readonly T[],
  name: (point: T) => string,
  attempt: (point: T, index: number) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const [i, point] of points.entries()) {
    try {
      await attempt(point, i);
    } catch (error) {
      failures.push(`${name(point)}: ${String(error).slice(0, 1000)}`);
    }
  }
  const survived = points.length - failures.length;
  const count: Count = { scene, way, points: points.length, survived };
  appendFileSync(inject("tally"), `${JSON.stringify(count)}\n`);
  expect(failures).toEqual([]);
  expect(points.length, "there is something to try").toBeGreaterThan(0);
}
