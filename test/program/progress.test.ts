import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { IDLE, report } from "./claims.ts";
import { makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

const notes = (place: Place): string => readFileSync(join(place.folder, ".progress.md"), "utf8");

/** Our lines under a heading. */
const under = (place: Place, heading: string): string[] => {
  const [, section = ""] = notes(place).split(`## ${heading}\n`);
  return /<!-- smart-ralph:begin -->\n([^]*?)<!-- smart-ralph:end -->/
    .exec(section)?.[1]
    ?.trimEnd()
    .split("\n") as string[];
};
const standing = (place: Place): string[][] =>
  ["Completed Tasks", "Current Task", "Next"].map((heading) => under(place, heading));

describe(".progress.md during a run", () => {
  const files = {
    [`${layout.specsDirs[0]}/demo/.progress.md`]: "# Progress\n\n## Next\n\n1. Talk to Ann\n",
  };

  it("says what is done, what is being done and what is next", () => {
    const place = startPlace(layout, files);
    expect(standing(place)).toEqual([
      ["None."],
      ["- 1.1 First"],
      ["- 1.2 Second", "- 1.3 Check both"],
    ]);
    report(place);
    expect(standing(place)).toEqual([["- [x] 1.1 First"], ["- 1.2 Second"], ["- 1.3 Check both"]]);
    place.run(["fail", "1.2", "--reason", "no luck"]);
    place.stop();
    expect(under(place, "Current Task")).toEqual(["- 1.2 Second (attempt 2 of 5)"]);
    report(place, "TASK_COMPLETE", "1.2");
    report(place, "VERIFICATION_PASS", "1.3");
    expect(standing(place).slice(1)).toEqual([["None."], ["None."]]);
    place.stop();
    expect(notes(place)).toContain("\n1. Talk to Ann\n");
    expect(notes(place).match(/^## Next$/gm)).toHaveLength(1);
  });

  it("is nobody's uncommitted work because of that, but notes are", () => {
    const place = makePlace(layout, files);
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    place.slash(["implement"]);
    expect(git.git("status", "--porcelain")).toMatch(/ M \S+\/\.progress\.md$/m);
    expect(report(place, IDLE)).toMatchObject({ ok: true });
    git.write({
      [`${layout.specsDirs[0]}/demo/.progress.md`]: `${notes(place)}\n## Learnings\n- a\n`,
    });
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({
      ok: false,
      refusal: expect.stringMatching(/^1\.2 is not committed: \S+\.progress\.md\./) as string,
    });
    git.commit();
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
  });
});
