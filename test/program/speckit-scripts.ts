import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { speckit } from "../support/editions.ts";
import { enterPhase, type Flow, makeFlow, makeGitFlow, nameIn, startFlow } from "./flow.ts";

export interface Prerequisites {
  readonly code: number | null;
  /** What it printed as JSON, if it succeeded. */
  readonly said: Readonly<Record<string, unknown>>;
  readonly err: string;
}

/** `check-prerequisites.sh --json` with further options, run in a folder of the project. */
export type CheckPrerequisites = (
  flow: Flow,
  options: readonly string[],
  cwd?: string,
) => Prerequisites;

const PLACES = {
  "a new project": {},
  "a project that Spec Kit has set up": { ".specify/templates/spec-template.md": "# Spec\n" },
};

/** What Spec Kit's own commands need before they begin, after ours have run. */
export function describeScripts(check: CheckPrerequisites): void {
  const require = ["--require-tasks", "--include-tasks"];

  describe.each(Object.entries(PLACES))("in %s", (_what, files) => {
    const begin = (make: typeof makeFlow): Flow => {
      const flow = make(speckit, files);
      const isSetUp = Object.keys(files).length > 0;
      return startFlow(speckit, isSetUp ? flow.at(nameIn(speckit), "specs") : flow);
    };

    it.each([
      ["without git", makeFlow],
      ["in git", makeGitFlow],
    ] as const)(
      "every phase of ours leaves what the next one of Spec Kit's needs, %s",
      (_, make) => {
        const flow = begin(make);
        const { folder, root } = flow;
        expect(check(flow, ["--paths-only"]).said).toEqual({
          REPO_ROOT: root,
          BRANCH: nameIn(speckit),
          FEATURE_DIR: folder,
          FEATURE_SPEC: join(folder, "spec.md"),
          IMPL_PLAN: join(folder, "plan.md"),
          TASKS: join(folder, "tasks.md"),
        });
        expect(check(flow, [])).toMatchObject({ code: 1, err: expect.stringMatching(/plan\.md/) });
        enterPhase(flow, "tasks");
        expect(check(flow, []).said).toEqual({ FEATURE_DIR: folder, AVAILABLE_DOCS: [] });
        expect(check(flow, require)).toMatchObject({
          code: 1,
          err: expect.stringMatching(/tasks\.md/),
        });
        for (const document of ["research.md", "data-model.md", "contracts/a.md", "quickstart.md"])
          flow.write(document, "x\n");
        flow.write("tasks.md");
        expect(check(flow, require).said).toEqual({
          FEATURE_DIR: folder,
          AVAILABLE_DOCS: [
            "research.md",
            "data-model.md",
            "contracts/",
            "quickstart.md",
            "tasks.md",
          ],
        });
      },
    );
  });

  it("also on another branch, from a subfolder, and after the run", () => {
    const flow = startFlow(speckit, makeGitFlow(speckit));
    enterPhase(flow, "tasks");
    flow.write("tasks.md", "- [ ] T001 Count\n");
    flow.git.git("switch", "-q", "-c", "something-else");
    const below = join(flow.root, "src/deep");
    mkdirSync(below, { recursive: true });
    expect(check(flow, require, below).said).toMatchObject({ FEATURE_DIR: flow.folder });
    flow.prompt("implement");
    expect(flow.slash(["cancel"]).code).toBe(0);
    expect(check(flow, require).said).toMatchObject({ FEATURE_DIR: flow.folder });
  });

  it("follows new and switch, and fails rather than create an archived feature again", () => {
    const flow = startFlow(speckit);
    expect(flow.type("new", "bulk-export", "Export all of it").code).toBe(0);
    const second = join(dirname(flow.folder), "002-bulk-export");
    expect(check(flow, ["--paths-only"]).said).toMatchObject({ FEATURE_DIR: second });
    flow.slash(["switch", nameIn(speckit)]);
    expect(check(flow, ["--paths-only"]).said).toMatchObject({ FEATURE_DIR: flow.folder });
    expect(flow.slash(["cancel", "--delete-spec", "--yes"]).code).toBe(0);
    expect(check(flow, ["--paths-only"]).code).toBe(1);
    expect(existsSync(flow.folder)).toBe(false);
  });
}
