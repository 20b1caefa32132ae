import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { commandAfter } from "../../src/layouts/phases.ts";
import { layouts, specum } from "../support/editions.ts";
import {
  enterPhase,
  type Flow,
  makeFlow,
  makeGitFlow,
  nameIn,
  startFlow,
  TASK,
  written,
} from "./flow.ts";
import { expectRefusal, userFileOf } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const files = (flow: Flow, rev = "HEAD"): string[] =>
  flow.git.git("show", "--format=", "--name-only", rev).split("\n").sort();

describe.each(layouts)("$plugin submit", (layout) => {
  const [first] = layout.phases as [Phase];
  const folder = `${layout.specsDirs[0]}/${nameIn(layout)}`;

  it.each(layout.phases)("takes a whole $document, and waits for approval", (phase) => {
    const flow = startFlow(layout);
    enterPhase(flow, phase.name);
    flow.write(phase.document);
    const { code, out } = flow.call("submit");
    expect(out).toContain(`${phase.document} is complete and waits for the user's approval.`);
    expect(out).toContain(`/${layout.plugin}:${commandAfter(layout.phases, phase)} approves it`);
    expect(code).toBe(0);
    expect(flow.state()).toMatchObject({
      phase: phase.name,
      awaitingApproval: true,
      approvalReason: `${phase.document} is ready`,
    });
    expect(flow.entries().at(-1)).toMatchObject({
      event: "awaiting",
      note: `${phase.document} is ready`,
    });
    expect(flow.stop(), "the agent may stop").toEqual({});
  });

  it("refuses what is not finished, counts, and in the end sends the agent to the user", () => {
    const flow = startFlow(layout);
    expect(flow.call("submit").out).toContain(
      `${first.document} does not exist. Write it from its`,
    );
    const text = written(layout, first.document).replace("Said in a sentence.", "TBD");
    flow.write(first.document, text);
    const { code, out } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toContain("TBD is still open.");
    expect(out).toContain(
      `Send this back to \`${layout.plugin}:${first.agent}\`, then submit again`,
    );
    expect(flow.json(["submit"])).toMatchObject({ code: 1, ok: false, round: 3 });
    expect(flow.call("submit").out).toContain("tell the user what is missing, and end your turn");
    expect(flow.entries().map(({ event }) => event)).toEqual([
      "phase",
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
    expect(flow.entries().at(-1)?.loop.attempts).toEqual({ [first.document]: 4 });
    expect(flow.state()).toMatchObject({ awaitingApproval: false });
    flow.write(first.document);
    expect(flow.call("submit").code).toBe(0);
    expect(flow.entries().at(-1)?.loop.attempts).toEqual({});
  });

  it("checks tasks against the requirements, and by lint", () => {
    const flow = startFlow(layout);
    enterPhase(flow, "tasks");
    const wrong = TASK.replace("FR-1, AC-1.1, US-1", "FR-9") + TASK;
    flow.write("tasks.md", `# Tasks\n\n## Phase 1: x\n\n${wrong}`);
    const { findings } = flow.json(["submit"]) as unknown as { findings: string[] };
    expect(findings.join("\n")).toMatch(/FR-9/);
    expect(findings.join("\n")).toMatch(/1\.1.*twice|1\.1.*more than once|id 1\.1/i);
    flow.write("tasks.md", "# Tasks\n\nNone.\n");
    expect(flow.json(["submit"])["findings"]).toEqual([
      expect.stringContaining("tasks.md has no tasks"),
    ]);
  });

  it("can be repeated, and is for a phase only", () => {
    const flow = startFlow(layout);
    flow.write(first.document);
    expect(flow.call("submit").code).toBe(0);
    expect(flow.call("submit").code).toBe(0);
    expect(flow.state()).toMatchObject({ awaitingApproval: true });
    flow.write("tasks.md");
    flow.prompt("implement");
    expectRefusal(flow.call("submit"), EXIT.missing, /is not in a phase that ends with a document/);
    flow.slash(["cancel"]);
    expectRefusal(flow.call("submit"), EXIT.missing, /is not running/);
    expectRefusal(makeFlow(layout).call("submit"), EXIT.missing);
  });

  it("commits the document and the notes, and nothing else that is staged or changed", () => {
    const flow = startFlow(layout, makeGitFlow(layout));
    flow.git.write({ "staged.ts": "1", "code.ts": "changed", [`${folder}/sketch.md`]: "mine" });
    flow.git.git("add", "staged.ts");
    flow.write(first.document);
    const answer = flow.json(["submit"]);
    expect(answer).toMatchObject({ code: 0, commit: flow.git.git("rev-parse", "--short", "HEAD") });
    expect(files(flow)).toEqual(
      [".progress.md", first.document, ...(first.beside ?? [])]
        .map((name) => `${folder}/${name}`)
        .sort(),
    );
    expect(flow.git.git("log", "-1", "--format=%s")).toBe(
      `docs(${nameIn(layout)}): ${first.name === "specify" ? "spec" : first.name}`,
    );
    expect(flow.git.git("status", "--porcelain").split("\n")).toEqual([
      " M code.ts",
      "A  staged.ts",
      `?? ${folder}/sketch.md`,
    ]);
    expect(flow.call("submit").out, "nothing is new").not.toContain("commit");
  });

  it.each([
    ["--no-commit-spec", ["--no-commit-spec"], ""],
    ["auto_commit_spec: false", [], "---\nauto_commit_spec: false\n---\n"],
  ])("commits nothing with %s", (_, args, settings) => {
    const flow = makeGitFlow(layout, settings === "" ? {} : { [layout.settingsFile]: settings });
    startFlow(layout, flow, ...args);
    flow.write(first.document);
    expect(flow.json(["submit"])).not.toHaveProperty("commit");
    expect(flow.git.git("log", "--format=%s")).toBe("begin");
  });

  it("commits only the document if the notes are ignored, and nothing if the folder is", () => {
    const flow = startFlow(layout, makeGitFlow(layout, { ".gitignore": ".progress.md\n" }));
    flow.write(first.document);
    expect(flow.json(["submit"])).toHaveProperty("commit");
    expect(files(flow)).toEqual(
      [first.document, ...(first.beside ?? [])].map((name) => `${folder}/${name}`).sort(),
    );
    const all = startFlow(layout, makeGitFlow(layout, { ".gitignore": `${folder}/\n` }));
    all.write(first.document);
    const answer = all.json(["submit"]);
    expect(answer).toMatchObject({ code: 0 });
    expect(answer).not.toHaveProperty("commit");
    expect(answer).not.toHaveProperty("notCommitted");
  });

  it("in quick mode leaves approval, counts and commit to the end of the turn", () => {
    const flow = startFlow(layout, makeGitFlow(layout), "--quick");
    expect(flow.call("submit").code).toBe(EXIT.refused);
    flow.write(first.document);
    expect(flow.call("submit").out).toContain("End your turn; the next phase is handed to you.");
    expect(flow.state()).toMatchObject({ awaitingApproval: false, phase: first.name });
    expect(flow.entries().map(({ event }) => event)).toEqual(["phase"]);
  });
});

describe("a commit that cannot be made", () => {
  const [first] = specum.phases as [Phase];

  /** A document is accepted all the same, and the index is as it was. */
  function expectUncommitted(flow: Flow, why: RegExp): void {
    const index = flow.git.git("diff", "--cached", "--name-only");
    const commits = flow.git.git("rev-list", "--count", "--all");
    flow.write(first.document);
    const answer = flow.json(["submit"]);
    expect(answer).toMatchObject({ code: 0, ok: true });
    expect(answer["notCommitted"]).toMatch(why);
    expect(flow.state()).toMatchObject({ awaitingApproval: true });
    expect(flow.git.git("diff", "--cached", "--name-only")).toBe(index);
    expect(flow.git.git("rev-list", "--count", "--all")).toBe(commits);
  }

  it.each(["merge", "rebase", "cherry-pick"])("in the middle of a %s", (operation) => {
    const flow = startFlow(specum, makeGitFlow(specum));
    flow.git.git("switch", "-q", "-c", "other");
    flow.git.write({ "code.ts": "theirs\n" });
    flow.git.git("commit", "-q", "-am", "theirs");
    flow.git.git("switch", "-q", "main");
    flow.git.write({ "code.ts": "ours\n" });
    flow.git.git("commit", "-q", "-am", "ours");
    expect(() => flow.git.git(operation, "other")).toThrow();
    flow.git.git("checkout", "-q", "--ours", "code.ts");
    flow.git.git("add", "code.ts");
    expectUncommitted(flow, new RegExp(`in the middle of a ${operation}`));
  });

  it("because another git holds the index", () => {
    const flow = startFlow(specum, makeGitFlow(specum));
    writeFileSync(join(flow.root, ".git/index.lock"), "");
    flow.write(first.document);
    expect(flow.json(["submit"])["notCommitted"]).toMatch(/index\.lock/);
  });
});

describe("a commit", () => {
  const [first] = specum.phases as [Phase];

  it("runs no hooks of the repository that check code", () => {
    const flow = startFlow(specum, makeGitFlow(specum));
    for (const hook of ["pre-commit", "commit-msg"]) {
      const path = join(flow.root, ".git/hooks", hook);
      writeFileSync(path, "#!/bin/sh\nexit 1\n");
      chmodSync(path, 0o755);
    }
    flow.write(first.document);
    expect(flow.json(["submit"])).toHaveProperty("commit");
  });

  it("is made in our own name where git knows nobody", () => {
    const env = {
      GIT_CONFIG_NOSYSTEM: "1",
      EMAIL: "",
      GIT_AUTHOR_NAME: "",
      GIT_COMMITTER_NAME: "",
    };
    const flow = startFlow(specum, makeGitFlow(specum, {}, env));
    flow.write(first.document);
    expect(flow.json(["submit"])).toMatchObject({ code: 0, commit: expect.any(String) });
    expect(flow.git.git("log", "-1", "--format=%an <%ae>")).toBe(
      "Smart Ralph <smart-ralph@localhost>",
    );
  });

  it("is made on a detached HEAD, in a work tree, and where untracked files are not shown", () => {
    const flow = makeGitFlow(specum);
    flow.git.git("config", "status.showUntrackedFiles", "no");
    flow.git.git("checkout", "-q", "--detach");
    startFlow(specum, flow);
    flow.write(first.document);
    expect(flow.json(["submit"])).toHaveProperty("commit");
  });

  it("goes into the repository that the spec's folder belongs to", () => {
    const flow = makeGitFlow(specum, {
      ".gitignore": "docs\n",
    });
    const docs = makeGitFlow(specum);
    fillFolder(flow.root, {
      [userFileOf(specum)]: `---\nspecs_dirs: [docs, ${docs.root}]\n---\n`,
    });
    symlinkSync(docs.root, join(flow.root, "docs"));
    expect(flow.typeJson("start", "rate-limit")).toMatchObject({ path: "./docs/rate-limit" });
    docs.git.write({ "rate-limit/research.md": written(specum, "research.md") });
    const head = flow.git.git("rev-parse", "HEAD");
    expect(flow.json(["submit"])).toHaveProperty("commit");
    expect(files(docs)).toEqual(["rate-limit/.progress.md", "rate-limit/research.md"]);
    expect(flow.git.git("rev-parse", "HEAD")).toBe(head);
  });
});
