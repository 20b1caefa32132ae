import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf, LOOP } from "../../test/support/journal.ts";
import type { Entry, EventName } from "../run/journal.ts";
import { parseTasks } from "../tasks/parse.ts";
import { planAttempts } from "./attempts.ts";

const list = parseTasks("- [ ] 1.1 a\n- [ ] 1.2 [P] b\n- [ ] 1.3 [P] c\n");

/** `continue 1.1 r1`: what happened, to which task, in which run; one in a shell has no session. */
const journal = (...lines: readonly string[]): Entry[] =>
  lines.map((line, i) => {
    const [event, task, run = "r1", note] = line.split(" ") as [
      EventName,
      string,
      string?,
      string?,
    ];
    return entryOf(event, task, {
      at: `2026-01-01T00:00:0${i}.000Z`,
      loop: { ...LOOP, run, task, session: run === "shell" ? null : "s1" },
      ...(note === undefined ? {} : { note }),
    });
  });

const endsOf = (task: string, ...lines: readonly string[]): string =>
  (planAttempts(list, journal(...lines)).get(task)?.attempts ?? []).map(({ end }) => end).join(" ");

describe("how often somebody tried", () => {
  it.each<[string, string[], string]>([
    ["not at all", [], ""],
    ["and is still at it", ["continue 1.1"], ""],
    ["once", ["continue 1.1", "delegated 1.1", "done 1.1"], "done"],
    [
      "again, after a refusal",
      ["continue 1.1", "refused 1.1", "sent-back 1.1", "done 1.1"],
      "refused done",
    ],
    [
      "again, after it gave up",
      ["continue 1.1", "failed 1.1", "continue 1.1", "done 1.1"],
      "failed done",
    ],
    [
      "again, after its session was killed",
      ["continue 1.1", "resume 1.1 r2", "done 1.1 r2"],
      "interrupted done",
    ],
    [
      "again, after its session was killed and a person had typed resume in a shell",
      ["continue 1.1", "resume 1.1 shell", "resume 1.1 r2", "done 1.1 r2"],
      "interrupted done",
    ],
    [
      "again, after its agent was killed",
      ["continue 1.1", "delegated 1.1", "delegated 1.1", "done 1.1"],
      "interrupted done",
    ],
    [
      "again, after the last check reopened it, which was nobody's try",
      ["continue 1.1", "done 1.1", "failed 1.1", "continue 1.1", "done 1.1"],
      "failed done",
    ],
    [
      "once, and waited for an answer in between",
      [
        "continue 1.1",
        "delegated 1.1",
        "asked 1.1",
        "resume 1.1 r2",
        "delegated 1.1 r2",
        "done 1.1",
      ],
      "asked done",
    ],
    [
      "as often as before, if it asks because its attempts are used up",
      ["continue 1.1", "delegated 1.1", "failed 1.1", "asked 1.1", "continue 1.1", "done 1.1"],
      "failed done",
    ],
    [
      "once, after its Verify was replaced and the program had run it",
      [
        "delegated 1.1",
        "heard 1.1 r1 VERIFY_WRONG",
        "asked 1.1",
        "resume 1.1 r2",
        "amended 1.1 r2",
        "ready 1.1 r2",
        "refused 1.1 r2",
        "delegated 1.1 r2",
        "done 1.1 r2",
      ],
      "replaced by-program done",
    ],
    [
      "twice, if the user keeps the Verify that its agent called wrong",
      ["delegated 1.1", "heard 1.1 r1 VERIFY_WRONG", "failed 1.1", "delegated 1.1", "done 1.1"],
      "failed done",
    ],
    ["and reported without a claim", ["continue 1.1", "heard 1.1"], "heard"],
    [
      "once more than the last refusal, which also ended the attempt",
      ["continue 1.1", "refused 1.1", "failed 1.1", "continue 1.1", "done 1.1"],
      "refused done",
    ],
    [
      "once, although the same run repeats itself",
      ["continue 1.1", "continue 1.1", "done 1.1"],
      "done",
    ],
    ["no more after it was accepted", ["continue 1.1", "accepted 1.1", "resume 1.1 r2"], ""],
    [
      "no more after it was done",
      ["continue 1.1", "done 1.1", "resume 1.1 r2", "continue 1.1 r3"],
      "done",
    ],
  ])("%s", (_, lines, expected) => {
    expect(endsOf("1.1", ...lines)).toBe(expected);
  });

  it("knows that a group goes out together, under the name of its first task", () => {
    const lines = ["continue 1.2", "done 1.2", "resume 1.2 r2", "done 1.3 r2"];
    expect(endsOf("1.3", ...lines)).toBe("interrupted done");
    expect(endsOf("1.2", ...lines)).toBe("done");
    expect(endsOf("1.1", ...lines)).toBe("");
  });

  it("says when it began, why it was refused, and who worked", () => {
    const [start, refused, ...rest] = journal(
      "continue 1.1",
      "refused 1.1 r1 because",
      "sent-back 1.1",
      "done 1.1",
    ) as [Entry, Entry, ...Entry[]];
    const made = planAttempts(list, [start, { ...refused, agent: "x" }, ...rest]).get("1.1");
    expect(made).toMatchObject({
      began: start.at,
      attempts: [
        { end: "refused", reason: "because", agent: "x", at: refused.at },
        { end: "done" },
      ],
    });
  });
});

it("never loses a report, whatever the journal says", () => {
  const events = [
    "continue",
    "delegated",
    "resume",
    "refused",
    "done",
    "heard",
    "failed",
    "accepted",
  ];
  const step = record({ event: constantFrom(...events), run: constantFrom("r1", "r2") });
  assert(
    property(array(step, { maxLength: 12 }), (steps) => {
      const lines = steps.map(({ event, run }) => `${event} 1.1 ${run}`);
      const ends = endsOf("1.1", ...lines).split(" ");
      for (const event of ["refused", "heard"])
        expect(ends.filter((end) => end === event)).toHaveLength(
          steps.filter((one) => one.event === event).length,
        );
      // One that was refused after all is no success.
      expect(ends.filter((end) => end === "done").length).toBeLessThanOrEqual(
        steps.filter((one) => one.event === "done").length,
      );
    }),
  );
});
