import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { specum } from "../support/editions.ts";
import { makePlace, type Place } from "./support.ts";

export const DONE = "- [x] 1.1 First\n";

/** Where the epics of a place are. */
export const epics = (place: Place, ...path: string[]): string =>
  join(place.root, place.layout.extras ?? place.layout.specsDirs[0], "_epics", ...path);

export const stateOf = (place: Place, epic = "shop"): { specs: { name: string }[] } =>
  JSON.parse(readFileSync(epics(place, epic, ".epic-state.json"), "utf8")) as never;

export const textOf = (place: Place): string =>
  readFileSync(epics(place, "shop", "epic.md"), "utf8");

export function expectDone(place: Place, args: readonly string[]): string {
  const { code, out, err } = place.run(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

export function makeShop(layout = specum, files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace(layout, files);
  expectDone(place, ["epic", "new", "shop", "Sell", "things", "on the web"]);
  expectDone(place, ["epic", "add", "cart", "--goal", "Fill a cart", "--depends", "stock,users"]);
  expectDone(place, ["epic", "add", "stock", "--goal", "Know what is there", "--size", "s"]);
  expectDone(place, ["epic", "add", "users", "--goal", "Know who buys"]);
  return place;
}
