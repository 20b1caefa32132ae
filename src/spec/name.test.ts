import { assert, property, string, array } from "fast-check";
import { describe, expect, it } from "vitest";
import { isName, makeName, addNumber, makeUnique, dropNumber, nameFromWords } from "./name.ts";

describe("nameFrom", () => {
  it.each([
    ["add rate limiting to the API", "add-rate-limiting-api"],
    ["Add OAuth2 login, please!", "add-oauth2-login"],
    ["We want it so that you can", "we-want-it-so"],
    ["I need every user to be able to export things, using CSV", "user-able-export-csv"],
    ["Count requests and refuse too many", "count-requests-refuse"],
    ["Größere Übersicht für Straßen", "großere-ubersicht-fur-straßen"],
    ["don't lose the user's work", "dont-lose-users-work"],
    ["internationalization internationalization", "internationalization"],
    ["antidisestablishmentarianismandmore", "antidisestablishmentarianisman"],
    ["добавить вход", "добавить-вход"],
    ["мой новый файл", "мой-новый-файл"],
    ["ユーザーのログイン", "ユーザーのログイン"],
    ["हिन्दी समर्थन", "हिन्दी-समर्थन"],
    ["CON", "new-con"],
    ["404 page", "404-page"],
    ["../../etc/passwd", "etc-passwd"],
    ["$(rm -rf /) `x`", "rm-rf-x"],
    ["Aux", "new-aux"],
    ["con", "new-con"],
    ["!?", undefined],
    ["", undefined],
  ])("%j → %j", (goal, name) => {
    expect(makeName(goal)).toBe(name);
  });

  it("gives a name or nothing, whatever the goal", () => {
    assert(
      property(string({ unit: "binary" }), (goal) => {
        const name = makeName(goal);
        if (name !== undefined) {
          expect(name.length).toBeLessThanOrEqual(30);
          expect(isName(name), name).toBe(true);
        }
      }),
    );
  });
});

it.each([
  ["User auth", "user-auth"],
  ["user_auth", "user-auth"],
  ["007-user-auth", "user-auth"],
  ["fix the payment timeout", "fix-the-payment-timeout"],
  ["a b c d e f g", undefined],
  ["../user", undefined],
  ["NUL", undefined],
  ["!?", undefined],
])("%j as a name is %j", (words, name) => {
  expect(nameFromWords(words)).toBe(name);
});

describe("isName", () => {
  it.each(["rate-limit", "007-rate-limit", "a", "добавить-вход", "2fa", "ユーザー"])(
    "takes %j",
    (name) => {
      expect(isName(name)).toBe(true);
    },
  );
  it.each([
    "",
    "Rate",
    "rate limit",
    "rate--limit",
    "-a",
    "a-",
    "../a",
    "a/b",
    ".a",
    "_a",
    "nul",
    "a\n",
    "com1",
    "lpt³",
    "x".repeat(65),
  ])("refuses %j", (name) => {
    expect(isName(name)).toBe(false);
  });
});

describe("makeUnique", () => {
  it("counts up", () => {
    expect(makeUnique("a", [])).toBe("a");
    expect(makeUnique("a", ["A", "a-2"])).toBe("a-3");
    expect(makeUnique("K", ["K"])).toBe("K-2");
  });
  it("is never taken", () => {
    assert(
      property(array(string()), string(), (taken, name) => {
        expect(taken).not.toContain(makeUnique(name, taken));
      }),
    );
  });
});

describe("numberedName", () => {
  it.each<[string, string[], string]>([
    ["login", [], "001-login"],
    ["login", ["001-a", "012-b", "notes"], "013-login"],
    ["login", ["20261115-093000-a", "2026111-093000-b", "20261115-093000"], "001-login"],
    ["login", ["20261115-a"], "20261116-login"],
    ["login", [`${"9".repeat(400)}-a`, "12-b"], "001-login"],
    ["login", ["999-a"], "1000-login"],
    ["004-login", ["001-a"], "004-login"],
    ["004-login", ["004-login"], "004-login-2"],
  ])("%j next to %j is %j", (name, taken, expected) => {
    expect(addNumber(name, taken)).toBe(expected);
  });

  it("a number in use elsewhere is not used again, but does not block a name", () => {
    expect(addNumber("login", ["002-a"], ["007-gone"])).toBe("008-login");
    expect(addNumber("007-login", ["002-a"], ["007-login"])).toBe("007-login");
  });
});

it.each([
  ["007-rate-limit", "rate-limit"],
  ["1000-login", "login"],
  ["20261115-093000-login", "login"],
  ["login", "login"],
  ["2fa-login", "2fa-login"],
])("%j without its number is %j", (name, expected) => {
  expect(dropNumber(name)).toBe(expected);
});
