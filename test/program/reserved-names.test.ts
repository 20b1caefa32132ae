import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { reservedNames } from "../../src/layouts/layout.ts";
import { layouts, openspec } from "../support/editions.ts";
import { send } from "./agents.ts";
import { GOAL, makeFlow, startFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";

const CHANGES = "openspec/changes";
const LIST = "- [ ] one\n- [ ] two\n";

describe("a change cannot be called archive", () => {
  const says = /"archive" cannot be the name of a change/;

  it("start, new and import refuse the name, and create nothing", () => {
    const flow = makeFlow(openspec, { "list.md": LIST });
    expectRefusal(flow.type("start", "archive", GOAL), EXIT.usage, says);
    expectRefusal(flow.run(["new", "archive", GOAL]), EXIT.usage, says);
    expectRefusal(flow.run(["import", "list.md", "--name", "archive"]), EXIT.usage, says);
    expectRefusal(
      flow.run(["import", "list.md", "--name", "archive", "--dry-run"]),
      EXIT.usage,
      says,
    );
    expect(existsSync(join(flow.root, CHANGES, "archive"))).toBe(false);
  });

  it("what is named after its content gets a number", () => {
    const flow = makeFlow(openspec, { "list.md": `# Archive\n\n${LIST}` });
    expect(flow.json(["import", "list.md"])).toMatchObject({ code: 0, spec: "archive-2" });
    expect(flow.json(["tasks", "lint", "archive-2"])).toMatchObject({ code: 0 });
  });

  it("neither the user nor an agent renames one to it", () => {
    const flow = startFlow(openspec);
    for (const name of ["archive", "Archive", "_archive"])
      expectRefusal(flow.type("rename", name), EXIT.usage, says);
    expect(existsSync(flow.folder)).toBe(true);
    const agent = makeFlow(openspec).at("count-requests-refuse");
    agent.prompt("start", GOAL);
    send(agent, "name: archive", { agent: "proposal-writer" });
    expect(readdirSync(join(agent.root, CHANGES))).toEqual(["archive-2"]);
    expect(agent.json(["status"])).toMatchObject({ code: 0, spec: "archive-2" });
  });

  it("nor can an epic plan one", () => {
    const flow = makeFlow(openspec);
    expect(flow.run(["epic", "new", "shop", "Sell things"]).code).toBe(0);
    expectRefusal(flow.run(["epic", "add", "archive", "--goal", "x"]), EXIT.usage, says);
  });
});

describe.each(layouts)("$plugin", (layout) => {
  it.each(reservedNames(layout))("creates no spec in %s", (name) => {
    const flow = makeFlow(layout, { "list.md": LIST });
    for (const args of [
      ["new", name, GOAL],
      ["import", "list.md", "--name", name],
    ])
      flow.run(args);
    expect(existsSync(join(flow.root, layout.specsDirs[0], name))).toBe(false);
  });
});
