import type { Ending } from "../../src/agents/port.ts";
import type { TaskClass } from "../../src/run/claim/verdict.ts";
import type { PricedUsage, Role, RunEvent, RunNews, TaskLine } from "../../src/runner/events.ts";

const MINUTE = 60_000;
const SPEC = "user-export";
/** In local time, because views show local times. */
const START = new Date(2026, 10, 16, 1, 0, 0).getTime();

/** What every event has besides its time. */
export const HEAD = { run: "2026-11-16-0200-ab12", seq: 1 } as const;

const TITLES: Readonly<Record<string, string>> = {
  "1.1": "Add an export module with its own settings",
  "1.2": "Write rows as CSV with quoting that spreadsheets read",
  "1.3": "Stream large exports instead of building them in memory",
  "1.4": "[VERIFY] types, lint and unit tests pass",
  "2.1": "[P] Add the export route and its permission check",
  "2.2": "[P] Add a button to the list of users, with a busy state",
  "2.3": "[P] Describe the file format in docs/export.md",
  "2.4": "[VERIFY] the route, the button and the docs agree",
  "3.1": "Send a mail with a link when an export takes longer than a minute",
  "3.2": "Remove finished exports after seven days",
  "3.3": "导出的文件名含有日期 and the name of the user, in any script 🎉",
  "3.4": "[VERIFY] everything passes end to end",
};

/** Points in the made-up night at which the views are tested. */
export type Moment = "parallel" | "limit" | "question" | "end";

export interface RunLog {
  readonly events: readonly RunEvent[];
  /** Everything up to that point, and its time. */
  readonly until: (moment: Moment) => {
    readonly events: readonly RunEvent[];
    readonly now: string;
  };
}

interface Attempt {
  readonly task: string;
  readonly attempt?: number;
  readonly agent?: string;
  readonly role?: Role;
  readonly actions?: readonly string[];
  readonly ms?: number;
  readonly usd?: number | null;
}

/**
 * A made-up but realistic night: 12 tasks by two agents, with refusals, a usage limit, a question, tasks at the same
 * time, a merge conflict, an agent that hangs, a task that is skipped, and a budget that runs out.
 */
