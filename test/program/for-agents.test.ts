import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { IN_SESSION, makePlace, openPlace, type Place, SESSION } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const emptyPlace = (): Place => {
  const root = makeFolder();
  return openPlace(specum, root, root, makeFolder());
};

describe.each(layouts)("$plugin: a prompt", (layout) => {
  it.each([
    ["implement"],
    ["resume"],
    [layout.phases[0]?.name ?? ""],
    ["start", "new-one", "do it"],
  ])("that %s prints in a shell is said to be for an agent", (...args) => {
    const place = makePlace(layout);
    const { code, out, err } = place.run(args);
    expect(code).toBe(0);
    expect(err).toBe(
      `${layout.plugin}: what follows is a prompt for a coding agent; to have one work on it, type /${layout.plugin}:${args[0]} in your client\n`,
    );
    expect(out).not.toContain("what follows");
    expect(makePlace(layout).slash(args).err, "in the client").toBe("");
    expect(makePlace(layout).run([...args, "--json"]).err, "as JSON").toBe("");
  });

  it("that an agent reads in the client is not explained", () => {
    const place = makePlace(layout);
    expect(place.slash(["implement"], SESSION, IN_SESSION).err).toBe("");
  });
});

it("one task is not called all tasks", () => {
  const place = makePlace(specum, { "specs/demo/tasks.md": "- [x] 1.1 a\n" });
  expect(place.run(["implement"]).out).toBe(
    "Nothing to do: the only task in ./specs/demo/tasks.md is ticked.\n",
  );
});

it("index changes nothing where there is nothing", () => {
  const place = emptyPlace();
  const { code, out } = place.run(["index"]);
  expect(code).toBe(0);
  expect(out).toBe("there is no source and no spec to index here; nothing was written\n");
  expect(readdirSync(place.root)).toEqual([]);
  expect(place.json(["index"])).toMatchObject({ ok: true, written: [], files: 0 });
});
