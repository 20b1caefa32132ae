import { describe, expect, it } from "vitest";
import { parseTasks } from "../../tasks/parse.ts";
import type { Entry, EventName } from "../journal.ts";
import { startLoop } from "../loop.ts";
import { findMeddling, type ListRecord } from "./list-marks.ts";

const loop = startLoop("s", {}, undefined, { at: "2026-01-01T00:00:00.000Z", runId: "r" });
const entry = (event: EventName, task: string): Entry => ({ at: loop.began, event, task, loop });

const BEFORE = `# Tasks

Words.

- [x] 1.1 First
  - **Verify**: \`test -f one\`
- [ ] 1.2 [P] Second
  - **Do**: this
  - **Verify**: \`test -f two\`
- [ ] 1.3 Third
`;

/** What was changed, and the list afterwards; `null` if nothing was. */
function meddle(
  now: string | undefined,
  since: readonly Entry[] = [],
  { before = BEFORE, given = [] as string[], earlier = [entry("done", "1.1")] } = {},
): { changed: readonly string[]; text: string } | null {
  const record: ListRecord = { entries: [...earlier, ...since], since, given };
  const list = now === undefined ? undefined : parseTasks(now);
  return findMeddling(parseTasks(before), list, record) ?? null;
}

const edit = (from: string | RegExp, to: string): string => BEFORE.replace(from, to);

describe("marks of a list that changed while a Verify ran", () => {
  it.each([
    ["every box", edit(/\[ \]/g, "[x]"), ["the box of 1.2", "the box of 1.3"]],
    ["a box that counts", edit("[x]", "[ ]"), ["the box of 1.1"]],
    ["a tag", edit("1.3 Third", "1.3 [RED] Third"), ["the tags of 1.3"]],
    ["a tag that is gone", edit("[P] ", ""), ["the tags of 1.2"]],
    ["a Verify", edit("test -f two", "true"), ["the Verify of 1.2"]],
    ["a Verify that is gone", edit("  - **Verify**: `test -f two`\n", ""), ["the Verify of 1.2"]],
    ["a task", edit(/- \[ \] 1\.2[^]*?(?=- \[ \] 1\.3)/, ""), ["1.2"]],
    [
      "the first and the last task",
      edit(/- \[x\] 1\.1[^]*?(?=- \[ \] 1\.2)|- \[ \] 1\.3.*\n/g, ""),
      ["1.1", "1.3"],
    ],
    ["the whole list", "", ["1.1", "1.2", "1.3"]],
    ["a fence around it", edit(/^/, "```\n"), ["1.1", "1.2", "1.3"]],
  ])("are put back: %s", (_, now, changed) => {
    const found = meddle(now);
    expect(found?.changed).toEqual(changed);
    const lines = found?.text.split("\n").filter((line) => /\d\.\d|Verify/.test(line));
    expect(lines).toEqual(BEFORE.split("\n").filter((line) => /\d\.\d|Verify/.test(line)));
  });

  it("are all put back if the list is gone", () => {
    expect(meddle(undefined)?.text).toBe(BEFORE);
    expect(meddle("")?.text).toBe(BEFORE);
  });

  it("are all that is put back", () => {
    const now = edit("Words.", "Other words.").replace("this", "that");
    expect(meddle(`${now}- [ ] 1.4 Fourth\n`)).toBeNull();
    const ticked = `${now.replace("[ ] 1.3", "[x] 1.3")}- [ ] 1.4 Fourth\n`;
    expect(meddle(ticked)?.text).toBe(`${now}- [ ] 1.4 Fourth\n`);
    const cut = now.replace(/- \[ \] 1\.3.*\n/, "- [ ] 1.4 Fourth\n");
    expect(meddle(cut)?.text).toBe(`${now}- [ ] 1.4 Fourth\n`);
  });

  it("are left if a command of ours made them", () => {
    expect(meddle(edit("[ ] 1.3", "[x] 1.3"), [entry("done", "1.3")])).toBeNull();
    expect(meddle(edit("[x]", "[ ]"), [entry("undone", "1.1")])).toBeNull();
    expect(meddle(edit("test -f two", "true"), [entry("amended", "1.2")])).toBeNull();
    expect(meddle(edit(/\[ \]/g, "[x]"), [entry("start", "1.1")])).toBeNull();
    const both = edit(/\[ \]/g, "[x]");
    expect(meddle(both, [entry("done", "1.3")])).toEqual({
      changed: ["the box of 1.2"],
      text: edit("[ ] 1.3", "[x] 1.3"),
    });
    expect(meddle("", [entry("done", "1.3")])?.text).toBe(edit("[ ] 1.3", "[x] 1.3"));
  });

  it("may be cleared by hand if nothing has settled them, unless the user ticked them before the run", () => {
    const before = edit("[ ] 1.3", "[x] 1.3");
    expect(meddle(BEFORE, [], { before })).toBeNull();
    expect(meddle(BEFORE, [], { before, given: ["1.3"] })?.text).toBe(before);
  });

  it("are compared by title where there is no id, and in order where an id is used twice", () => {
    const before = "- [ ] One\n- [ ] 1.1 a\n- [ ] 1.1 b\n";
    expect(meddle(`- [ ] 1.0 new\n${before}`, [], { before })).toBeNull();
    const now = before.replace("[ ] 1.1 b", "[x] 1.1 b").replace("[ ] One", "[x] One");
    expect(meddle(now, [], { before })).toEqual({
      changed: ["the box of #1", "the box of 1.1"],
      text: before,
    });
  });

  it("keep the line endings of the list", () => {
    const before = BEFORE.replaceAll("\n", "\r\n").trimEnd();
    expect(meddle("", [], { before })?.text).toBe(before);
    expect(meddle(before.replace(/- \[ \] 1\.2[^]*/, "").trimEnd(), [], { before })?.text).toBe(
      before,
    );
    expect(meddle(before.replace("test -f two", "true"), [], { before })?.text).toBe(before);
  });
});
