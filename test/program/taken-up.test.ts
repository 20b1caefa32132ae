import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts } from "../support/editions.ts";
import { makeFlow, nameIn } from "./flow.ts";
import { pointerOf } from "./support.ts";

describe.each(layouts)("$plugin: a spec is continued", (layout) => {
  const folder = `${layout.specsDirs[0]}/${nameIn(layout)}`;

  it.each([
    ["research", { phase: "research", awaitingApproval: true }],
    ["a quick one", { phase: layout.phases[0]?.name, quickMode: true, awaitingApproval: true }],
    ["one of another kind", { phase: "clarify", awaitingApproval: false }],
    ["one without a phase", { source: "spec", taskIndex: 0 }],
  ])("with the state of an older version: %s", (_, state) => {
    const flow = makeFlow(layout, { [`${folder}/${layout.stateFile}`]: JSON.stringify(state) });
    writeFileSync(join(flow.root, pointerOf(layout)), `${nameIn(layout)}\n`);
    expect(flow.run(["status"]).code).toBe(0);
    expect(flow.run(["context"]).code).toBe(0);
    expect(flow.type("start").code).toBe(0);
    expect(flow.hook("session-start").code).toBe(0);
    expect(flow.slash(["cancel"]).code).toBe(0);
  });
});
