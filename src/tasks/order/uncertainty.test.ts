import { describe, expect, it } from "vitest";
import { readLeaves } from "../../text/lines.ts";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { proseOf, readImpact, readUncertainty } from "./uncertainty.ts";

function prose(text: string): string {
  const list = parseTasks(text);
  return proseOf(list, list.tasks[0] as Task, readLeaves(list.lines));
}

describe("uncertainty", () => {
  it.each([
    ["Add a button", 1],
    ["Explore the API", 2],
    ["Exploration of the API", 2],
    ["Investigate the leak", 2],
    ["This might work", 2],
    ["Perhaps with a cache", 2],
    ["It could fail", 2],
    ["It might, and it might not", 2],
    ["Explore what might work", 3],
    ["Investigate, could be slow", 3],
    ["A proof of concept", 3],
    ["Check feasibility", 3],
    ["Almighty couldn", 1],
  ])("%s: %i", (text, level) => {
    expect(readUncertainty(text).level).toBe(level);
  });

  it("names the words", () => {
    expect(readUncertainty("Might explore").words).toEqual(["explore", "might"]);
  });
});

describe("impact", () => {
  it.each([
    ["Add a button", 1],
    ["A user-facing message", 2],
    ["A customer-facing page", 2],
    ["Critical path", 2],
    ["The core loop", 2],
    ["The core, user-facing", 3],
    ["mission-critical", 3],
    ["A non-critical thing", 1],
    ["score, encore, core-js, multi-core", 1],
  ])("%s: %i", (text, level) => {
    expect(readImpact(text).level).toBe(level);
  });
});

describe("the prose of a task", () => {
  it.each([
    ["code", "- [ ] 1.1 call `core()`\n"],
    ["a path", "- [ ] 1.1 in src/core/a.ts and core.ts\n"],
    ["a fence", "- [ ] 1.1 a\n  ```\n  core\n  ```\n"],
    ["a comment", "- [ ] 1.1 a\n  <!-- core -->\n"],
    ["the fields that name things", "- [ ] 1.1 a\n  - **Files**: core\n  - **Commit**: core\n"],
    ["the note of a former run", "- [ ] 1.1 a\n  > Unblocks: 1.2 (the core)\n"],
  ])("is without %s", (_, text) => {
    expect(readImpact(prose(text)).level).toBe(1);
  });

  it("has what is to be done", () => {
    const text = "- [ ] 1.1 a\n  - **Do**: the core\n  - **Done when**: it is critical\n";
    expect(readImpact(prose(text)).level).toBe(3);
  });

  it("a note that says why a task is uncertain makes it so", () => {
    expect(readUncertainty(prose("- [ ] 1.1 a\n  > Uncertain: the platform\n")).level).toBe(3);
  });
});
