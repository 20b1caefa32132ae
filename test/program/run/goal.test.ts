import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { specum } from "../../support/editions.ts";
import { GOAL, makeGoal, READY } from "./goal-night.ts";
import { makeNight, type Night } from "./night.ts";

const jobsOf = (night: Night): string[] =>
  night.events().flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));

const DOCUMENTS = specum.phases.map(({ document }) => document);

describe("from a goal", () => {
  it("the documents are written first, then the tasks are done; the user's tree has none of it", async () => {
    const night = makeGoal();
    const { code, events } = await night.run([], GOAL);
    expect({ code, end: events.at(-1) }).toMatchObject({ code: 0, end: { status: "finished" } });
    expect(jobsOf(night)).toEqual([...DOCUMENTS, "1.1", "review"]);
    expect(existsSync(join(night.root, "specs"))).toBe(false);
    const [branch = ""] = night
      .git("branch", "--list", "smart-ralph/*", "--format=%(refname)")
      .split("\n");
    expect(night.git("log", "--format=%s", branch)).toContain("feat: count");
    expect(night.git("show", `${branch}:count.txt`)).toBe("done");
  });

  it("is refused if it is empty, as a variable that is not set", () => {
    const { code, err } = makeGoal({}).cli("run", " ", "--agent", "demo");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("is empty") });
  });

  it("an unfinished document is sent back only a few times", async () => {
    const night = makeGoal({ wrong: { "requirements.md": [READY] } });
    const { code, events } = await night.run([], GOAL);
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: "run-ended", status: "stuck" });
    expect(jobsOf(night).filter((one) => one === "requirements.md").length).toBeLessThan(10);
    expect(jobsOf(night)).not.toContain("design.md");
  });

  it.each<{ name: string; steps: readonly DemoStep[] }>([
    { name: "refuses", steps: [{ end: "refused" }] },
    { name: "crashes", steps: [{ crash: 1 }] },
    { name: "says nothing", steps: [] },
  ])("an agent that $name instead of writing is bounded too", async ({ steps }) => {
    const night = makeGoal({ wrong: { "research.md": steps } });
    const { code, events } = await night.run([], GOAL);
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ kind: "run-ended", status: "stuck" });
    expect(jobsOf(night).length).toBeLessThan(20);
  });

  it.each<{ name: string; steps: readonly DemoStep[] }>([
    { name: "refuses", steps: [{ end: "refused" }] },
    { name: "crashes", steps: [{ crash: 1 }] },
    { name: "gives no verdict", steps: [{ report: "Looks good to me." }] },
  ])(
    "a last review that $name does not pass, and is asked for only a few times",
    async ({ steps }) => {
      const night = makeGoal({ review: steps });
      const { code, events } = await night.run([], GOAL);
      const reviews = jobsOf(night).filter((one) => one === "review").length;
      expect(reviews).toBeGreaterThan(0);
      expect(reviews).toBeLessThan(10);
      expect({ code, end: events.at(-1) }).toMatchObject({ code: 0, end: { status: "finished" } });
    },
  );

  it("stopped in the middle, the same goal goes on with the same documents", async () => {
    const night = makeGoal();
    const child = night.start([], GOAL);
    const ended = night.wait(child);
    await night.until((one) => one.kind === "attempt-started" && one.task === "design.md");
    child.kill("SIGKILL");
    await ended;
    const { code } = await night.run([], GOAL);
    expect(code).toBe(0);
    expect(jobsOf(night)).toEqual([
      ...DOCUMENTS.slice(DOCUMENTS.indexOf("design.md")),
      "1.1",
      "review",
    ]);
    expect(night.git("branch", "--list", "smart-ralph/*").split("\n")).toHaveLength(1);
  });
});

describe("--here", () => {
  it("works in the user's own tree and branch", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2", tags: "[P]" }, { id: "1.3", tags: "[P]" }],
    });
    const { code } = await night.run(["--here", "--parallel", "2"]);
    expect(code).toBe(0);
    expect(night.git("branch", "--format=%(refname:short)")).toBe("main");
    const work = night.git("log", "--format=%s").split("\n");
    expect(work.filter((one) => one.startsWith("feat:"))).toHaveLength(3);
    expect(readFileSync(join(night.spec, "tasks.md"), "utf8")).not.toContain("- [ ]");
    expect(readdirSync(night.root)).toContain("t1-3.txt");
  });
});
