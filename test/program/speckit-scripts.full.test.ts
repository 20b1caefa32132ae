import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { speckit } from "../support/editions.ts";
import { GIT_ENV } from "../support/repository.ts";
import { PATH, runChild, type Ran } from "./child.ts";
import { enterPhase, type Flow, makeFlow, makeGitFlow, startFlow } from "./flow.ts";
import { describeScripts } from "./speckit-scripts.ts";
import { TEMPLATES } from "./speckit-templates.ts";

/**
 * A checkout of github/spec-kit. Its scripts are not ours to copy, and a test loads nothing from the network, so
 * without one there is nothing to run.
 */
const checkout = process.env["SPEC_KIT"] ?? "";

function install(flow: Flow): void {
  const to = join(flow.root, ".specify/scripts/bash");
  if (!existsSync(to)) cpSync(join(checkout, "scripts/bash"), to, { recursive: true });
}

function runScript(flow: Flow, name: string, args: readonly string[], cwd = flow.root): Ran {
  install(flow);
  return runChild("bash", [join(flow.root, ".specify/scripts/bash", name), ...args], {
    cwd,
    env: { PATH, ...GIT_ENV },
  });
}

function runJson(flow: Flow, name: string, args: readonly string[]): Record<string, unknown> {
  const { code, out, err } = runScript(flow, name, ["--json", ...args]);
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out) as Record<string, unknown>;
}

describe.skipIf(checkout === "")("Spec Kit's own scripts", () => {
  describeScripts((flow, options, cwd) => {
    const args = ["--json", ...options];
    const { code, out, err } = runScript(flow, "check-prerequisites.sh", args, cwd);
    return { code, err, said: code === 0 ? (JSON.parse(out) as Record<string, unknown>) : {} };
  });

  const CORE = {
    ".specify/templates/spec-template.md": "# Spec\n",
    ".specify/templates/plan-template.md": "# Plan\n",
    ".specify/templates/tasks-template.md": "# Tasks\n",
  };

  it("goes on counting where we are, and we where it is", () => {
    const flow = makeGitFlow(speckit, CORE).at("001-rate-limit", "specs");
    startFlow(speckit, flow);
    const made = runJson(flow, "create-new-feature.sh", ["--short-name", "bulk-export", "Export"]);
    expect(made["FEATURE_NUM"]).toBe("002");
    // Ours is in its first phase, so that is still the one that commands without a name mean.
    expect(flow.json(["status"])["spec"]).toBe("001-rate-limit");
    expect(flow.typeJson("new", "third-one", "A third one")["spec"]).toBe("003-third-one");
    expect(flow.typeJson("plan", "bulk-export")["spec"]).toBe("002-bulk-export");
  });

  it.each(Object.entries(TEMPLATES))("resolves templates as we do: %s", (_, files) => {
    const flow = makeFlow(speckit, { ...CORE, ...files }).at("001-rate-limit", "specs");
    startFlow(speckit, flow);
    for (const name of ["spec", "plan", "tasks"])
      expect(flow.json(["template", name])["text"], name).toBe(
        runScript(flow, "resolve-template.sh", [`${name}-template`]).out,
      );
  });

  it("plans and lists tasks for a feature that we began", () => {
    const flow = makeFlow(speckit, CORE).at("001-rate-limit", "specs");
    startFlow(speckit, flow);
    flow.write("spec.md");
    expect(runJson(flow, "setup-plan.sh", [])).toMatchObject({
      IMPL_PLAN: join(flow.folder, "plan.md"),
      BRANCH: "001-rate-limit",
    });
    expect(readFileSync(join(flow.folder, "plan.md"), "utf8")).toBe("# Plan\n");
    enterPhase(flow, "plan");
    expect(runJson(flow, "setup-tasks.sh", [])).toMatchObject({ FEATURE_DIR: flow.folder });
  });
});