export function makeRunLog({ spec = SPEC, began = START, tree = "/home/me/tree" } = {}): RunLog {
  const events: RunEvent[] = [];
  const moments = new Map<Moment, { readonly count: number; readonly now: string }>();
  const states: Record<string, TaskLine["state"]> = {};
  const classes: Record<string, TaskClass> = {};
  let clock = began;

  const iso = (): string => new Date(clock).toISOString();
  const say = (news: RunNews, after = 0): void => {
    clock += after;
    events.push({ ...HEAD, seq: events.length + 1, at: iso(), ...news } as RunEvent);
  };
  const mark = (moment: Moment): void =>
    void moments.set(moment, { count: events.length, now: iso() });
  const plan = (): void =>
    say({
      kind: "plan",
      spec,
      branch: `smart-ralph/${spec}`,
      tree,
      tasks: Object.entries(TITLES).map(([id, title]) => ({
        id,
        title,
        state: states[id] ?? "open",
        class: classes[id] ?? "open",
      })),
    });
  const about = ({ task, attempt = 1 }: Attempt) => ({ spec, task, attempt });
  const spentBy = ({ usd = 0.3, agent }: Attempt, part = 1): PricedUsage => ({
    tokens: {
      input: Math.round(90_000 * part),
      cached: Math.round(70_000 * part),
      output: Math.round(4000 * part),
    },
    usd: usd === null ? null : usd * part,
    source: usd === null ? "unknown" : agent === "codex" ? "prices" : "agent",
  });

  const begin = (one: Attempt): void =>
    say({
      kind: "attempt-started",
      ...about(one),
      of: 5,
      role: one.role ?? "execution",
      title: TITLES[one.task] ?? one.task,
      agent: one.agent ?? "claude",
      ...(one.agent === "codex" ? {} : { model: "claude-opus-4-8" }),
    });
  const act = (one: Attempt): void => {
    const actions = one.actions ?? [
      "Read src/export/settings.ts",
      "Edit src/export/csv.ts",
      "Bash npm test",
    ];
    for (const [i, text] of actions.entries()) {
      say({ kind: "action", ...about(one), text }, (one.ms ?? 3 * MINUTE) / (actions.length + 1));
      say({ kind: "usage", ...about(one), spent: spentBy(one, (i + 1) / (actions.length + 1)) });
    }
  };
  const end = (one: Attempt, ending: Ending = { kind: "turn" }): void =>
    say(
      {
        kind: "attempt-ended",
        ...about(one),
        ending,
        ms: one.ms ?? 3 * MINUTE,
        spent: spentBy(one),
      },
      (one.ms ?? 3 * MINUTE) / ((one.actions?.length ?? 3) + 1),
    );
  const verify = (one: Attempt, command = "npm test -- export"): void =>
    say({ kind: "verifying", ...about(one), command }, 400);
  const finish = (one: Attempt, before: "failed" | "unknown" = "failed"): void => {
    states[one.task] = "done";
    const proof =
      before === "failed"
        ? ({ class: "proven" } as const)
        : ({ class: "checked", weakness: "a check by design" } as const);
    classes[one.task] = proof.class;
    const commit = `${one.task.replace(".", "")}f3a91c1207bd4e${"0".repeat(24)}`;
    say({ kind: "done", ...about(one), before, after: "passed", commit, ...proof }, 7000);
    plan();
  };
  const work = (one: Attempt): void => {
    begin(one);
    act(one);
    end(one);
    verify(one);
  };
  const refuse = (one: Attempt, reason: string): void =>
    say({ kind: "refused", ...about(one), reason }, 5000);

  say({
    kind: "run-started",
    version: "4.7.0",
    pid: 4242,
    agents: ["claude", "codex"],
    parallel: 2,
    budget: { usd: 6, ms: 8 * 60 * MINUTE },
    sandbox: "none",
    options: ["--agent", "claude,codex", "--max-cost", "6"],
  });
  plan();
  work({ task: "1.1", usd: 0.21 });
  finish({ task: "1.1" });
  work({ task: "1.2", usd: 0.34 });
  refuse(
    { task: "1.2" },
    'Verify failed: `npm test -- csv` exited with 1: expected "a;b" to be quoted',
  );
  work({ task: "1.2", attempt: 2, usd: 0.28 });
  finish({ task: "1.2", attempt: 2 });

  const limited = { task: "1.3", ms: MINUTE, usd: 0.05 };
  const until = new Date(clock + 90 * MINUTE).toISOString();
  begin(limited);
  act(limited);
  end(limited, { kind: "limit", resetsAt: until, text: "You've hit your limit" });
  say({ kind: "limit", agent: "claude", until, text: "You've hit your limit" });
  say({ kind: "agent-changed", from: "claude", to: "codex", why: "usage limit" });
  const byCodex = { task: "1.3", agent: "codex", usd: 0.19, ms: 4 * MINUTE };
  begin(byCodex);
  act(byCodex);
  mark("limit");
  end(byCodex);
  verify(byCodex);
  finish(byCodex);
  work({ task: "1.4", agent: "codex", role: "verification", usd: 0.04, ms: MINUTE });
  finish({ task: "1.4" }, "unknown");

  const left = {
    task: "2.1",
    agent: "codex",
    actions: ["apply_patch src/routes/export.ts"],
    usd: 0.22,
  };
  const right = { task: "2.2", agent: "codex", actions: ["npm run storybook -- --ci"], usd: null };
  begin(left);
  begin(right);
  act(left);
  act(right);
  mark("parallel");
  end(right);
  states["2.2"] = "waits";
  say({
    kind: "question",
    spec,
    task: "2.2",
    id: 1,
    text: "The list has two layouts. Should the button be in both, or only in the table?",
    options: ["both", "table"],
  });
  plan();
  mark("question");
  end(left);
  verify(left);
  say({ kind: "conflict", ...about(left), files: ["src/routes/index.ts"] });
  say(
    { kind: "note", text: "2.1 is in the run's branch (2ac81d0), and is being checked there" },
    20_000,
  );
  finish(left);
  say({ kind: "merged", ...about(left), commit: "2ac81d0" });
  begin({ task: "2.3", agent: "codex" });
  say({ kind: "retry", spec, task: "2.3", attempt: 1, text: "503, try 2 of 5" }, 5000);
  end(
    { task: "2.3", agent: "codex", ms: 10 * MINUTE, usd: 0.02 },
    { kind: "stopped", by: "silence" },
  );
  say({ kind: "swept", count: 2 });
  work({ task: "2.3", attempt: 2, agent: "codex", usd: 0.11 });
  refuse(
    { task: "2.3", attempt: 2 },
    "nothing was committed: docs/export.md is changed but not in a commit",
  );
  work({ task: "2.3", attempt: 3, agent: "codex", usd: 0.09 });
  finish({ task: "2.3", attempt: 3 });
  say({ kind: "paused" }, 2000);
  say({ kind: "resumed" }, 60_000);
  say({ kind: "answered", spec, id: 1, answer: "both" });
  states["2.2"] = "open";
  work({ task: "2.2", attempt: 2, usd: 0.4 });
  finish({ task: "2.2", attempt: 2 });
  const asked = "2.4 has a Verify that you have not approved: `npm test`";
  say({ kind: "approval", spec, text: asked, todo: "smart-ralph approve user-export" });
  say({ kind: "approved", spec });
  states["3.1"] = "skipped";
  classes["3.1"] = "skipped";
  say({ kind: "skipped", spec, task: "3.1" });
  plan();
  say({
    kind: "waiting",
    until: new Date(clock + 5 * MINUTE).toISOString(),
    why: "the service is busy",
  });
  clock += 5 * MINUTE;
  begin({ task: "3.2" });
  act({ task: "3.2", usd: 3.9 });
  end({ task: "3.2", usd: 3.9 }, { kind: "stopped", by: "budget" });
  say({ kind: "budget", text: "$6.00 of $6.00 are spent" });
  say({
    kind: "note",
    text: "the half-done attempt at 3.2 is kept at refs/smart-ralph/aside/user-export/3.2/1",
  });
  say({
    kind: "run-ended",
    status: "budget",
    done: Object.values(states).filter((state) => state === "done").length,
    total: Object.keys(TITLES).length,
    text: "the budget of $6.00 is used up",
  });
  mark("end");

  return {
    events,
    until(moment) {
      const { count, now } = moments.get(moment) ?? { count: events.length, now: iso() };
      return { events: events.slice(0, count), now };
    },
  };
}
