import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoScene, DemoStep } from "../../../src/agents/demo/script.ts";
import { specum } from "../../support/editions.ts";
import { written } from "../flow.ts";
import { fillFolder } from "../temporary.ts";
import { makeNight, type Night } from "./night.ts";
import { fileOf, listOf, scene } from "./scenes.ts";

const ROWS = ["1.1", "1.2", "1.3"].map((id) => ({ id, tags: id === "1.1" ? "" : "[P]" }));

const LIST = listOf(ROWS).replaceAll(
  /^ {2}- \*\*Commit/gm,
  "  - _Requirements: FR-1, AC-1.1, US-1_\n$&",
);

/** As a model does it, with plain commands. */
const commits = (id: string, message: string): DemoStep[] => [
  { write: fileOf(id), text: "done\n" },
  { run: `git add ${fileOf(id)} && git commit -qm '${message}'` },
  { report: "It is done.\nTASK_COMPLETE" },
];

const MERGES: DemoStep[] = [
  { run: "git switch -qc side && git commit -q --allow-empty -m side && git switch -q -" },
  { run: "git commit -q --allow-empty -m main && git merge -q --no-edit side" },
  { run: "git branch -qD side" },
];

/** A new machine, a project with one commit and without specs, and an agent that writes the documents too. */
function makeFirstNight(): Night {
  const night = makeNight({ rows: [], identity: false });
  night.git("rm", "-rq", "specs");
  night.git("commit", "-q", "--amend", "-m", "begin");
  const texts = join(night.home, "documents");
  const scenes = specum.phases.map(({ document }): DemoScene => {
    const text = document === "tasks.md" ? LIST : written(specum, document);
    fillFolder(texts, { [document]: text });
    return {
      when: `/${document} for `,
      attempts: [
        [
          { run: `for folder in specs/*/; do cp ${texts}/${document} $folder; done` },
          { report: "Here it is.\nDOCUMENT_READY" },
        ],
      ],
    };
  });
  night.scenes([
    ...scenes,
    scene("1.1", [...MERGES, ...commits("1.1", "feat: one")]),
    scene("1.2", commits("1.2", "feat: two")),
    // Its work is committed for it.
    scene("1.3", [{ write: fileOf("1.3"), text: "done\n" }, ...commits("1.3", "x").slice(2)]),
    { when: "# Last review of ", attempts: [[{ report: "no findings\nREVIEW_PASS" }]] },
  ]);
  return night;
}

describe("where git knows nobody", () => {
  it("a whole run commits in our name, and so do its agents", async () => {
    const night = makeFirstNight();
    const plain = { cwd: night.root, env: night.env, stdio: "pipe" } as const;
    expect(() => execFileSync("git", ["commit", "--allow-empty", "-mx"], plain)).toThrow(
      /identity/,
    );
    const ended = await night.run(["--parallel", "2"], "Write three files and say done in each");
    const refused = ended.events.filter(({ kind }) => kind === "refused");
    expect({ code: ended.code, refused, err: ended.err }).toMatchObject({ code: 0, refused: [] });
    const branch = night.git("branch", "--list", "smart-ralph/*", "--format=%(refname)");
    const names = night.git("log", "--format=%an <%ae> %cn", `main..${branch}`).split("\n");
    expect(new Set(names)).toEqual(new Set(["Smart Ralph <smart-ralph@localhost> Smart Ralph"]));
    const subjects = night.git("log", "--format=%s", `main..${branch}`);
    for (const one of ["feat: one", "feat: two", "Merge branch 'side'", ": design"])
      expect(subjects).toContain(one);
    // The user's branch has moved on, so taking is a merge.
    night.commit({ "mine.txt": "mine\n" }, "mine");
    expect(night.cli("take")).toMatchObject({ code: 0 });
    expect(night.git("log", "-1", "--format=%an %P").split(" ").length).toBe(4);
    expect(night.git("status", "--porcelain")).toBe("");
  });

  it("the name that is set is kept", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }],
      identity: false,
      scenes: [scene("1.1", commits("1.1", "feat: one"))],
    });
    night.git("config", "user.name", "Una");
    night.git("config", "user.email", "una@example.com");
    expect((await night.run()).code).toBe(0);
    const names = night.git("log", "--format=%an %cn", "main..smart-ralph/demo").split("\n");
    expect(new Set(names)).toEqual(new Set(["Una Una"]));
  });
});

it("documents that are not committed are no task's work, and nobody is told to remove them", async () => {
  const edits: DemoStep = { run: "echo more >> specs/demo/design.md; echo new > specs/demo/x.md" };
  const night = makeNight({
    rows: ROWS,
    settings: "auto_commit_spec: false",
    scenes: ["1.2", "1.3"].map((id) => scene(id, [edits, ...commits(id, `feat: ${id}`)])),
  });
  fillFolder(night.spec, { "design.md": "# Design\n" });
  const { code, events } = await night.run(["--parallel", "2"]);
  expect(events.filter(({ kind }) => kind === "refused")).toEqual([]);
  expect(code).toBe(0);
  expect(night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo", "specs")).not.toContain(
    "design",
  );
});
