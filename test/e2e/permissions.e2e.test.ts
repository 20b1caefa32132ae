import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { CLIENTS, CURRENT } from "./install.ts";
import type { Script } from "./model.ts";
import { byProgram } from "./players.ts";
import { oneLayout, type Project } from "./project.ts";
import { noScreen, openScreen } from "./screen.ts";
import { perform, stageModel, stageProject } from "./stage.ts";
import { type Answer, bash } from "./wire.ts";

const DO = { description: "Task", prompt: "Play your part.", subagent_type: "general-purpose" };

/**
 * A coordinator that starts an agent for each task and reports when that agent has ended: in a turn that the client
 * opened by itself, to which the slash command's own permissions do not reach.
 */
const coordinator =
  (project: Project, hostile?: string, how: object = {}): Script =>
  (ask) => {
    // Older clients do not say which agent asks.
    if (ask.order.includes(DO.prompt)) return "Did it.";
    const [id] = project.open();
    if (id === undefined) return "ALL_TASKS_COMPLETE";
    const isHeard = /Did it\.|<task-notification>/.test(ask.news);
    if (isHeard && hostile !== undefined) return { call: [bash(hostile)] };
    if (isHeard) return { call: [bash(byProgram(project, id))] };
    if (ask.result !== undefined) return "Waiting.";
    return { call: [{ name: "Agent", input: { ...DO, ...how } }] };
  };

describe.each(oneLayout)("$id: with permission checks on", (layout) => {
  test.each(isFull ? CLIENTS : [CURRENT])("a run in %s asks nobody", async (version) => {
    const project = stageProject(layout, 3);
    const model = await stageModel(coordinator(project), { main: 30, sub: 5 });
    await perform(project, model, project.slash("implement"), { version, permissions: "ask" });
    expect(project.open()).toEqual([]);
    expect(project.state()).toBeUndefined();
  });

  test.each(isFull ? CLIENTS : [CURRENT])("the user's own rules hold in %s", async (version) => {
    const project = stageProject(layout, 1);
    const model = await stageModel(coordinator(project), { main: 30, sub: 5 });
    const settings = { permissions: { deny: [`Bash(${layout.plugin} done:*)`] } };
    await perform(project, model, project.slash("implement"), {
      version,
      permissions: "ask",
      settings,
    });
    expect(project.open()).toEqual(["1.1"]);
  });

  // No native build of the terminal for this machine.
  test.skipIf(noScreen)("a run in a terminal asks nobody", async () => {
    const project = stageProject(layout, 3);
    const model = await stageModel(coordinator(project), { main: 30, sub: 5 });
    const screen = await openScreen(project, model, { permissions: "acceptEdits" });
    await screen.type(project.slash("implement"));
    const lines = await screen.until(/all\s+3\s+tasks done/);
    expect(lines.join("\n")).not.toContain("Do you want to proceed?");
    expect(project.open()).toEqual([]);
  });

  test.skipIf(noScreen)("after init nobody is asked about the work either", async () => {
    const verify = 'test -f part.txt && node -e "process.exit(0)"';
    const project = stageProject(
      layout,
      1,
      ([id]) => `- [ ] ${id} Part\n  - **Verify**: \`${verify}\`\n`,
    );
    project.write("package.json", JSON.stringify({ scripts: { test: "true" } }));
    project.program("init", "--yes", "--accept-edits");
    const file_path = project.path("part.txt");
    const steps: Answer[] = [
      { call: [{ name: "Write", input: { file_path, content: "part\n" } }] },
      { call: [bash("npm test")] },
      { call: [bash(verify)] },
      { call: [bash("git add part.txt && git commit -qm 'feat: part'")] },
      "Did it.",
    ];
    // An interactive client follows this only after init.
    const lead = coordinator(project, undefined, { run_in_background: false });
    const model = await stageModel(
      (ask) => (ask.order.includes(DO.prompt) ? (steps.shift() ?? "Did it.") : lead(ask)),
      { main: 30, sub: 5 },
    );
    const screen = await openScreen(project, model);
    await screen.type(project.slash("implement"));
    const lines = await screen.until(/1\s+task\s+done/);
    expect(lines.join("\n")).not.toMatch(/Do you want to proceed|Backgrounded agent/);
    expect(project.git("log", "-1", "--format=%s", "--", "part.txt").trim()).toBe("feat: part");
  });

  test.skipIf(noScreen)("the user is asked about anything more than that", async () => {
    const project = stageProject(layout, 1);
    // Nothing that this mode allows by itself: it lets an agent remove files of the project.
    const hostile = `${layout.plugin} done 1.1; node -e 'console.log("hello")'`;
    const model = await stageModel(coordinator(project, hostile), { main: 30, sub: 5 });
    const screen = await openScreen(project, model, { permissions: "acceptEdits" });
    await screen.type(project.slash("implement"));
    await screen.until(/Do you want to proceed\?/);
    expect(project.open()).toEqual(["1.1"]);
  });
});
