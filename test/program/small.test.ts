import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { layouts } from "../support/editions.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow, nameIn, startFlow, written } from "./flow.ts";
import { expectRefusal } from "./support.ts";

const SMALL = "Add a `--json` flag to the list command";

/** OpenSpec has a delta on the short way, too: see `openspec.test.ts`. */
const short = layouts.filter(({ shortPhases }) => shortPhases.length === 2);

describe.each(short)("$plugin, the short way", (layout) => {
  const [plan, tasks] = layout.shortPhases as [Phase, Phase];
  const [first] = layout.phases as [Phase];
  const slash = (name: string): string => `/${layout.plugin}:${name}`;
  const writePlan = (flow: Flow): void =>
    flow.write(plan.document, written(layout, plan.document, true));

  it("start --small: one planning document, then the tasks, then execution", () => {
    const flow = makeGitFlow(layout);
    const out = flow.prompt("start", "rate-limit", SMALL, "--small");
    expect(out).toContain(`phase ${plan.name} of`);
    expect(out).toContain(`\`${layout.plugin}:${plan.agent}\``);
    expect(out).toContain(`- Short way: ${plan.document} is the only planning document`);
    expect(out).toContain("at most 2 questions, or none");
    expect(out).toContain(`${slash("tasks")} approves it`);
    expect(flow.state()).toMatchObject({ phase: plan.name, small: true });
    expect(flow.call("template", plan.document).out).toContain("\n## Design\n");

    flow.write(plan.document);
    const refused = flow.call("submit");
    expect(refused).toMatchObject({ code: EXIT.refused, err: "" });
    expect(refused.out).toContain("Design");
    writePlan(flow);
    expect(flow.call("submit").out).toContain(`${slash("tasks")} approves it and continues`);
    expect(flow.typeJson("status")).toMatchObject({
      small: true,
      documents: [
        { document: plan.document, exists: true },
        { document: "tasks.md", exists: false },
      ],
      todo: `${slash("tasks")} approves and continues`,
    });
    expect(flow.prompt("start")).toContain(`${slash("tasks")} approves it and continues`);

    const second = flow.prompt("tasks");
    expect(second).toContain(`\`${layout.plugin}:${tasks.agent}\``);
    expect(second).toContain("- Granularity: small, usually 3 to 8 tasks\n");
    expect(second).not.toContain("There is no");
    flow.write("tasks.md");
    expect(flow.call("submit").out).toContain(`${slash("implement")} approves it`);
    expect(flow.json(["trace", "--check"])).toMatchObject({ code: EXIT.ok });
    flow.prompt("implement");
    expect(flow.state()).toMatchObject({ phase: "execution", small: true });
  });

  it("quick mode takes it for a small goal, and drives it", () => {
    const flow = makeGitFlow(layout);
    const out = flow.prompt("start", "rate-limit", SMALL, "--quick");
    expect(out).toContain("Short way: ");
    expect(flow.state()).toMatchObject({ phase: plan.name, small: true, quickMode: true });
    writePlan(flow);
    expect(flow.stop().reason).toContain(`phase ${tasks.name} of`);
    flow.write("tasks.md");
    expect(flow.stop().reason).toContain("Task 1.1 → ");
  });

  it("quick mode takes the long way for another goal, and if told to", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    expect(flow.state()).toMatchObject({ phase: first.name });
    expect(flow.state()).not.toHaveProperty("small");
    const full = makeFlow(layout);
    full.prompt("start", "rate-limit", SMALL, "--quick", "--full");
    expect(full.state()).toMatchObject({ phase: first.name, small: false });
  });

  it("otherwise it is proposed once, and only for a small goal", () => {
    const flow = makeFlow(layout);
    const proposal = `- Looks small: tell the user in one line that ${slash("start")} ${nameIn(layout)} --small takes`;
    expect(flow.prompt("start", "rate-limit", SMALL)).toContain(proposal);
    expect(flow.state()).not.toHaveProperty("small");
    flow.write(first.document);
    expect(flow.prompt(layout.phases[1]?.name ?? "")).not.toContain("Looks small");
    expect(makeFlow(layout).prompt("start", "rate-limit", GOAL)).not.toContain("Looks small");
    expect(makeFlow(layout).prompt("start", "rate-limit", SMALL, "--full")).not.toContain(
      "Looks small",
    );
  });

  it("can be taken later, and left again", () => {
    const flow = makeFlow(layout);
    flow.prompt("start", "rate-limit", SMALL);
    expect(flow.prompt("start", nameIn(layout), "--small")).toContain(`phase ${plan.name} of`);
    expect(flow.state()).toMatchObject({ phase: plan.name, small: true });
    expect(flow.prompt("start", nameIn(layout), "--full")).not.toContain("Short way");
    expect(flow.state()).toMatchObject({ phase: plan.name, small: false });
    expectRefusal(flow.type("start", "--small", "--full"), EXIT.usage, /contradict each other/);
  });

  it("the command of a phase that it lacks leads to the long way", () => {
    const flow = makeFlow(layout);
    flow.prompt("start", "rate-limit", SMALL, "--small");
    const design = layout.phases.at(-2) as Phase;
    writePlan(flow);
    expect(flow.prompt(design.name)).toContain(
      `The short way has no phase ${design.name}: the long way from here.`,
    );
    expect(flow.state()).toMatchObject({ phase: design.name, small: false });
  });

  it("is still known when the state is gone, by the document", () => {
    const flow = makeFlow(layout);
    flow.prompt("start", "rate-limit", SMALL, "--small");
    writePlan(flow);
    flow.prompt("cancel");
    expect(flow.typeJson("start", nameIn(layout))).toMatchObject({ phase: tasks.name });
    expect(flow.state()).toMatchObject({ small: true });
  });

  it("an agent that writes it into the state changes nothing", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    const state = { ...flow.state(), small: true, phase: plan.name };
    writeFileSync(join(flow.folder, layout.stateFile), JSON.stringify(state));
    expect(flow.typeJson("status")).toMatchObject({ small: false, phase: first.name });
  });
});
