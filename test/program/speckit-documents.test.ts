import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { speckit } from "../support/editions.ts";
import { giveBack, send } from "./agents.ts";
import { end } from "./claims.ts";
import {
  enterPhase,
  type Flow,
  makeFlow,
  makeGitFlow,
  nameIn,
  startFlow,
  written,
} from "./flow.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const [specify, plan] = speckit.phases as [Phase, Phase];
const SPEC = written(speckit, "spec.md");
const asking = (count: number): string =>
  `${SPEC}${Array.from({ length: count }, (_, i) => `\nKeep it [NEEDS CLARIFICATION: how long ${i}?]`).join("")}\n`;

/** As the agent does that leaves a question: every item but one is ticked. */
function ask(flow: Flow, count: number): void {
  flow.write("spec.md", asking(count));
  const list = flow.read("checklists/requirements.md");
  flow.write("checklists/requirements.md", list.replace("[x] No [NEEDS", "[ ] No [NEEDS"));
}

const endWriter = (flow: Flow, { agent }: Phase): ReturnType<typeof end> =>
  end(flow, { agent_type: `ralph-speckit:${agent}`, last_assistant_message: "Written." });

describe("questions in spec.md", () => {
  it("may stay, up to three; the user is told, and the next phase asks them", () => {
    const flow = startFlow(speckit);
    send(flow, "", { agent: specify.agent, call: "w" });
    ask(flow, 3);
    expect(endWriter(flow, specify).out).toBe("");
    const { context } = giveBack(flow, "", { agent: specify.agent, call: "w" });
    expect(context).toContain('It asks the user 3 questions: "how long 0?", "how long 1?"');
    expect(context).toContain("/ralph-speckit:clarify asks them, and so does /ralph-speckit:plan");
    expect(context).toContain("checklists/requirements.md: 1 of 16 items open");
    const prompt = flow.prompt("plan");
    expect(prompt).toMatch(
      /spec\.md leaves open what only the user can say:\n +- spec\.md:\d+ "how long 0\?"/,
    );
    expect(prompt).toContain("### Session <today, as YYYY-MM-DD>");
    expect(flow.call("context").out).toMatch(/^spec\.md:\d+ asks: how long 2\?$/m);
  });

  it("are refused from the fourth on", () => {
    const flow = startFlow(speckit);
    ask(flow, 4);
    const { code, out } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toMatch(/how long 3\?\] is one too many: at most 3 questions/);
    expect(out).not.toContain("how long 2");
  });

  it("cannot be ticked away", () => {
    const flow = startFlow(speckit);
    flow.write("spec.md", asking(1));
    expect(flow.call("submit").out).toMatch(
      /requirements\.md:\d+ It is ticked that no question is left, but spec\.md:\d+ asks one/,
    );
  });

  it("in quick mode are decided instead", () => {
    const flow = startFlow(speckit, makeFlow(speckit), "--quick", "--full");
    ask(flow, 1);
    expect(flow.stop().reason).toContain(
      "[NEEDS CLARIFICATION: how long 0?] is still open. Ask the user, or decide",
    );
  });

  it("hold back what is planned from them", () => {
    const flow = startFlow(speckit);
    enterPhase(flow, "plan");
    ask(flow, 1);
    flow.write("plan.md");
    const { code, out } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toMatch(/spec\.md:\d+ It still asks: how long 0\? Write the user's answer there/);
    expect(send(flow, "", { agent: plan.agent, call: "w" }).orders).toMatch(
      /Open, unless \.progress\.md has the answer: spec\.md:\d+ "how long 0\?"/,
    );
    flow.write("spec.md");
    expect(flow.call("submit").code).toBe(0);
  });

  it("are committed with the plan once they are answered", () => {
    const flow = startFlow(speckit, makeGitFlow(speckit));
    ask(flow, 1);
    flow.call("submit");
    flow.prompt("plan");
    flow.write("spec.md");
    flow.write("plan.md");
    expect(flow.call("submit").code).toBe(0);
    const committed = flow.git.git("show", "--name-only", "--format=", "HEAD");
    for (const name of ["spec.md", "checklists/requirements.md", "plan.md"])
      expect(committed).toContain(`/${name}`);
    expect(flow.git.git("status", "--porcelain")).toBe("");
  });
});

const TREE = (...names: string[]): string =>
  `\n### Documentation (this feature)\n\n\`\`\`text\nspecs/x/\n├── plan.md\n${names.map((name) => `${name}\n`).join("")}└── tasks.md\n\`\`\`\n`;

