import { describe, expect, it } from "vitest";
import { run, type Scene, scene, set, stall } from "../../test/support/scene.ts";
import { parseReview } from "./review.ts";

describe("parseReview", () => {
  it("reads findings as reviewers write them, worst first", () => {
    const report = `I read the diff.

minor | README.md | does not name the flag | one line
- **major** | src/a.ts:3 | answers 200, not 429 | return 429
> FINDING: critical a key is never freed (src/b.ts)
Critical: the test cannot fail
This is a major concern of mine, but not a finding.
Good: small
REVIEW_FAIL`;
    expect(parseReview(report)).toEqual([
      { severity: "critical", text: "a key is never freed (src/b.ts)" },
      { severity: "critical", text: "the test cannot fail" },
      { severity: "major", text: "src/a.ts:3 | answers 200, not 429 | return 429" },
      { severity: "minor", text: "README.md | does not name the flag | one line" },
    ]);
  });

  it.each(["", "REVIEW_PASS", "No findings.\n\nREVIEW_PASS", "critical", "majority: all good"])(
    "finds nothing in %j",
    (report) => expect(parseReview(report)).toEqual([]),
  );

  it("keeps only a few, and cuts each of them", () => {
    const many = parseReview(`major | ${"x".repeat(9000)}\n`.repeat(50));
    expect(many).toHaveLength(10);
    expect(many[0]?.text).toHaveLength(500);
  });
});

describe("the last review", () => {
  const done = (change: (made: Scene) => void = () => {}): Scene =>
    scene((made) => {
      made.tasks = "- [x] 1.1 one\n- [x] 1.2 two\n";
      set(made, { quickMode: true });
      change(made);
    });

  it("comes once, when everything is done", () => {
    const first = run(done());
    expect(first).toMatchObject({
      outcome: "review",
      prompt: { kind: "review" },
      say: "Ralph-specum: demo: all tasks are done; now a last review of the whole change",
      write: { event: "review", loop: { review: "out", iteration: 5, continued: 4, open: true } },
    });
    const loop = first.write?.loop;
    expect(run(done((made) => void (made.loop = loop))).outcome).toBe("finished");
  });

  it("is settled with everything else before the end", () => {
    const ready = done((made) => void (made.loop = { ...made.loop, ready: "end" }));
    const loop = run(ready).write?.loop;
    expect(loop?.ready).toBe("");
    expect(run(done((made) => void (made.loop = loop))).outcome).toBe("unsettled");
  });

  it.each<[string, (made: Scene) => void]>([
    ["quick mode is off", (made) => set(made, { quickMode: false })],
    ["the user turned it off", (made) => void (made.settings = { review: "off" })],
    ["no turn is left", (made) => set(made, { maxGlobalIterations: 4 })],
    ["the run is paused", (made) => set(made, { paused: true })],
    ["nothing moves", (made) => stall(made, 3)],
    [
      "another hook drives the session",
      (made) => {
        made.event.continuing = true;
        made.loop = { ...made.loop, continued: 0 };
      },
    ],
    [
      "there is no list",
      (made) => {
        made.tasks = undefined;
        made.event.message = "ALL_TASKS_COMPLETE";
      },
    ],
  ])("is left out, and the run ends, if %s", (_, change) => {
    expect(run(done(change)).outcome).toBe("finished");
  });

  it("also comes without quick mode, if the user wants it", () => {
    const made = done((one) => {
      set(one, { quickMode: false });
      one.settings = { review: "on" };
    });
    expect(run(made).outcome).toBe("review");
    made.tasks = "- [x] 1.1 one\n- [ ] 1.2 two\n";
    expect(run(made).outcome).toBe("continue");
  });
});
