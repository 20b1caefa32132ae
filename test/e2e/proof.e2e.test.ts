import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { blocks, hookAnswers } from "./hooks.ts";
import { repoRoot } from "./install.ts";
import { busy, tickLine } from "./players.ts";
import { fewLayouts, type Project } from "./project.ts";
import { expectFinished, perform, stageClient, stageModel, stageProject } from "./stage.ts";
import {
  checkedTasks,
  evidenceIn,
  insist,
  outputOf,
  sentBackIn,
  team,
  toldToRun,
  work,
  workLine,
} from "./team.ts";
import { bash } from "./wire.ts";

const subjects = (project: Project): string[] =>
  project.git("log", "--reverse", "--format=%s").trim().split("\n").slice(1);

/** The files of the commit with this subject. */
const filesOf = (project: Project, subject: string): string[] =>
  project.git("log", "--all", "--format=", "--name-only", `--grep=^${subject}$`).trim().split("\n");

/** What somebody finds out who has nothing but a clone. */
function proveInClone(project: Project, name: string) {
  const clone = join(project.home, name);
  project.git("clone", "--quiet", project.root, clone);
  const program = join(repoRoot, "bin/smart-ralph.cjs");
  const { status, stdout } = spawnSync(process.execPath, [program, "prove", "--json"], {
    cwd: clone,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: join(project.home, `${name}-home`) },
  });
  const { specs } = JSON.parse(stdout) as {
    specs: { tasks: { id: string; verdict: string }[] }[];
  };
  const verdicts = specs.flatMap(({ tasks }) => tasks.map(({ id, verdict }) => [id, verdict]));
  return { status, verdicts: Object.fromEntries(verdicts) as Record<string, string> };
}

describe.each(fewLayouts)("$id: proof is bound to a commit", (layout) => {
  test("executors that commit nothing or half are told what to run, and a clone proves it again", async () => {
    const project = stageProject(layout, 2, checkedTasks());
    const [forgets, halves] = project.ids as [string, string];
    const notes = project.tasksFile.replace("tasks.md", ".progress.md");
    const { script, started } = team(project, {
      executor({ id, turn, told, worked }) {
        if (worked) return "Wrote it.\n\nTASK_COMPLETE";
        if (turn > 1) return { call: [bash(toldToRun(told))] };
        const file = outputOf(id);
        const write = `echo ${id} > ${file}; echo "- ${id} is easy" >> ${notes}`;
        if (id === forgets) return { call: [bash(write)] };
        const some = `git add ${file} && git commit -qm half -- ${file} ${notes}`;
        return { call: [bash(`${write}; echo "${id}'s" > 'the rest.txt'; ${some}`)] };
      },
    });
    // Order, wait, notification for each task; an executor works, reports, commits and reports.
    const model = await stageModel(script, { main: 6, sub: 8 });
    const run = await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(started).toHaveLength(2);

    const [none, half, ...more] = sentBackIn(run.events);
    const both = `${notes} ${outputOf(forgets)}`;
    expect(none).toContain(
      `${forgets} is not committed: ${both.replace(" ", ", ")}. Run \`git add -- ${both} && git commit -m '${forgets} Write part ${forgets}' -- ${both}\``,
    );
    expect(half).toContain(
      `${halves} is not committed: "the rest.txt". Its Files do not name "the rest.txt": if the task needs that, run \`git add -- 'the rest.txt' && git commit`,
    );
    expect(half).not.toContain(outputOf(halves));
    expect(more).toEqual([]);

    expect(project.git("status", "--porcelain")).toBe("");
    const titles = project.ids.map((id) => `${id} Write part ${id}`);
    expect(subjects(project)).toEqual([titles[0], "half", titles[1], "docs(demo): all tasks done"]);
    const commits = titles.map((title) =>
      project.git("log", "--format=%H", `--grep=^${title}$`).trim(),
    );
    expect(project.ids.map((id) => evidenceIn(project, id))).toEqual(
      commits.map((commit) => [
        expect.objectContaining({ commit, tree: "clean", outcome: "passed" }),
      ]),
    );

    const [first, second] = project.ids as [string, string];
    expect(proveInClone(project, "clone")).toEqual({
      status: 0,
      verdicts: { [first]: "proven-again", [second]: "proven-again" },
    });
    project.git("rm", "--quiet", outputOf(second));
    project.git("commit", "--quiet", "-m", "tidy up");
    expect(proveInClone(project, "later")).toEqual({
      status: 1,
      verdicts: { [first]: "proven-again", [second]: "broken-since" },
    });
  });
});