describe("what belongs to plan.md", () => {
  it("is checked against the tree that lists it, and committed with it", () => {
    const flow = startFlow(speckit, makeGitFlow(speckit));
    enterPhase(flow, "plan");
    const names = ["research.md", "contracts/", "contracts/api.yaml"];
    flow.write(
      "plan.md",
      `${written(speckit, "plan.md")}${TREE("├── research.md", "├── contracts/", "│   └── api.yaml")}`,
    );
    const { code, out } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    for (const name of names)
      expect(out).toContain(`The tree lists ${name}, which does not exist.`);
    expect(out).not.toContain("tasks.md, which");
    fillFolder(flow.folder, { "research.md": "# R\n\nTBD\n", "contracts/api.yaml": "a: 1\n" });
    expect(flow.call("submit").out).toContain("research.md:3 TBD is still open.");
    flow.write("research.md", "# R\n\n**Decision**: it\n");
    expect(flow.call("submit").code).toBe(0);
    const committed = flow.git.git("show", "--name-only", "--format=", "HEAD").split("\n");
    expect(committed.map((path) => path.split(`${nameIn(speckit)}/`)[1]).sort()).toEqual([
      "contracts/api.yaml",
      "plan.md",
      "research.md",
    ]);
  });

  it("is not what a link out of the project leads to", () => {
    const flow = startFlow(speckit);
    enterPhase(flow, "plan");
    flow.write(
      "plan.md",
      `${written(speckit, "plan.md")}${TREE("├── contracts/", "│   └── secret.md")}`,
    );
    const outside = fillFolder(makeFolder(), { "secret.md": "x" });
    symlinkSync(outside, join(flow.folder, "contracts"));
    const { out } = flow.call("submit");
    expect(out).toContain("The tree lists contracts/, which does not exist.");
    expect(out).toContain("The tree lists contracts/secret.md, which does not exist.");
  });

  it("is for the agent that writes it to know", () => {
    const flow = startFlow(speckit);
    enterPhase(flow, "plan");
    const { orders } = send(flow, "", { agent: plan.agent, call: "w" });
    expect(orders).toContain(
      "Beside it, as far as the feature needs them: research.md, data-model.md, contracts/, quickstart.md",
    );
    for (const name of ["research", "data-model.md", "quickstart"])
      expect(flow.call("template", name).out).toMatch(/^# .*: Rate limit$/m);
  });
});

/** As Spec Kit's own templates name what its scripts fill in. */
const OWN = `# Plan: [FEATURE]

**Branch**: \`[###-feature-name]\` | **Date**: [DATE] | **Spec**: [link]

**Input**: Feature specification from \`/specs/[###-feature-name]/spec.md\`, by \`__SPECKIT_COMMAND_PLAN__\`

"$ARGUMENTS"

[What it is about]
`;

it("a project's own template is filled with what is known, and is in the writer's orders", () => {
  const flow = startFlow(
    speckit,
    makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/plan-template.md": OWN }),
  );
  enterPhase(flow, "plan");
  const { out } = flow.call("template", "plan");
  const name = nameIn(speckit);
  expect(out).toMatch(/^# Plan: Rate limit$/m);
  expect(out).toMatch(
    new RegExp(`^\\*\\*Branch\\*\\*: \`${name}\` \\| \\*\\*Date\\*\\*: \\d{4}-`, "m"),
  );
  expect(out).toContain("**Spec**: [spec.md](./spec.md)");
  expect(out).toContain(`from \`.specify/specs/${name}/spec.md\`, by \`/ralph-speckit:plan\``);
  expect(out).toContain('"Count requests and refuse too many"');
  expect(out).toContain("[What it is about]");
  const { orders } = send(flow, "", { agent: plan.agent, call: "w" });
  expect(orders).toContain(`Template of plan.md:\n\n\`\`\`\`markdown\n${out.trim()}\n\`\`\`\``);
});

it("the writer of a document that exists gets no template, and nobody gets the user's choices", () => {
  const flow = startFlow(speckit);
  const { orders } = send(flow, "", { agent: specify.agent, call: "w" });
  expect(orders).toContain("# Feature Specification: <its title, in a few words>");
  expect(send(flow, "specify", { agent: specify.agent, call: "w1" }).orders).not.toContain(
    "From the coordinator",
  );
  expect(orders).toMatch(/^- Intent: looks like .* confidence\)$/m);
  flow.write("spec.md");
  expect(send(flow, "", { agent: specify.agent, call: "w2" }).orders).not.toContain("Template of");
  flow.write("spec.md", SPEC.replace("# spec.md", "# Spec: Too many requests"));
  expect(flow.call("template", "plan").out).toMatch(/^# Implementation Plan: Too many requests$/m);
});
