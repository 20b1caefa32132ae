import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { layouts } from "../support/editions.ts";
import { ordersFor } from "./agents.ts";
import { type Flow, makeFlow, nameIn, startFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";

describe.each(layouts)("$plugin, words after the command of a phase", (layout) => {
  const [first, second] = layout.phases as [Phase, Phase];
  const next = (layout.phases[2] as Phase).name;

  function begin(): Flow {
    const flow = startFlow(layout);
    flow.write(first.document);
    return flow;
  }

  it("reach the prompt, the notes, and the later phases", () => {
    const flow = begin();
    const out = flow.prompt(second.name, "I", "am", "building", "with", "Next.js");
    expect(out).toContain(`phase ${second.name} of ${layout.unit} \`${nameIn(layout)}\``);
    expect(out).toContain(
      '- From the user, by .progress.md (this phase): "I am building with Next.js"\n',
    );
    expect(flow.read(".progress.md")).toContain(
      `\n## From the User\n\n- ${second.name}: I am building with Next.js\n`,
    );
    expect(flow.prompt("start")).toContain(
      '- From the user, by .progress.md (this phase): "I am building with Next.js"\n',
    );
    flow.write(second.document);
    expect(flow.prompt(next, nameIn(layout), "split", "1.3")).toContain(
      `- From the user, by .progress.md (${second.name}): "I am building with Next.js"\n`,
    );
    expect(flow.read(".progress.md")).toContain(`\n- ${next}: split 1.3\n`);
  });

  it("reach quick mode too", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    flow.write(first.document);
    flow.prompt(second.name, "use", "Redis");
    flow.write(second.document);
    flow.stop();
    const third = layout.phases[2] as Phase;
    const orders = ordersFor(flow, "", { agent: third.agent, call: "third" });
    expect(orders).toContain(`- From the user, by .progress.md (${second.name}): "use Redis"\n`);
  });

  it("the first phase of a spec that exists takes them as well", () => {
    const flow = startFlow(layout);
    expect(flow.prompt(first.name, nameIn(layout), "look", "at", "Redis")).toContain(
      '- From the user, by .progress.md (this phase): "look at Redis"\n',
    );
  });

  it("a name is still a name, and one that is misspelt no remark", () => {
    const flow = begin();
    expect(flow.prompt(second.name, nameIn(layout))).not.toContain("From the user");
    expectRefusal(flow.type(second.name, "other-spec"), EXIT.missing, /there is no .*"other-spec"/);
    const typo = nameIn(layout).replaceAll("-", "");
    expectRefusal(flow.type(second.name, typo), EXIT.missing, `did you mean ${nameIn(layout)}?`);
    expect(flow.read(".progress.md")).not.toContain("From the User");
  });

  it("an agent says nothing in the user's place", () => {
    const flow = begin();
    expectRefusal(flow.call(second.name, "use", "Redis"), EXIT.refused, /only the user can run/);
    expect(flow.read(".progress.md")).not.toContain("Redis");
  });
});

it.each(layouts)("$plugin: what agents left open is in the next prompt and in status", (layout) => {
  const flow = startFlow(layout);
  const [first, second] = layout.phases as [Phase, Phase];
  flow.write(first.document);
  const notes = `${flow.read(".progress.md")}\n## Open Questions\n\n- ${first.name}: OPEN: per key?\n- not ours\n`;
  flow.write(".progress.md", notes);
  expect(flow.type("status").out).toContain(`open   1. ${first.name}: OPEN: per key?\n`);
  expect(flow.typeJson("status")).toMatchObject({
    openPoints: [{ phase: first.name, kind: "open", text: "per key?" }],
  });
  const out = flow.prompt(second.name);
  expect(out).toContain(`- 1. from ${first.name}, OPEN: per key?\n- Settle what is open`);
  expectRefusal(flow.call("resolve", "2"), EXIT.missing, /no open point 2; there is 1 open point/);
  expectRefusal(flow.call("resolve", "per key"), EXIT.usage, /"per" is not a number/);
  expect(flow.call("resolve", "1").out).toBe("Settled: OPEN: per key?\n");
  expect(flow.read(".progress.md")).toBe(notes.replace(/^- .*OPEN.*\n/m, ""));
  expect(flow.prompt(second.name)).not.toContain("Settle");
  expectRefusal(flow.call("resolve", "1"), EXIT.missing, /nothing is open/);
});
