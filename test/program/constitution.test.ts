import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, speckit } from "../support/editions.ts";
import { ordersFor, send } from "./agents.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow, nameIn, startFlow, written } from "./flow.ts";
import { fillFolder } from "./temporary.ts";

const PATH = ".specify/memory/constitution.md";

const constitution = (version: string, from: string, more = ""): string =>
  `<!--
Sync Impact Report
Version change: ${from} → ${version}
-->

${written(speckit, "constitution.md").replace("# constitution.md", "# Shop Constitution")}
### I. Tests First

MUST.
${more}
**Version**: ${version} | **Ratified**: 2026-01-31 | **Last Amended**: 2026-11-16
`;

const UNFILLED =
  "# [PROJECT_NAME] Constitution\n\n### [PRINCIPLE_1_NAME]\n\n[PRINCIPLE_1_DESCRIPTION]\n";

const withRules = (flow: Flow, text: string): Flow => {
  fillFolder(flow.root, { [PATH]: text });
  return flow;
};

describe.each(layouts)("$plugin: the project's rules", (layout) => {
  const [first] = layout.phases;
  // Where Spec Kit's own folders are, features are in specs.
  const begin = (): Flow => makeFlow(layout).at(nameIn(layout), layout.specsDirs.at(-1));

  it("reach the coordinator, who writes documents, and who does tasks, in a line", () => {
    const flow = withRules(begin(), constitution("1.0.0", "none"));
    expect(flow.prompt("start", "rate-limit", GOAL)).toContain(`Rules of the project: ./${PATH}`);
    const { orders } = send(flow, "go", { agent: first?.agent ?? "", call: "writer" });
    expect(orders).toContain(`Rules of the project: ./${PATH}`);
    flow.write("tasks.md", "- [ ] 1.1 Count\n");
    flow.prompt("implement");
    const line = `Rules of the project, which outrank the task: ${join(flow.root, PATH)} (I. Tests First). Read them first.`;
    const told = ordersFor(flow, "1.1");
    expect(told).toContain(`Folder: ${flow.folder}.\n${line}\n\n- [ ] 1.1 Count`);
    // Every task pays for it.
    expect(line.length - join(flow.root, PATH).length).toBeLessThan(150 * 4);
  });

  it("are none while they are only the template", () => {
    const flow = withRules(begin(), UNFILLED);
    expect(flow.prompt("start", "rate-limit", GOAL)).not.toContain("Rules of the project");
    flow.write("tasks.md", "- [ ] 1.1 Count\n");
    flow.prompt("implement");
    expect(ordersFor(flow, "1.1")).not.toContain("Rules");
  });
});

describe("submit constitution", () => {
  it("checks and commits it, and again only with a higher version", () => {
    const flow = withRules(makeGitFlow(speckit), constitution("1.0.0", "none"));
    const first = flow.call("submit", "constitution");
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/memory\/constitution\.md is version 1\.0\.0 \(commit \w+\)\.\n$/);
    expect(flow.git.git("log", "-1", "--format=%s")).toBe("docs: ratify constitution v1.0.0");
    expect(flow.git.git("status", "--porcelain", PATH)).toBe("");
    // Unchanged, it may say what it likes.
    expect(flow.call("submit", "constitution").code).toBe(0);
    withRules(flow, constitution("1.0.0", "none", "\n### II. Small\n\nMUST.\n"));
    const same = flow.call("submit", "constitution");
    expect(same).toMatchObject({ code: EXIT.refused });
    expect(same.out + same.err).toMatch(/Its version was 1\.0\.0 before\. Raise it/);
    withRules(flow, constitution("1.1.0", "1.0.0", "\n### II. Small\n\nMUST.\n"));
    expect(flow.call("submit", "constitution").code).toBe(0);
    expect(flow.git.git("log", "-1", "--format=%s")).toBe("docs: amend constitution to v1.1.0");
  });

  it("refuses what is not filled in, or not there", () => {
    const flow = makeFlow(speckit);
    expect(flow.call("submit", "constitution").code).toBe(EXIT.refused);
    withRules(flow, UNFILLED);
    expect(flow.json(["submit", "constitution"])).toMatchObject({ code: EXIT.refused, ok: false });
  });

  it("leaves it uncommitted where nothing is committed", () => {
    const flow = withRules(startFlow(speckit, makeFlow(speckit)), constitution("1.0.0", "none"));
    expect(flow.json(["submit", "constitution"])).toMatchObject({ code: 0, version: "1.0.0" });
  });
});
