import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { keywordsOf } from "../text/keywords.ts";
import type { IndexedFile } from "./code-index.ts";
import { relatedFiles, relatedSpecs } from "./related.ts";

describe("keywords", () => {
  it.each<[text: string, words: string[]]>([
    ["Add a way for the users to log in", ["log"]],
    ["getUserById", ["id"]],
    ["HTTPServer parse_json", ["http", "server", "parse", "json"]],
    ["sessions, Session and SESSION", ["sessions"]],
    ["caching a cache that caches", ["caching"]],
    ["authenticate, authentication", ["authenticate"]],
    ["logging and logs", ["logging"]],
    ["process processes processing", ["process"]],
    ["Changing and fixing things", []],
    ["2024 v2", ["v2"]],
    ["Zahlungen für Händler", ["zahlungen", "für", "händler"]],
    ["支払い機能", ["支払", "払い", "い機", "機能"]],
    ["", []],
  ])("%s", (text, words) => {
    expect([...keywordsOf(text).values()]).toEqual(words);
  });
});

const file = (path: string, summary = ""): IndexedFile => ({
  path,
  category: path.includes("test") ? "tests" : "source",
  size: 1,
  mtime: 1,
  hash: "00000000",
  summary,
});

describe("relatedFiles", () => {
  const files = [
    file("src/session/store.ts", "Keeps sessions"),
    file("src/session/store.test.ts", "Keeps sessions"),
    file("src/invoice.ts", "Writes invoices of a session"),
    file("src/mail.ts", "Sends mail"),
    ...Array.from({ length: 20 }, (_, i) => file(`src/page/p${i}.ts`, "A page")),
  ];
  it.each<[goal: string, max: number, paths: string[]]>([
    ["Sessions expire", 9, ["src/session/store.ts", "src/session/store.test.ts", "src/invoice.ts"]],
    ["Sessions expire", 1, ["src/session/store.ts"]],
    ["Send each invoice by mail", 9, ["src/mail.ts", "src/invoice.ts"]],
    ["A page for mail", 1, ["src/mail.ts"]],
    ["Add support for the users", 9, []],
    ["Sessions expire", 0, []],
    ["", 9, []],
  ])("%s (%i)", (goal, max, paths) => {
    expect(relatedFiles({ files }, goal, max).map(({ path }) => path)).toEqual(paths);
  });

  it("says what is shared, as the goal spells it", () => {
    expect(relatedFiles({ files }, "Invoices that a session sends", 1)).toEqual([
      {
        path: "src/invoice.ts",
        summary: "Writes invoices of a session",
        words: ["invoices", "session"],
      },
    ]);
  });

  it("prefers two words in common to one that occurs often", () => {
    const both = [
      file("src/undo.ts", "Undo"),
      file("src/git/undo.ts", "Old"),
      file("src/git/x.ts"),
      file("src/git/y.ts"),
    ];
    expect(relatedFiles({ files: both }, "undo with git", 1)[0]?.path).toBe("src/git/undo.ts");
  });

  it("does not depend on the order of the index", () => {
    const one = relatedFiles({ files }, "A page with a session", 30);
    expect(relatedFiles({ files: files.toReversed() }, "A page with a session", 30)).toEqual(one);
  });
});

describe("relatedSpecs", () => {
  const specs = [
    { name: "login-session", goal: "People log in and keep a session in a cookie" },
    { name: "invoice-export", goal: "Invoices as PDF, sent by mail" },
    { name: "dark-mode", goal: "A dark theme for all pages" },
    { name: "search", goal: "Full-text search" },
  ];
  it.each<[goal: string, found: string[]]>([
    ["Keep the login session for a week in the cookie", ["login-session High update"]],
    ["Mail invoices as CSV", ["invoice-export Medium"]],
    ["Replace mail of invoices by a download", ["invoice-export Medium update"]],
    ["Dark mode for mail", ["dark-mode High update", "invoice-export Low"]],
    ["Faster search", ["search Medium"]],
    ["Rewrite search", ["search Medium update"]],
    ["Themes people can make", ["dark-mode Low", "login-session Low"]],
    ["Add a new feature", []],
    ["", []],
  ])("%s", (goal, found) => {
    const related = relatedSpecs(goal, specs, 9);
    expect(
      related.map(
        ({ name, relevance, mayNeedUpdate }) =>
          `${name} ${relevance}${mayNeedUpdate ? " update" : ""}`,
      ),
    ).toEqual(found);
  });

  it.each<[what: string, goal: string, specs: string[], found: string[]]>([
    [
      "three words that are all of the goal are High",
      "mail page login",
      ["one: mail page login", "two: mail page login and more of apples pears plums nuts grapes"],
      ["one High", "two High"],
    ],
    [
      "a goal of many words",
      "mail page login apples pears plums nuts grapes",
      ["one: mail page login cherries figs dates limes olives"],
      ["one Medium"],
    ],
    [
      "the one that says less besides comes first",
      "mail page apples pears plums",
      ["a: mail page figs dates limes", "b: mail page"],
      ["b Medium", "a Medium"],
    ],
  ])("%s", (_, goal, texts, found) => {
    const all = texts.map((text) => {
      const [name, said] = text.split(": ") as [string, string];
      return { name, goal: said };
    });
    expect(relatedSpecs(goal, all, 9).map(({ name, relevance }) => `${name} ${relevance}`)).toEqual(
      found,
    );
  });

  it("says why", () => {
    expect(relatedSpecs("Dark mode for mails", specs, 1)).toEqual([
      {
        name: "dark-mode",
        relevance: "High",
        reason: "both are about dark, mode",
        mayNeedUpdate: true,
      },
    ]);
  });

  it("is deterministic and bounded", () => {
    const word = constantFrom("login", "mail", "page", "dark", "the", "x9", "Search");
    const text = array(word, { maxLength: 6 }).map((words) => words.join(" "));
    const spec = record({ name: text, goal: text });
    assert(
      property(text, array(spec, { maxLength: 8 }), (goal, all) => {
        const found = relatedSpecs(goal, all, 3);
        expect(found.length).toBeLessThanOrEqual(3);
        const rank = { High: 0, Medium: 1, Low: 2 };
        const ranks = found.map(({ relevance }) => rank[relevance]);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(relatedSpecs(goal, all.toReversed(), 3).map(({ name }) => name)).toEqual(
          found.map(({ name }) => name),
        );
      }),
    );
  });
});
