import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { blocks, hookAnswers } from "./hooks.ts";
import { CLIENTS, CURRENT, MIDDLE, OLD, OLDEST } from "./install.ts";
import { byHand, byProgram, worker } from "./players.ts";
import { keptProgress, layouts } from "./project.ts";
import {
  expectFinished,
  logStops,
  perform,
  stageClient,
  stageModel,
  stageProject,
} from "./stage.ts";
import { checkedTasks, IDLE, team, work } from "./team.ts";
import { bash } from "./wire.ts";

/** The same few scenarios with every client, for `docs/compatibility.md`; all others run with the newest. */

const [specum, speckit] = layouts;

/** What differs from client to client and matters to us. A client that changes fails here, and then the page is updated. */
interface Facts {
  /** A stop says which agents still run. Where it does not, they run in the foreground. */
  readonly background: boolean;
  /** Commands that the agent runs know their session. */
  readonly session: boolean;
}

const facts: Readonly<Record<(typeof CLIENTS)[number], Facts>> = {
  [OLDEST]: { background: false, session: false },
  [OLD]: { background: false, session: false },
  [MIDDLE]: { background: true, session: true },
  [CURRENT]: { background: true, session: true },
};

describe.each(CLIENTS)("Claude Code %s", (version) => {
  test("six tasks to their end, with permission checks on", async () => {
    const project = stageProject(specum, 6);
    logStops(project);
    const model = await stageModel(worker(project, byProgram), { main: 12 });
    const extra = { version, permissions: "ask" } as const;
    const run = await perform(project, model, project.slash("implement"), extra);
    expectFinished(project);
    const openings = blocks(run.events).map(({ reason }) => reason?.split("\n")[0]);
    expect(openings).toEqual(
      [2, 3, 4, 5, 6].map((n) => `Continue spec: demo (Task ${n}/6, Iter ${n})`),
    );
    expect(run.code).toBe(0);

    const told = project.read("stops.log");
    expect(told).toContain('"last_assistant_message":"TASK_COMPLETE"');
    expect(told.includes('"background_tasks":')).toBe(facts[version].background);
    // The client gives the hook a place to keep what the engine compiled.
    expect(
      readdirSync(project.home, { recursive: true, encoding: "utf8" }).filter((name) =>
        /hook-[^/]*\.cache$/.test(name),
      ),
    ).toHaveLength(1);
  });

  test("a false claim is sent back, while another session is left alone", async () => {
    const project = stageProject(speckit, 3);
    const bystander = await stageModel(() => "Hello.", { main: 1 });
    const honest = worker(project, byProgram, async (_ask, id) => {
      if (id !== project.ids[1]) return undefined;
      const before = project.journal().length;
      const other = await perform(project, bystander, "hello", { version });
      expect(blocks(other.events)).toEqual([]);
      expect(project.journal()).toHaveLength(before);
      return undefined;
    });
    const model = await stageModel(
      (ask) => (ask.call === 1 ? "All is done.\n\nALL_TASKS_COMPLETE" : honest(ask)),
      { main: 7 },
    );
    await perform(project, model, project.slash("implement"), { version });
    const sentBack = model.asks.find((ask) => ask.asker === "main" && ask.call === 2);
    for (const id of project.ids) expect(sentBack?.text).toContain(id);
    expect(bystander.calls.main).toBe(1);
    expectFinished(project);
  });

  test("a state that turns corrupt is reported once; what the user types is run", async () => {
    const project = stageProject(specum, 3);
    const model = await stageModel(
      worker(project, byHand, (_ask, id) => {
        if (id !== project.ids[1]) return undefined;
        project.writeState('{"phase": "execution", "taskInd');
        return "Oops.";
      }),
      // One task, the turn that breaks the state, and the answers to the report, to status, cancel and hello.
      { main: 2 + 1 + 1 + 3 },
    );
    const client = await stageClient(project, model, { version });
    await client.say(project.slash("implement"));
    const reports = blocks(client.events).filter(({ reason }) =>
      reason?.includes(project.slash("cancel")),
    );
    expect(reports).toHaveLength(1);
    expect(project.open()).toEqual(project.ids.slice(1));

    await client.say(project.slash("status"));
    expect(model.asks.at(-1)?.text).toContain("it is not valid JSON");
    await client.say(project.slash("cancel"));
    expect(project.state()).toBeUndefined();
    await client.say("hello");
    await client.end();
    expect(model.asks.at(-1)?.text).toContain("hello");
    expect(project.open()).toEqual(project.ids.slice(1));
    expect(project.progress().startsWith(keptProgress)).toBe(true);
  });

  test("an executor that lies is sent back by the client itself", async () => {
    const project = stageProject(specum, 2, checkedTasks());
    const [liar] = project.ids as [string];
    const { script, started } = team(project, {
      executor({ id, turn, worked }) {
        const isLie = id === liar && turn === 1;
        if (worked) return isLie ? IDLE : "Wrote it.\n\nTASK_COMPLETE";
        const env = bash(`echo "session:$CLAUDE_CODE_SESSION_ID" > .git/env.txt`);
        return isLie ? { call: [env] } : work(id);
      },
    });
    const { background, session } = facts[version];
    // One call a task, and the end; an executor works and reports, and one lies first, which costs one more. Older
    // clients do not distinguish their agents' calls.
    const calls = background ? { main: 3, sub: 6 } : { main: 3 + 6 };
    const model = await stageModel(script, calls);
    const run = await perform(project, model, project.slash("implement"), { version });
    expectFinished(project);
    expect(started).toEqual(project.ids.map((id) => `${id} spec-executor`));
    const answers = hookAnswers(run.events, "SubagentStop").flatMap(({ reason }) => reason ?? []);
    expect(answers).toEqual([expect.stringContaining(`${liar} is not done: its Verify`)]);
    expect(/^session:\S/.test(project.read(".git/env.txt"))).toBe(session);
  });
});
