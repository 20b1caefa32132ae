import { describe, expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import { locate } from "../tasks/position.ts";
import {
  addEntry,
  type Added,
  answerEntry,
  describeEntry,
  EMPTY_INBOX,
  formatInbox,
  INBOX_LIMITS,
  type Inbox,
  parseInbox,
  pendingFor,
  pendingIn,
  withInbox,
} from "./inbox.ts";

const AT = "2026-11-16T01:00:00.000Z";

const ask = (
  inbox: Inbox,
  task: string,
  text: string,
  options: string[] = [],
  highest = 0,
): Added => addEntry(inbox, { kind: "question", task, text, options }, highest, AT);

function asked(inbox: Inbox, task: string, text: string, options: string[] = []): Inbox {
  const added = ask(inbox, task, text, options);
  if (added.kind !== "added") throw new Error(added.kind);
  return added.inbox;
}

const one = asked(EMPTY_INBOX, "1.2", "Which database?", ["sqlite", "postgres"]);
const answered = (inbox: Inbox, id: number, answer: string): Inbox =>
  answerEntry(inbox, id, { answer, by: "user", at: AT });

describe("the inbox", () => {
  it("is read as it was written", () => {
    expect(parseInbox(formatInbox(one))).toEqual(one);
    const done = answered(one, 1, "postgres");
    expect(parseInbox(formatInbox(done))).toEqual(done);
  });

  it("continues the project's numbers", () => {
    expect(ask(one, "1.3", "And now?", [], 7)).toMatchObject({ entry: { id: 8 } });
    expect(ask(one, "1.3", "And now?")).toMatchObject({ entry: { id: 2 } });
  });

  it("the same question is asked once, and its answer is known", () => {
    expect(ask(one, "1.2", "Which database? ")).toMatchObject({ kind: "known", entry: { id: 1 } });
    expect(ask(answered(one, 1, "2"), "1.2", "Which database?")).toMatchObject({
      kind: "known",
      entry: { answer: "postgres" },
    });
    expect(ask(one, "1.3", "Which database?").kind).toBe("added");
  });

  describe("a question of the run's own", () => {
    const own = { kind: "question", task: "1.1", about: "attempts" } as const;
    const add = (inbox: Inbox, text: string, isAgain: boolean): Added =>
      addEntry(inbox, { ...own, text, isAgain }, 0, AT);
    const first = add(EMPTY_INBOX, "Tried 3 times: no.", true);
    const inbox = first.kind === "added" ? first.inbox : EMPTY_INBOX;
    const done = answered(inbox, 1, "try again");

    it("is known by what it is about, not by its words", () => {
      expect(add(inbox, "Tried 3 times: yes.", true)).toMatchObject({ kind: "known" });
      expect(add(done, "Tried 3 times: yes.", false)).toMatchObject({ kind: "known" });
      const other = { ...own, text: "It takes too long.", about: "time" };
      expect(addEntry(inbox, other, 0, AT).kind).toBe("added");
    });

    it("is asked again in the same words, if the problem came back", () => {
      expect(add(done, "Tried 3 times: no.", true)).toMatchObject({
        kind: "added",
        entry: { id: 2, text: "Tried 3 times: no." },
      });
    });

    it("is known by its words, if an older version has asked it", () => {
      const older = asked(EMPTY_INBOX, "1.1", "Tried 3 times: no.");
      expect(add(older, "Tried 3 times: no.", true)).toMatchObject({ kind: "known" });
      const next = add(answered(older, 1, "try again"), "Tried 3 times: no.", true);
      expect(next).toMatchObject({ kind: "added", entry: { id: 2 } });
    });
  });

  it.each([
    ["2", "postgres"],
    ["Postgres ", "postgres"],
    ["3", "3"],
    ["none of them", "none of them"],
  ])("an option by number or text: %s", (said, expected) => {
    expect(answered(one, 1, said).entries[0]?.answer).toBe(expected);
  });

  it("an answer replaces the one before", () => {
    expect(answered(answered(one, 1, "1"), 1, "2").entries[0]?.answer).toBe("postgres");
  });

  it("is bounded, and drops the oldest answered entries", () => {
    let inbox = EMPTY_INBOX;
    for (let i = 0; i < INBOX_LIMITS.entries; i++) {
      inbox = asked(inbox, "1.1", `question ${i}`);
      if (i > 0) inbox = answered(inbox, i + 1, "yes");
    }
    inbox = asked(inbox, "1.1", "one more");
    expect(inbox.entries).toHaveLength(INBOX_LIMITS.entries);
    expect(inbox.entries.slice(0, 2).map(({ id }) => id)).toEqual([1, 3]);
    while (inbox.entries.filter(({ answeredAt }) => answeredAt === undefined).length < 100)
      inbox = asked(inbox, "1.1", `open ${inbox.entries.at(-1)?.id}`);
    expect(ask(inbox, "1.1", "too many").kind).toBe("full");
    const long = ask(EMPTY_INBOX, "1.1", "x".repeat(9999), Array(20).fill("y".repeat(999)));
    const { text = "", options = [] } = long.kind === "added" ? long.entry : {};
    expect([text.length, options.length, options[0]?.length]).toEqual([2000, 9, 200]);
  });

  it("keeps no terminal escapes", () => {
    const inbox = asked(EMPTY_INBOX, "1.1", "a\u001b[31mb\nc", ["\u0007d"]);
    expect(inbox.entries[0]).toMatchObject({ text: "a[31mb\nc", options: ["d"] });
    expect(describeEntry(inbox.entries[0] as never)).toBe('1 (1.1): "a[31mb c" ("d")');
  });

  it.each([
    ["", "it is empty"],
    ["[]", "it is not a JSON object"],
    ["{}", "it has no list of entries"],
  ])("that cannot be read says why: %j", (text, fault) => {
    expect(parseInbox(text)).toEqual({ entries: [], fault });
  });

  it("leaves out what is not an entry", () => {
    const [entry] = one.entries;
    const raw = [{ ...entry, id: "1" }, null, { ...entry, kind: "order" }, { ...entry, answer: 5 }];
    expect(parseInbox(JSON.stringify({ entries: raw })).entries).toEqual([entry]);
  });
});

describe("what the inbox says about tasks", () => {
  const list = parseTasks(
    "- [x] 1.1 a\n- [ ] 1.2 b\n- [ ] 1.3 c\n  - Depends on: 1.2\n- [ ] 1.4 d\n",
  );
  const skip = addEntry(one, { kind: "skip", task: "1.4", text: "" }, 0, AT);
  const both = skip.kind === "added" ? skip.inbox : one;

  it("open questions and skipped tasks are held, with what depends on them", () => {
    expect([...(withInbox(list, one).held ?? [])]).toEqual(["1.2", "1.3"]);
    expect(locate(withInbox(list, one)).current.map(({ id }) => id)).toEqual(["1.4"]);
    expect(locate(withInbox(list, both)).current).toEqual([]);
    expect(pendingIn(both, list).map(({ id }) => id)).toEqual([1, 2]);
    expect(pendingFor(both, "1.3")).toEqual([]);
  });

  it("an answer releases the task, and goes with it", () => {
    const after = withInbox(list, answered(one, 1, "2"));
    expect(after.held).toBeUndefined();
    expect(after.decided?.get("1.2")).toEqual([
      { question: "Which database?", answer: "postgres" },
    ]);
  });

  it("a question about a task that is ticked or gone holds nothing", () => {
    const inbox = asked(asked(EMPTY_INBOX, "1.1", "a?"), "9.9", "b?");
    expect(pendingIn(inbox, list)).toEqual([]);
    expect(locate(withInbox(list, inbox)).held).toEqual([]);
  });
});
