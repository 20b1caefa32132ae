import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { speckit, specum } from "../support/editions.ts";
import { giveBack, send } from "./agents.ts";
import { end } from "./claims.ts";
import {
  enterPhase,
  type Flow,
  GOAL,
  makeFlow,
  makeGitFlow,
  startFlow,
  TASK,
  written,
} from "./flow.ts";

const hook = (event: string, command: string, more: string): string =>
  `  ${event}:\n  - extension: git\n    command: ${command}\n${more
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("")}`;

/** As Spec Kit's git extension sets it up, and a mandatory hook for each step. */
const HOOKS = [
  "installed:\n- git\nhooks:\n",
  hook("before_specify", "speckit.git.feature", "optional: false\ndescription: Make a branch"),
  hook("after_specify", "speckit.git.commit", 'optional: true\nprompt: "Commit it? \\n`rm -rf /`"'),
  hook("before_plan", "speckit.check.plan", "optional: false"),
  hook("after_plan", "speckit.check.planned", "optional: false"),
  hook("after_tasks", "speckit.check.tasks", "optional: false\nenabled: false"),
  hook("before_implement", "speckit.check.ready", "optional: false"),
  hook("after_implement", "speckit.check.done", "optional: false"),
  hook("before_clarify", "speckit.git.commit", "optional: true\nprompt: Commit first?"),
].join("");

const FILES = {
  ".specify/extensions.yml": HOOKS,
  ".specify/extensions/git/commands/speckit.check.plan.md": "# Check\n",
};

const DUE = "Before anything else, run the command";

describe("hooks of Spec Kit's extensions", () => {
  it("are told with a phase: what to run before and after it, and what to offer", () => {
    const flow = makeFlow(speckit, FILES);
    const out = flow.prompt("start", "rate-limit", GOAL);
    expect(out).toContain(
      `${DUE} \`/speckit.git.feature\` of the extension git, and wait for its result. The branch: GIT_BRANCH_NAME=001-rate-limit\n\n`,
    );
    expect(out).toContain('may run now: `/speckit.git.commit` (git: "Commit it? `rm -rf /`").\n\n');
    flow.write("spec.md");
    expect(flow.prompt("plan")).toMatch(
      /`\/speckit\.check\.plan` of the extension git, whose text is in \.specify\/extensions\/git\/commands\/speckit\.check\.plan\.md, and wait[\s\S]*\n\nOnce all of this is done, run the command `\/speckit\.check\.planned`/,
    );
    flow.write("plan.md");
    expect(flow.prompt("tasks")).not.toContain("extension");
  });

  it("a branch that is made already is not made again", () => {
    const flow = makeGitFlow(speckit, FILES);
    expect(flow.prompt("start", "rate-limit", GOAL, "--branch")).not.toContain("git.feature");
  });

  it("are named as the client knows them", () => {
    const options = { ".specify/init-options.json": '{"ai":"claude","ai_skills":true}' };
    const flow = makeFlow(speckit, { ...FILES, ...options });
    expect(flow.prompt("start", "rate-limit", GOAL)).toContain("`/speckit-git-feature`");
  });

  it("in quick mode come between the phases, and nothing is offered", () => {
    const flow = makeFlow(speckit, FILES);
    startFlow(speckit, flow, "--quick", "--full", "--no-branch");
    const finish = (document: string, agent: string): string => {
      flow.write(document, document === "tasks.md" ? TASK : written(speckit, document));
      const agent_type = `${speckit.plugin}:${agent}`;
      end(flow, { agent_type, last_assistant_message: "Written." });
      return flow.stop().reason ?? "";
    };
    const plan = finish("spec.md", "product-manager");
    expect(plan).toContain(`${DUE} \`/speckit.check.plan\``);
    expect(plan).not.toMatch(/may run now|check\.planned/);
    expect(finish("plan.md", "architect-reviewer")).toContain(`${DUE} \`/speckit.check.planned\``);
    expect(finish("tasks.md", "task-planner")).toContain(`${DUE} \`/speckit.check.ready\``);
  });

  it("come before the run and after it", () => {
    const flow = startFlow(speckit, makeFlow(speckit, FILES));
    enterPhase(flow, "tasks");
    flow.write("tasks.md", "- [ ] T001 Count\n");
    expect(flow.prompt("implement")).toContain(`${DUE} \`/speckit.check.ready\``);
    expect(finishTask(flow)).toMatch(
      /^Before anything else, run the command `\/speckit\.check\.done`/,
    );
  });

  it("are printed for other commands, and only there", () => {
    const flow = makeFlow(speckit, FILES);
    expect(flow.run(["hooks", "clarify"])).toMatchObject({
      code: 0,
      out: 'Before you begin, tell the user in one line what they may run first: `/speckit.git.commit` (git: "Commit first?"). Do not wait for it.\n',
    });
    expect(flow.run(["hooks", "foo"])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(
        'Spec Kit has no command "foo"; one of: constitution, ',
      ) as string,
    });
    expect(flow.run(["hooks", "analyze"])).toMatchObject({ code: 0, out: "" });
    expect(makeFlow(specum, FILES).run(["hooks", "clarify"])).toMatchObject({ code: 0, out: "" });
  });

  it("a file that cannot be read has none", () => {
    const flow = makeFlow(speckit, { ".specify/extensions.yml": "hooks: [" });
    expect(flow.prompt("start", "rate-limit", GOAL)).not.toContain("extension");
  });
});

/** What the coordinator is told when the only task is done. */
function finishTask(flow: Flow): string {
  send(flow, "T001");
  end(flow, {
    agent_type: `${speckit.plugin}:spec-executor`,
    last_assistant_message: "Done.\n\nTASK_COMPLETE",
  });
  return giveBack(flow, "T001").context ?? "";
}
