import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { epics, expectDone, makeShop, stateOf } from "./epics.ts";
import {
  expectRefusal,
  findingOf,
  findingsOf,
  IN_SESSION,
  makePlace,
  type Place,
} from "./support.ts";

/** As an older version left it: its own fields, no goals, one line. */
const OLDER = {
  name: "billing",
  goal: "Bill by use",
  specs: [
    { name: "metering", status: "completed", dependencies: [] },
    { name: "invoices", status: "in_progress", dependencies: ["metering"], issueNumber: 12 },
    { name: "reports", status: "cancelled", dependencies: ["metering"] },
    { name: "dunning", status: "pending", dependencies: ["invoices"] },
    { name: "mails", status: "pending", dependencies: ["reports"] },
  ],
  output: "both",
  issueNumber: 11,
};

describe("an epic of an older version", () => {
  const makeOlder = (): Place =>
    makePlace(specum, {
      "specs/.current-epic": "billing",
      "specs/_epics/billing/epic.md": "# Epic: billing\n\n## Specs\n\n### 1. metering\n",
      "specs/_epics/billing/.epic-state.json": JSON.stringify(OLDER),
      "specs/metering/tasks.md": "- [x] 1.1 Count\n- [x] 1.2 Store\n",
      "specs/invoices/requirements.md": "# Requirements\n",
      "specs/dunning/plan.md": "# Plan\n",
    });

  it("is read as it is", () => {
    const place = makeOlder();
    expect(place.run(["epic", "status"]).out).toBe(
      [
        "billing ./specs/_epics/billing  1 of 5 specs done, 1 cancelled",
        "Bill by use",
        "✓ metering    done",
        "▶ invoices    in progress, next",
        "✗ reports     cancelled",
        "· dunning     waiting for invoices",
        "· mails       waiting for reports, which is cancelled",
        "→ /ralph-specum:start invoices",
        "",
      ].join("\n"),
    );
    expect(place.run(["epic", "next"], IN_SESSION).out).toBe("invoices\n");
    expect(findingsOf(place).filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("loses nothing when a spec is added", () => {
    const place = makeOlder();
    expectDone(place, ["epic", "add", "refunds", "--goal", "Pay back", "--depends", "invoices"]);
    expect(stateOf(place, "billing")).toEqual({
      ...OLDER,
      specs: [
        ...OLDER.specs,
        { name: "refunds", goal: "Pay back", status: "pending", dependencies: ["invoices"] },
      ],
    });
    expect(readFileSync(epics(place, "billing", "epic.md"), "utf8")).toBe(
      "# Epic: billing\n\n## Specs\n\n### 1. metering\n",
    );
  });

  it("that is corrupt is refused, kept, and can be started again", () => {
    const place = makeOlder();
    const path = epics(place, "billing", ".epic-state.json");
    writeFileSync(path, '{"specs": [');
    for (const args of [["status"], ["next"], ["add", "x", "--goal", "x"], ["remove", "x"]])
      expectRefusal(place.run(["epic", ...args]), EXIT.broken, /cannot be used: .*fix or restore/);
    expectRefusal(place.run(["epic", "new", "billing", "x"]), EXIT.refused, /fix or restore/);
    expect(readFileSync(path, "utf8")).toBe('{"specs": [');
    rmSync(path);
    expectDone(place, ["epic", "new", "billing", "Bill by use"]);
  });
});

describe("doctor", () => {
  it.each<[what: string, files: Record<string, string>, code: string, says: RegExp, fix: RegExp]>([
    [
      "a corrupt epic",
      { "specs/_epics/shop/.epic-state.json": "{" },
      "epic",
      /the epic's state cannot be used: it is not valid JSON/,
      /fix or restore \.\/specs\/_epics\/shop\/\.epic-state\.json/,
    ],
    [
      "a circle",
      {
        "specs/_epics/shop/.epic-state.json":
          '{"specs":[{"name":"a","dependencies":["b"]},{"name":"b","dependencies":["a"]}]}',
      },
      "epic-cycle",
      /a → b → a/,
      /^ralph-specum epic remove a --unlink --epic shop, then/,
    ],
    [
      "a pointer to an epic that is gone",
      { "specs/.current-epic": "gone", "specs/_epics/shop/": "" },
      "epic-pointer",
      /there is no epic "gone"/,
      /there are: shop; ralph-specum epic switch <name>.*or remove \.\/specs\/\.current-epic/,
    ],
    [
      "a pointer that leads out",
      { "specs/.current-epic": "../../etc" },
      "epic-pointer",
      /not the bare name of an epic/,
      /epic new/,
    ],
  ])("finds %s, and says what fixes it", (_, files, code, says, fix) => {
    const place = makePlace(specum, files);
    expect(findingOf(place, code)).toMatchObject({
      severity: "error",
      message: expect.stringMatching(says) as string,
      fix: expect.stringMatching(fix) as string,
    });
    expect(place.run(["doctor"]).code).toBe(EXIT.refused);
  });

  it("resolves a cycle with the command in its fix", () => {
    const cycle = [
      { name: "a", dependencies: ["b"] },
      { name: "b", dependencies: ["a"] },
    ];
    const place = makePlace(specum, {
      "specs/_epics/shop/.epic-state.json": JSON.stringify({ specs: cycle }),
    });
    const [command = ""] = (findingOf(place, "epic-cycle")?.fix ?? "").split(",", 1);
    expectDone(place, command.split(" ").slice(1));
    expect(findingOf(place, "epic-cycle")).toBeUndefined();
  });

  it("accepts a healthy epic", () => {
    expect(findingOf(makeShop(), "epic-pointer")).toMatchObject({ severity: "ok" });
    expect(makeShop().run(["doctor"]).code).toBe(EXIT.ok);
  });
});
