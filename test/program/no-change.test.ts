import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { ordersFor } from "./agents.ts";
import { IDLE, placeWith, report, tickByHand } from "./claims.ts";
import { begin, refusalOf } from "./commit-run.ts";
import { makePlace, type Place, SESSION } from "./support.ts";

const layout = specum;

const LOOK = "- [ ] 1.1 Look\n  - **Verify**: `test -f mine.txt`\n- [ ] 1.2 b\n";
const NOTHING =
  "1.1 is not done: nothing has changed since it was handed out. If that is right (done earlier, or its effect is elsewhere), ";

const doneIn = (place: Place, id = "1.1") =>
  place.entries().findLast(({ event, task }) => event === "done" && task === id);

describe("a claim without any change", () => {
  it("is refused, whatever its Verify says, unless it says why", () => {
    const { place } = begin(LOOK, {}, layout);
    expect(refusalOf(place)).toBe(
      `${NOTHING}say \`NO_CHANGE: why\` on a line of its own and report again.`,
    );
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    expect(ordersFor(place, "1.1")).toContain("`NO_CHANGE: why` on a line of its own.");
    expect(report(place, "**NO_CHANGE:** 1.0 wrote it\nTASK_COMPLETE")).toMatchObject({
      ok: true,
      evidence: [{ outcome: "passed" }],
      notes: expect.arrayContaining(["nothing was changed: 1.0 wrote it"]) as string[],
    });
    expect(doneIn(place)).toMatchObject({ noChange: "1.0 wrote it" });
  });
});

describe("a change", () => {
  it("makes NO_CHANGE mean nothing", () => {
    const { place, commit } = begin(LOOK);
    commit({ "a.txt": "1" });
    expect(report(place, IDLE)).toMatchObject({ ok: true });
    expect(doneIn(place)).not.toHaveProperty("noChange");
  });

  it("of an earlier attempt counts, if it is committed", () => {
    const { place, commit } = begin(LOOK);
    commit({ "a.txt": "1" });
    place.run(["fail", "1.1", "--reason", "no"]);
    place.stop();
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("is not a commit of nothing, nor our own bookkeeping", () => {
    const { place, commit } = begin(LOOK);
    commit();
    commit({
      "specs/demo/.progress.md": "# Progress\n\nmore\n",
      "specs/demo/receipt.json": "{}",
      "specs/demo/tasks.md": `${place.tasks()}\n`,
    });
    expect(refusalOf(place)).toContain(NOTHING);
    commit({ "specs/demo/notes.md": "more\n" });
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("is to commit or change what its user had not committed, but not that it lies there", () => {
    const before = { before: ({ write }: ReturnType<typeof begin>) => write(DIRTY) } as object;
    for (const act of ["commit", "change"]) {
      const { place, git, write } = begin(LOOK, before);
      expect(refusalOf(place)).toContain(NOTHING);
      if (act === "commit") git("commit", "-qam", "theirs");
      else write({ "mine.txt": "newer\n" });
      expect(report(place)).toMatchObject({ ok: true });
    }
  });
  const DIRTY = { "mine.txt": "new\n", "own.txt": "" };

  it.each(["[RED]", "[GUARD]"])("is not asked of a task that is %s by design", (tag) => {
    const list = (one: string): string => LOOK.replace("1.1 ", `1.1 ${one}`);
    expect(report(begin(list(`${tag} `)).place)).toMatchObject({ ok: true });
    // Since the user agreed to it: nobody escapes by a tag.
    const { place } = begin(LOOK);
    writeFileSync(join(place.folder, "tasks.md"), list(`${tag} `));
    expect(refusalOf(place)).toContain(NOTHING);
  });

  it("is not asked for without git, with commit: off, or before the first commit", () => {
    expect(report(placeWith(specum, "`test -d .`"))).toMatchObject({ ok: true });
    expect(report(begin(LOOK, { settings: "commit: off" }).place)).toMatchObject({ ok: true });
    const place = makePlace(specum, { "specs/demo/tasks.md": LOOK, "mine.txt": "" });
    openRepository(place.root, place.env["HOME"] as string).git("init", "-q");
    place.slash(["implement", "demo"]);
    expect(report(place, IDLE)).toMatchObject({ ok: true });
    expect(doneIn(place)).not.toHaveProperty("noChange");
  });

  it("is asked for by a box that was ticked by hand, too", () => {
    const { place } = begin(LOOK);
    tickByHand(place, "1.1");
    expect(place.stop({ session_id: SESSION }).reason).toContain("last: 1.1 is not done: nothing");
    expect(ordersFor(place, "1.1")).toContain(
      `> ${NOTHING}report it with \`NO_CHANGE: why\` on a line of its own, or the user may accept it.`,
    );
    expect(place.tasks()).toContain("- [ ] 1.1 ");
  });

  it("may be older than the hand-out of a task whose box was ticked with others", () => {
    const { place, commit } = begin(LOOK);
    commit({ "a.txt": "1", "b.txt": "2" });
    for (const id of ["1.1", "1.2"]) tickByHand(place, id);
    expect(place.stop({ session_id: SESSION }).systemMessage).toContain("all 2 tasks done");
  });
});
