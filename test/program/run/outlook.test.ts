import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoScene, DemoStep } from "../../../src/agents/demo/script.ts";
import { specum } from "../../support/editions.ts";
import { runChild } from "../child.ts";
import { written } from "../flow.ts";
import { fillFolder } from "../temporary.ts";
import { makeNight, type Night, PROGRAM } from "./night.ts";
import { fileOf, scene } from "./scenes.ts";

const ROWS = [{ id: "1.1" }, { id: "1.2", verify: "echo done" }];
const CHECKED = `grep -q done ${fileOf("1.1")}`;
const LINE = "2 tasks: 1 can be proven, 1 has a Verify that cannot fail (1.2)";

const kindsOf = ({ events }: Night): string[] => events().map(({ kind }) => kind);
const startedIn = (night: Night): string[] =>
  night.events().flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));

describe("a run of a list", () => {
  it("says what can be proven before the first agent starts, as an object too", async () => {
    const night = makeNight({ rows: ROWS });
    const { events, out } = await night.run();
    const told = events.filter((one) => one.kind === "note" && one.outlook !== undefined);
    expect(told).toMatchObject([
      { text: LINE, outlook: { open: 2, provable: ["1.1"], vain: [{ id: "1.2" }], unchecked: [] } },
    ]);
    expect(events.indexOf(told[0]!)).toBeLessThan(kindsOf(night).indexOf("attempt-started"));
    expect(out).toContain(JSON.stringify(told[0]));
  });

  it("says it in plain lines", () => {
    const night = makeNight({ rows: ROWS });
    const args = [PROGRAM, "run", "demo", "--agent", "demo", "--plain"];
    const { out } = runChild(process.execPath, args, { cwd: night.root, env: night.env });
    const lines = out.split("\n");
    const at = lines.findIndex((line) => line.includes(LINE));
    expect(at).toBeGreaterThan(-1);
    expect(at).toBeLessThan(lines.findIndex((line) => line.includes("▶ 1.1")));
  });
});

describe("--strict", () => {
  it.each<[string, readonly string[], string]>([
    ["typed", ["--strict"], ""],
    ["typed, in the user's tree", ["--strict", "--here"], ""],
    ["as a setting", [], "strict: true"],
  ])("%s: nothing is begun, and the tasks are named", async (_, args, settings) => {
    const night = makeNight({ rows: ROWS, settings });
    const { code, out } = await night.run(args);
    expect(code).toBe(1);
    expect(out).toContain("these tasks cannot be proven: 1.2 (its Verify cannot fail)");
    expect(out).toContain("smart-ralph tasks lint demo");
    expect(startedIn(night)).toEqual([]);
    expect(night.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(night.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(existsSync(join(night.spec, ".ralph-state.json"))).toBe(false);
  });

  it("lets a list begin that can be proven", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2", tags: "[VERIFY]", verify: CHECKED }],
    });
    expect(await night.run(["--strict"])).toMatchObject({ code: 0 });
  });

  it("asks again about a run that had begun without it", async () => {
    const night = makeNight({ rows: ROWS, scenes: [scene("1.1", [{ run: "sleep 60" }])] });
    const child = night.start();
    const ended = night.wait(child);
    await night.until(({ kind }) => kind === "attempt-started");
    child.kill("SIGKILL");
    await ended;
    const before = night.events();
    const { code, out } = await night.run(["--strict"]);
    expect(code).toBe(1);
    expect(out).toContain("strict is on");
    // What is refused has no events: these are still the killed run's.
    expect(night.events()).toEqual(before);
  });
});

const GOAL = "Count requests and refuse too many";
const task = (id: string, verify: string, tags = ""): string => `- [ ] ${id} ${tags}Count ${id}
  - **Do**: Write ${fileOf(id)}.
  - **Files**: ${fileOf(id)}
  - **Done when**: It says done.
  - **Verify**: \`${verify}\`
  - **Commit**: \`feat: count\`
  - _Requirements: FR-1, AC-1.1, US-1_
`;

/** An agent that writes every document, and at first this list instead of the other. */
function makeGoal(list: string, first = list): Night {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  night.git("rm", "-rq", "specs");
  night.git("commit", "-qm", "no specs");
  const texts = join(night.home, "documents");
  const write = (document: string, text: string, name = document): DemoStep => {
    fillFolder(texts, { [name]: text });
    return { run: `for folder in specs/*/; do cp ${texts}/${name} $folder/${document}; done` };
  };
  const writeList = (text: string, name: string): DemoStep =>
    write("tasks.md", `# Tasks\n\n## Phase 1: All of it\n\n${text}`, name);
  const ready: DemoStep = { report: "Here it is.\nDOCUMENT_READY" };
  const planning: DemoStep[] = [
    writeList(list, "list.md"),
    { first: 1, count: night.counter("lists"), steps: [writeList(first, "first.md")] },
    ready,
  ];
  const scenes = specum.phases.map(({ document }): DemoScene => ({
    when: `/${document} for `,
    attempts: [
      document === "tasks.md" ? planning : [write(document, written(specum, document)), ready],
    ],
  }));
  night.scenes([...scenes, { when: "# Last review of ", attempts: [[{ report: "REVIEW_PASS" }]] }]);
  return night;
}

describe("a run from a goal", () => {
  it("says it once the plan is written, and does not count a [GUARD] that nobody declared", async () => {
    const night = makeGoal(task("1.1", CHECKED, "[GUARD] "));
    const { events, code } = await night.run([], GOAL);
    const told = events.findIndex((one) => one.kind === "note" && one.outlook !== undefined);
    expect(events[told]).toMatchObject({ text: "1 task: it can be proven" });
    const first = events.findIndex((one) => one.kind === "attempt-started" && one.task === "1.1");
    const planned = events.findLastIndex(
      (one) => one.kind === "attempt-ended" && one.task === "tasks.md",
    );
    expect([planned < told, told < first, code]).toEqual([true, true, 0]);
  });

  it("with --strict, has the plan written again, and then begins", async () => {
    const night = makeGoal(task("1.1", CHECKED), task("1.1", "echo done"));
    expect(await night.run(["--strict"], GOAL)).toMatchObject({ code: 0 });
    const jobs = startedIn(night);
    expect(jobs.filter((job) => job === "tasks.md").length).toBeGreaterThan(1);
    expect(jobs).toContain("1.1");
  });

  it("with --strict, ends before the first task if the plan does not get better, and says what to change", async () => {
    const night = makeGoal(task("1.1", "echo done"));
    const { code, events } = await night.run(["--strict"], GOAL);
    expect(code).toBe(1);
    const end = events.at(-1);
    expect(end).toMatchObject({ kind: "run-ended", status: "stuck" });
    expect(end).toHaveProperty(
      "text",
      expect.stringContaining("1.1 cannot be proven, and strict is on"),
    );
    expect(startedIn(night)).not.toContain("1.1");
  });

  it("with --strict, does not begin to plan if nothing can be proven anyway", async () => {
    const night = makeGoal(task("1.1", CHECKED));
    night.settings("verify_before: false");
    const { code, out } = await night.run(["--strict"], GOAL);
    expect(code).toBe(1);
    expect(out).toContain("nothing can be proven, because verify_before is false");
    expect(startedIn(night)).toEqual([]);
  });
});
