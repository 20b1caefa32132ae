import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { commandAfter } from "../../src/layouts/phases.ts";
import { expectRefusal, pointerOf, TASKS } from "../program/support.ts";
import { layouts, specum } from "../support/editions.ts";
import { enterPhase, GOAL, makeFlow, nameIn, startFlow } from "./flow.ts";

describe.each(layouts)("$plugin: a spec is continued", (layout) => {
  const specs = layout.specsDirs[0];
  const folder = `${specs}/${nameIn(layout)}`;

  it.each(layout.phases)(
    "in phase $name, and when its document waits for approval",
    async (phase) => {
      for (const verb of ["start", "resume"]) {
        const flow = await startFlow(layout);
        await enterPhase(flow, phase.name);
        expect(await flow.typeJson(verb)).toMatchObject({ code: 0, phase: phase.name });
        flow.write(phase.document);
        await flow.call("submit");
        const out = await flow.prompt(verb);
        const next = `/${layout.plugin}:${commandAfter(layout.phases, phase)}`;
        expect(out).toContain(
          `${phase.document} waits for the user's approval: ${next} approves it`,
        );
        expect(flow.state()).toMatchObject({ awaitingApproval: true, phase: phase.name });
        expect(await flow.prompt(phase.name), "it is worked on again").toContain("already exists");
        expect(flow.state()).toMatchObject({ awaitingApproval: false, phase: phase.name });
      }
    },
  );

  it("with --quick, which gives the approval that is waited for", async () => {
    const flow = await startFlow(layout);
    const [first, second] = layout.phases as [Phase, Phase];
    flow.write(first.document);
    await flow.call("submit");
    expect(await flow.prompt("start", "--quick")).toContain(`phase ${second.name} of`);
    expect(flow.state()).toMatchObject({ quickMode: true, phase: second.name });
    const last = await enterPhase(flow, layout.phases.at(-1)?.name ?? "");
    flow.write(last.document);
    writeFileSync(
      join(flow.folder, layout.stateFile),
      JSON.stringify({ ...flow.state(), quickMode: false, awaitingApproval: true }),
    );
    expect(await flow.prompt("start", "--quick")).toContain("Task 1.1 → ");
  });

  it.each<[what: string, documents: string[], phase: string]>([
    ["nothing", [], layout.phases[0]?.name ?? ""],
    ["the first document", [layout.phases[0]?.document ?? ""], layout.phases[1]?.name ?? ""],
    ["all but tasks", layout.phases.slice(0, -1).map((one) => one.document), "tasks"],
  ])("without a state, by what there is: %s", async (_, documents, phase) => {
    const flow = makeFlow(layout, { [`${folder}/notes.txt`]: "" });
    for (const document of documents) flow.write(document);
    expect(await flow.typeJson("start")).toMatchObject({ code: 0, phase });
    expect(existsSync(join(flow.folder, ".progress.md"))).toBe(true);
  });

  it("in execution, where there are tasks and nothing says otherwise", async () => {
    const flow = makeFlow(layout, { [`${folder}/tasks.md`]: TASKS });
    const implement = layout.voice.command("implement");
    expect(await flow.prompt("start")).toContain(`was not started on this machine: ${implement} `);
    expect(flow.state()).toBeUndefined();
    expect(await flow.prompt("implement")).toContain("3 of 3 tasks are open");
    await flow.run(["pause"]);
    expect(await flow.prompt("start", nameIn(layout))).toContain("Task 1.1 → ");
    expect(flow.state()).toMatchObject({ phase: "execution", paused: false });
    writeFileSync(join(flow.folder, "tasks.md"), TASKS.replaceAll("[ ]", "[x]"));
    expect(await flow.prompt("start", nameIn(layout))).toContain("Nothing to do: all 3 tasks");
  });

  it("status shows the phase, what is written and how to continue", async () => {
    const flow = await startFlow(layout);
    const [first, second] = layout.phases as [Phase, Phase];
    expect(await flow.json(["status"])).toMatchObject({
      standing: `in phase ${first.name}`,
      phase: first.name,
      todo: `/${layout.plugin}:start continues`,
      documents: layout.phases.map(({ document }) => ({ document, exists: false })),
      total: 0,
    });
    flow.write(first.document);
    await flow.call("submit");
    expect(await flow.json(["status"])).toMatchObject({
      standing: "waiting for your approval",
      why: `${first.document} is ready`,
      todo: `/${layout.plugin}:${second.name} approves and continues`,
    });
    expect((await flow.run(["status"])).out).toContain(`✓ ${first.document}  · ${second.document}`);
  });

  it("cancel ends a phase, keeps its documents and says how to begin again", async () => {
    const flow = await startFlow(layout);
    flow.write(layout.phases[0]?.document ?? "");
    const { out } = await flow.slash(["cancel"]);
    expect(out).toMatch(/start [\w-]+ continues with the documents\.\n$/);
    expect(flow.state()).toBeUndefined();
    expect(flow.read(".progress.md")).toContain(GOAL);
    expect(await flow.json(["status"])).toMatchObject({
      standing: "cancelled",
      todo: `smart-ralph run ${nameIn(layout)}, or /${layout.plugin}:start ${nameIn(layout)} in your client, starts again`,
    });
    expect(await flow.typeJson("start")).toMatchObject({ phase: layout.phases[1]?.name });
    expect(flow.entries().map(({ event }) => event)).toEqual(["phase", "cancelled", "phase"]);
  });

  it("switch lists specs, makes one active and pauses what ran", async () => {
    const flow = await startFlow(
      layout,
      makeFlow(layout, { [`${specs}/old-other/tasks.md`]: TASKS }),
    );
    const listed = (await flow.slashJson(["switch"]))["specs"];
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ spec: nameIn(layout), active: true }),
        expect.objectContaining({
          spec: "old-other",
          active: false,
          standing: "ready, 0 of 3 tasks done",
        }),
      ]),
    );
    expect(await flow.slashJson(["switch", "old-other"])).toMatchObject({ code: 0, notes: [] });
    expect(readFileSync(join(flow.root, pointerOf(layout)), "utf8")).toBe("old-other\n");
    await flow.prompt("implement");
    expect((await flow.slash(["switch", nameIn(layout)])).out).toMatch(
      /The run of "old-other" is paused/,
    );
    expect(flow.at("old-other").state()).toMatchObject({ paused: true });
    expectRefusal(
      await flow.slash(["switch", "nothing"]),
      EXIT.missing,
      /there is no .* "nothing"/,
    );
    expect((await makeFlow(layout, { [`${specs}/`]: "" }).run(["switch"])).out).toMatch(
      /no \w+ yet\. Begin with smart-ralph run ".*\n$/,
    );
  });

  it("a quick run is paused when another spec becomes active, as no hook continues it", async () => {
    const flow = await startFlow(layout, makeFlow(layout), "--quick");
    expect(await flow.prompt("start", "bulk-export")).toMatch(/The run of "[\w-]+" is paused/);
    expect(flow.state()).toMatchObject({ paused: true, quickMode: true });
    expect(await flow.prompt("resume", nameIn(layout))).toContain("Quick mode");
    expect(flow.state()).toMatchObject({ paused: false });
  });

  it("context and analyze say what an agent should know", async () => {
    const flow = await startFlow(layout);
    const [first] = layout.phases as [Phase];
    flow.write(first.document, "# x\n\nTBD\n");
    const { out } = await flow.run(["context", "what", "is", "this"]);
    expect(out).toContain(
      `${layout.unit} ${nameIn(layout)} in ./${folder}: in phase ${first.name}`,
    );
    expect(out).toContain(`Goal: ${GOAL}\nDocuments: ${first.document}\n`);
    expect(await flow.json(["context", nameIn(layout)])).toMatchObject({ intent: "mid-sized" });
    const found = await flow.json(["analyze"]);
    expect(found).toMatchObject({ code: 0, ok: true });
    expect(JSON.stringify(found["findings"])).toContain("TBD is still open");
    for (const { document } of layout.phases) flow.write(document);
    expect((await flow.run(["analyze"])).out).toMatch(/:\nNothing\.\n$/);
    flow.write("tasks.md", flow.read("tasks.md").replace("[ ]", "[x]"));
    expect((await flow.run(["analyze"])).out).toMatch(/^- \S+ .*(?:evidence|proves|Verify)/m);
  });

  it("triage creates an epic, and continues it", async () => {
    const flow = makeFlow(layout);
    expectRefusal(await flow.type("triage"), EXIT.usage, /no epic to continue; .*triage "</);
    const out = await flow.prompt("triage", "Sell", "things", "on", "the", "web");
    expect(out).toMatch(/epic `sell-web`/);
    expect(out).toContain("Goal: Sell things on the web\n");
    await flow.run(["epic", "add", "stock-list", "--goal", "Know what is there"]);
    expect(await flow.prompt("triage")).toContain("Specs so far: stock-list\n");
    expect(await flow.prompt("triage", "sell-web")).toContain("Specs so far: stock-list\n");
    expect(await flow.typeJson("triage", "second-one", "Another goal")).toMatchObject({
      epic: "second-one",
      specs: 0,
    });
    expect(await flow.typeJson("triage")).toMatchObject({ epic: "second-one" });
    expect(await flow.typeJson("triage", "buy", "shoes"), "a goal of two words").toMatchObject({
      epic: "buy-shoes",
    });
  });
});

it("what a state file says does not reach the terminal as it is", async () => {
  const flow = await startFlow(specum);
  const evil = "x\u001b[31m\ny";
  writeFileSync(join(flow.folder, ".ralph-state.json"), JSON.stringify({ phase: evil }));
  for (const verb of ["switch", "status", "context"])
    expect((await flow.run([verb])).out, verb).not.toContain("\u001b");
});
