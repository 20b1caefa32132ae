import { describe, expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import { DONE } from "./crew.ts";
import { hookAnswers, linesIn } from "./hooks.ts";
import { fewLayouts } from "./project.ts";
import { expectFinished, perform, stageClient, stageModel, stageProject } from "./stage.ts";
import { evidenceIn, IDLE, outputOf, sentBackIn, team, work, writtenTasks } from "./team.ts";
import { type Answer, bash } from "./wire.ts";

const BROKEN = "grep --no-such-option part out.txt";
const WHY = "grep has no such option";
const fixFor = (id: string): string => `grep -q ${id} ${outputOf(id)}`;

/** What the coordinator is told about a Verify that cannot run: the line that replaces it, and for which task. */
const CANNOT_RUN = /^Its Verify cannot run.*: `(\S+ amend (\S+) --verify '…' --reason '…')`/m;

/** A coordinator that is told so replaces it with the very line that it was given. */
function amend({ text, result }: Ask): Answer | undefined {
  const [, line, id] = (result === undefined && CANNOT_RUN.exec(text)) || [];
  if (line === undefined || id === undefined) return undefined;
  return { call: [bash(line.replace("…", fixFor(id)).replace("…", WHY))] };
}

describe.each(fewLayouts)("$id: a Verify", (layout) => {
  test("is read as its author wrote it", async () => {
    const tasks = [
      { files: "a.md", verify: "`grep -n x a.md` returns nothing", change: "echo z > a.md" },
      { files: "b.md", verify: "`grep -c y b.md` returns 2", change: "echo y >> b.md" },
      { files: "c.md", verify: "`test -f c.md` fails", change: "rm c.md" },
      { files: "d.md", verify: "`test -f d.md || true`", change: "echo d > d.md" },
      { files: "e.md", verify: "Manual test: run `touch ran.txt`", change: "echo e > e.md" },
    ];
    const project = stageProject(layout, tasks.length, writtenTasks(tasks));
    const [silent, counts, fails, vacuous, manual] = project.ids as [string, ...string[]];
    for (const [name, text] of Object.entries({ "a.md": "x", "b.md": "y", "c.md": "" }))
      project.write(name, `${text}\n`);
    project.git("add", ".");
    project.git("commit", "--quiet", "-m", "before");
    const { script } = team(project, {
      executor({ id, turn, worked }) {
        const index = project.ids.indexOf(id);
        // The first three claim it before they have done anything.
        if (worked) return "There it is.\n\nTASK_COMPLETE";
        if (index < 3 && turn === 1) return IDLE;
        const commit = `git add -A ${tasks[index]?.files} && git commit -qm 'change ${id}'`;
        return { call: [bash(`${tasks[index]?.change}; ${commit}`)] };
      },
    });
    // One call a task, and the end; an executor works and reports, and three claim first.
    const model = await stageModel(script, { main: 5 + 1, sub: 5 * 2 + 3 });
    const run = await perform(project, model, project.slash("implement"));
    expectFinished(project);
    expect(sentBackIn(run.events)).toEqual([
      expect.stringContaining(
        `${silent} is not done: its Verify \`grep -n x a.md\` failed: it should print nothing, and printed "1:x"`,
      ),
      expect.stringContaining(
        `${counts} is not done: its Verify \`grep -c y b.md\` failed: it should print 2, and printed 1`,
      ),
      expect.stringContaining(
        `${fails} is not done: its Verify \`test -f c.md\` failed: it passed, and should fail`,
      ),
    ]);
    for (const id of [silent, counts, fails])
      expect(project.progress()).toMatch(new RegExp(`^\\| ${id} .*\\| failed \\| passed \\|`, "m"));

    expect(evidenceIn(project, vacuous as string)).toEqual([
      expect.objectContaining({ outcome: "passed", doubt: expect.stringContaining("|| true") }),
    ]);
    expect(project.progress()).toMatch(
      new RegExp(`^\\| ${vacuous} \\| checked: its Verify proves nothing: .*\\| passed \\|`, "m"),
    );
    expect(evidenceIn(project, manual as string)).toBeUndefined();
    expect(project.has("ran.txt")).toBe(false);
    expect(linesIn(run.events).at(-1)).toContain(
      "all 5 tasks done in 5 turns; 3 proven, 1 checked, 1 reported",
    );
    expect(project.program("status")).toContain(
      "5 of 5 tasks done: 3 proven, 1 checked, 1 reported",
    );
  });

  test("that cannot run is told before an attempt, and replaced once the user approves", async () => {
    const broken = writtenTasks([{ files: "out.txt", verify: `\`${BROKEN}\`` }]);
    const project = stageProject(layout, 1, broken);
    const [id] = project.ids as [string];
    const { script, started } = team(project, {
      instead: amend,
      executor: ({ worked }) => (worked ? "Wrote it.\n\nTASK_COMPLETE" : work(id)),
    });
    // The amendment, the answer to approve, the task and the end.
    const model = await stageModel(script, { main: 2 + 1 + 2, sub: 2 });
    const client = await stageClient(project, model, {});
    await client.say(project.slash("implement"));
    expect(model.asks[0]?.text).toContain("> grep: unrecognized option '--no-such-option'");
    expect(started).toEqual([]);
    expect(project.state()).toMatchObject({ awaitingApproval: true });
    expect(hookAnswers(client.events, "Stop").at(-1)).toMatchObject({
      systemMessage: expect.stringMatching(
        `waiting for you: ${id} has a Verify that you have not approved: \`${fixFor(id)}\`; ${project.slash("approve")}`,
      ),
    });

    await client.say(project.slash("approve"), DONE);
    await client.end();
    expectFinished(project);
    expect(started).toEqual([`${id} spec-executor`]);
    // The new one was tried before the work too, and is the one that counts.
    expect(project.progress()).toMatch(
      new RegExp(
        `^\\| ${id} \\| proven \\| 1 \\| \`${fixFor(id)}\` \\| failed \\| passed \\|`,
        "m",
      ),
    );
    expect(project.progress()).toContain(`- ${id}: \`${BROKEN}\` became \`${fixFor(id)}\`: ${WHY}`);
  });

  test("is replaced at once if the user allowed it, but never by an executor's edit", async () => {
    const strict = "grep -q two out-2.txt";
    const project = stageProject(
      layout,
      2,
      writtenTasks([
        { files: "out.txt", verify: `\`${BROKEN}\`` },
        { files: "out-2.txt", verify: `\`${strict}\`` },
      ]),
    );
    const [broken, weakened] = project.ids as [string, string];
    const { script, started } = team(project, {
      instead: amend,
      executor({ id, worked }) {
        if (worked) return id === weakened ? IDLE : "Wrote it.\n\nTASK_COMPLETE";
        if (id === broken) return work(id);
        // The user has agreed to that command, for the other task, and it passes.
        const file = project.path(project.tasksFile);
        const edit = `sed -i.bak 's/${strict}/${fixFor(broken)}/' '${file}' && rm '${file}.bak'`;
        return { call: [bash(edit)] };
      },
    });
    // The amendment, one call a task, and the end.
    const model = await stageModel(script, { main: 2 + 2 + 1, sub: 2 * 2 });
    const run = await perform(project, model, project.slash("implement --allow-amend"));
    expect(started).toEqual([`${broken} spec-executor`, `${weakened} spec-executor`]);
    expect(project.open()).toEqual([weakened]);
    expect(evidenceIn(project, broken)).toEqual([
      expect.objectContaining({ command: fixFor(broken), outcome: "passed" }),
    ]);

    // What was run for the other task is its own Verify, before the work.
    const ran = project.journal().filter(({ task, evidence }) => task === weakened && evidence);
    expect(ran).toMatchObject([{ event: "before", evidence: [{ command: strict }] }]);
    expect(project.state()).toMatchObject({ awaitingApproval: true });
    expect(hookAnswers(run.events, "Stop").at(-1)?.systemMessage).toContain(
      `${weakened} has a Verify that you have not approved: \`${fixFor(broken)}\``,
    );
  });
});