describe.each(fewLayouts)("$id: proof", (layout) => {
  test("two executors with one index, and a user who left files uncommitted", async () => {
    const project = stageProject(layout, 2, checkedTasks(["[P]", "[P]"]));
    project.write("sub/README.md", "the user's own words\n");
    project.write("todo.txt", "the user's own list\n");
    const staged = new Set<string>();
    const { script, started } = team(project, {
      async executor({ id, turn, told, worked }) {
        if (!worked && turn === 1)
          return {
            call: [bash(`echo ${id} > ${outputOf(id)}; ${insist(`git add ${outputOf(id)}`)}`)],
          };
        staged.add(id);
        // Each reports when the work of both is in the index.
        while (staged.size < 2) await sleep(20);
        if (worked) return "Wrote it.\n\nTASK_COMPLETE";
        return { call: [bash(insist(toldToRun(told)))] };
      },
    });
    // The group, and the end.
    const model = await stageModel(script, { main: 2, sub: 8 });
    const run = await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(started).toHaveLength(2);
    expect(sentBackIn(run.events)).toHaveLength(2);
    for (const id of project.ids) {
      expect(filesOf(project, `${id} Write part ${id}`)).toEqual([outputOf(id)]);
      expect(evidenceIn(project, id)).toEqual([
        expect.objectContaining({
          outcome: "passed",
          tree: "dirty",
          dirty: expect.arrayContaining(["sub/README.md", "todo.txt"]),
        }),
      ]);
    }
    expect(sentBackIn(run.events).join()).not.toMatch(/README|todo/);
    expect(project.git("status", "--porcelain")).toBe(" M sub/README.md\n?? todo.txt\n");
    expect(project.read("sub/README.md")).toBe("the user's own words\n");
    expect(project.read("todo.txt")).toBe("the user's own list\n");
    expect(project.progress()).toMatch(/\| \w{9} \(dirty\) \|/);
  });

  test("boxes ticked by hand: nothing done is not believed, done and committed is", async () => {
    const project = stageProject(layout, 4, checkedTasks());
    const tickAll = project.ids.map((id) => tickLine(project, id)).join(" && ");
    const model = await stageModel(
      (ask) =>
        ask.result === undefined ? { call: [bash(tickAll)] } : "Done.\n\nALL_TASKS_COMPLETE",
      { main: 4 },
    );
    const run = await perform(project, model, project.slash("implement --max-task-iterations 2"));
    const [handedOut, ...others] = blocks(run.events).map(({ reason }) => reason);
    expect(others).toEqual([]);
    expect(handedOut).toContain(
      `(attempt 2 of 2; last: ${project.ids[0]} is not done: nothing has changed since it was handed out`,
    );
    const last = hookAnswers(run.events, "Stop").at(-1)?.systemMessage ?? "";
    expect(last).toContain(`stopped, demo: task ${project.ids[0]} failed in all 2 attempts`);
    expect(last).not.toMatch(/finished|done in/);
    expect(project.open()).toEqual(project.ids);
    expect(project.state()).toBeDefined();
    expect(project.program("status")).toMatch(/^demo .*stopped: /);

    const working = project.ids.map(workLine);
    const honest = [...working, tickAll].join(" && ");
    const later = await stageModel(
      (ask) =>
        ask.result === undefined ? { call: [bash(honest)] } : "Done.\n\nALL_TASKS_COMPLETE",
      { main: 2 },
    );
    await perform(project, later, project.slash("resume"));
    expectFinished(project);
    for (const id of project.ids)
      expect(evidenceIn(project, id)).toEqual([
        expect.objectContaining({ outcome: "passed", tree: "clean" }),
      ]);
  });

  test("killed in the middle of a task: the next session hears what lies there", async () => {
    const project = stageProject(layout, 2, checkedTasks());
    const [id] = project.ids as [string, string];
    const killed = team(project, {
      executor({ worked }) {
        if (!worked) return { call: [bash("echo half > test.js")] };
        client.kill();
        return "Nobody hears this.";
      },
    });
    const model = await stageModel(killed.script, { main: 1, sub: 2 });
    const client = await stageClient(project, model, { prompt: project.slash("implement") });
    expect((await client.done).signal).toBe("SIGKILL");
    expect(project.program("status")).toContain(project.slash("resume"));

    const { script } = team(project, {
      executor({ worked, id: task }) {
        if (worked) return "Wrote it.\n\nTASK_COMPLETE";
        return task === id ? { call: [bash(`rm test.js; ${workLine(id)}`)] } : work(task);
      },
    });
    const later = await stageModel(script, { main: 3, sub: 4 });
    await perform(project, later, project.slash("resume"));
    expect(later.asks.find(({ asker }) => asker === "sub")?.order).toMatch(
      new RegExp(`${id} was started at .*\\d\\d:\\d\\d.* and not finished; uncommitted: test\\.js`),
    );
    expectFinished(project);
  });

  test("commits of notes are not progress", async () => {
    const project = stageProject(layout, 2, checkedTasks());
    const note = "date >> notes.md; git add notes.md && git commit -qm 'a line of notes'";
    // The turn that begins, and stall_limit (3) continuations.
    const model = await stageModel(busy(note), { main: 2 + 3 * 2 });
    const run = await perform(project, model, project.slash("implement"));
    const { decision, systemMessage } = hookAnswers(run.events, "Stop").at(-1) ?? {};
    expect(decision).toBeUndefined();
    expect(systemMessage).toContain("stopped, demo: no progress in 3 continuations at Task 1/2");
    expect(subjects(project).length).toBeGreaterThan(2);
    expect(project.open()).toEqual(project.ids);
    expect(project.program("status")).toMatch(/^demo .*stopped: /);
  });
});
