import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AT, commitIn, gitIn, makeGround, refusalOf } from "../../../test/support/trees.ts";
import { listCheckpoints } from "../../git/checkpoint.ts";
import { noteStart } from "./attempt-start.ts";
import { openTrunk } from "./open-trunk.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const job = { id: "1.1", attempt: 1 };

describe("where an attempt begins", () => {
  it("is noted if a killed run did not get to it, and only once", () => {
    const { spec, top } = openTrunk(makeGround().home, AT);
    noteStart(spec, job);
    noteStart(spec, job);
    const base = gitIn(top, "rev-parse", "HEAD");
    expect(listCheckpoints(spec)).toMatchObject([{ task: "1.1", base, dirty: [] }]);
  });

  it("is noted again if other tasks were merged since then", () => {
    const { spec, top } = openTrunk(makeGround().home, AT);
    noteStart(spec, job);
    const base = commitIn(top, { "b.txt": "b\n" }, "more");
    noteStart(spec, job);
    expect(listCheckpoints(spec).at(-1)).toMatchObject({ task: "1.1", base });
  });

  it("is required: if git cannot keep it, the attempt does not begin", () => {
    const { spec, top } = openTrunk(makeGround().home, AT);
    const common = gitIn(top, "rev-parse", "--git-common-dir");
    writeFileSync(join(common, "refs", "smart-ralph"), "in the way\n");
    expect(refusalOf(() => noteStart(spec, job)).message).toBe("git cannot keep where 1.1 begins");
    expect(listCheckpoints(spec)).toEqual([]);
  });
});
