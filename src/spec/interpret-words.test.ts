import { describe, expect, it } from "vitest";
import { planPhaseWords, type ProjectFacts, planStart, type StartPlan } from "./interpret-words.ts";

const nothing: ProjectFacts = {
  isSpec: () => false,
  active: undefined,
  unfinished: [],
  epicNext: undefined,
  isFile: (word) => word.endsWith("plan.md"),
};
const some: ProjectFacts = { ...nothing, isSpec: (word) => ["login", "rate-limit"].includes(word) };

describe("planStart", () => {
  it.each<[string[], Partial<ProjectFacts>, StartPlan]>([
    [["add rate limiting"], {}, { kind: "new", goal: "add rate limiting" }],
    [["add", "rate", "limiting"], {}, { kind: "new", goal: "add rate limiting" }],
    [
      ["rate-limit", "count", "requests"],
      {},
      { kind: "new", name: "rate-limit", goal: "count requests" },
    ],
    [["limits", "count requests"], {}, { kind: "new", name: "limits", goal: "count requests" }],
    [["rate-limit"], {}, { kind: "new", name: "rate-limit" }],
    [["limits"], {}, { kind: "new", goal: "limits" }],
    [["login"], some, { kind: "go-on", name: "login" }],
    [
      ["rate-limit", "another", "goal"],
      some,
      { kind: "go-on", name: "rate-limit", goal: "another goal" },
    ],
    [["./packages/api/specs/login"], some, { kind: "go-on", name: "./packages/api/specs/login" }],
    [["../x"], {}, { kind: "go-on", name: "../x" }],
    [["/login answers 500"], {}, { kind: "new", goal: "/login answers 500" }],
    [["/login", "answers", "500"], {}, { kind: "new", goal: "/login answers 500" }],
    [["plan.md"], {}, { kind: "from-file", path: "plan.md" }],
    [["./docs/plan.md"], {}, { kind: "from-file", path: "./docs/plan.md" }],
    [["rate-limit", "plan.md"], {}, { kind: "from-file", name: "rate-limit", path: "plan.md" }],
    [["plam.md"], {}, { kind: "no-file", path: "plam.md" }],
    [["fix", "plam.md"], {}, { kind: "new", goal: "fix plam.md" }],
    [[], {}, { kind: "ask" }],
    [[], { active: "login", epicNext: "b" }, { kind: "go-on", name: "login" }],
    [[], { epicNext: "b", unfinished: ["login"] }, { kind: "new", name: "b" }],
    [[], { isSpec: () => true, epicNext: "b" }, { kind: "go-on", name: "b" }],
    [[], { unfinished: ["login"] }, { kind: "go-on", name: "login" }],
    [[], { unfinished: ["login", "x"] }, { kind: "choose", names: ["login", "x"] }],
  ])("%j with %j", (words, known, expected) => {
    expect(planStart(words, false, { ...nothing, ...known })).toEqual(expected);
  });

  it("starts again if asked to", () => {
    expect(planStart(["login"], true, some)).toEqual({ kind: "new", goal: "login" });
    expect(planStart(["rate-limit"], true, some)).toEqual({ kind: "new", name: "rate-limit" });
    expect(planStart([], true, { ...some, active: "login" })).toEqual({ kind: "ask" });
  });
});

it.each([
  ["", undefined, ""],
  ["demo", "demo", ""],
  ["demo split 1.3", "demo", "split 1.3"],
  ["split 1.3", undefined, "split 1.3"],
  ["I am building with Next.js", undefined, "I am building with Next.js"],
  ["smaller", undefined, "smaller"],
  // Meant as a name, and refused if there is none.
  ["rate-limit", "rate-limit", ""],
  ["./specs/other", "./specs/other", ""],
  ["../out", "../out", ""],
  ["/etc is where settings go", undefined, "/etc is where settings go"],
  ["re-use the parser", undefined, "re-use the parser"],
])("%j after a phase's command", (words, name, said) => {
  const isSpec = (word: string): boolean => word === "demo";
  expect(planPhaseWords(words.split(" ").filter(Boolean), isSpec)).toEqual({ name, said });
});
