import type { RunStanding, InsertPosition } from "../../src/run/change/insert-tasks.ts";
import { type Change, planAddition, planSplit } from "../../src/run/change/plan-change.ts";
import { planFailure } from "../../src/run/change/recovery.ts";
import { planDone } from "../../src/run/claim/claim-outcome.ts";
import { decide } from "../../src/run/decide.ts";
import type { Decision, Disk, Write } from "../../src/run/decision.ts";
import { AT_END, planHandOut, readyKey } from "../../src/run/hand-out.ts";
import { addEntry, answerEntry, EMPTY_INBOX, type Inbox, withInbox } from "../../src/run/inbox.ts";
import { formatEntry, parseLastEntry, parseRecent } from "../../src/run/journal-lines.ts";
import { currentLoop, sumBoxes } from "../../src/run/loop.ts";
import { planRun, planRepair } from "../../src/run/plan-run.ts";
import { defaultSettings } from "../../src/run/settings.ts";
import { formatState, parseState, type Raw } from "../../src/run/state.ts";
import type { Task, TaskList } from "../../src/tasks/model.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { specum } from "./editions.ts";
import { now, SESSION } from "./scene.ts";

const SPEC = { name: "demo", basePath: "./specs/demo" };

/** After how many writes a process dies; none at all, if it lives. A torn one leaves half a line. */
export interface Death {
  readonly after: number;
  readonly torn: boolean;
}

/** A spec in memory: four files, and what hook and commands write to them, in their order. */
export class World {
  tasks: string;
  state: string | undefined;
  journal = "";
  inbox: Inbox = EMPTY_INBOX;

  constructor(tasks: string, state: Raw) {
    this.tasks = tasks;
    this.state = formatState({ phase: "execution", sessionId: SESSION, ...state });
  }

  list(): TaskList {
    return withInbox(parseTasks(this.tasks), this.inbox);
  }

  disk(): Disk {
    return {
      layout: specum,
      settings: defaultSettings,
      spec: SPEC,
      state: this.state === undefined ? { kind: "absent" } : parseState(this.state),
      tasks: { kind: "ok", list: this.list() },
      inbox: this.inbox,
      last: parseLastEntry(this.journal),
      findings: [],
      head: "",
    };
  }

  ask({ id }: Task): void {
    const text = `question ${this.inbox.entries.length}`;
    const added = addEntry(this.inbox, { kind: "question", task: id, text }, 0, now.at);
    if (added.kind === "added") this.inbox = added.inbox;
  }

  answer(): void {
    for (const { id } of this.inbox.entries)
      this.inbox = answerEntry(this.inbox, id, { answer: "yes", by: "user", at: now.at });
  }

  /** What the next stop would be answered. */
  look(message = "Reported."): Decision {
    const event = { sessionId: SESSION, continuing: false, message, agentsRunning: 0 };
    return decide(event, this.disk(), now);
  }

  stop(message?: string, death?: Death): Decision {
    if (this.look(message).outcome === "unsettled") this.settle();
    const decision = this.look(message);
    if (decision.write !== undefined) this.write(undefined, [decision.write], death);
    return decision;
  }

  /** What is ticked counts here: whether it is proven is another test's question. */
  private settle(): void {
    const { spec, list, state, loop } = this.standing() as RunStanding;
    const brief = planHandOut(spec, list, state, loop);
    const ready = brief.current.length === 0 ? AT_END : readyKey(brief);
    const counted = { boxes: sumBoxes(list.tasks), ready };
    this.write(undefined, [{ event: "ready", loop: { ...loop, ...counted } }]);
  }

  /** A run as a command finds it; commands refuse where there is none. */
  standing(): RunStanding | undefined {
    const disk = this.disk();
    if (disk.state.kind !== "ok" || disk.tasks.kind !== "ok") return undefined;
    const { state } = disk.state;
    return {
      spec: SPEC,
      list: disk.tasks.list,
      state,
      loop: currentLoop(state, disk.last, now),
    };
  }

  done(task: Task, death?: Death): void {
    const at = this.standing();
    if (at === undefined || task.checked) return;
    const { tasks, write } = planDone(at, task, "");
    this.write(tasks, [write], death);
  }

  fail(task: Task, reason: string, death?: Death): void {
    const at = this.standing();
    if (at === undefined || task.checked) return;
    const failure = planFailure(at, parseRecent(this.journal), task, { reason });
    this.write(failure.tasks, failure.writes, death);
  }

  split(task: Task, titles: readonly string[], death?: Death): void {
    const at = this.standing();
    if (at !== undefined) this.change(planSplit(at, task, titles, "why"), death);
  }

  add(task: Task, where: InsertPosition, title: string, death?: Death): void {
    const at = this.standing();
    const addition = { title, fields: new Map([["Do", title]]) };
    if (at !== undefined) this.change(planAddition(at, task, where, addition, "why"), death);
  }

  private change(change: Change, death?: Death): void {
    if (change.kind === "changed") this.write(change.tasks, [change.write], death);
  }

  /** What `repair` does (`isNew`: what `resume` does): the state from tasks.md and the journal. */
  repair(isNew = false): void {
    const disk = this.disk();
    const wish = { event: "resume", session: SESSION, fields: {} } as const;
    if (isNew) {
      const { raw, write } = planRun(disk, this.list(), wish, now);
      this.write(undefined, [write], undefined, raw);
    } else this.write(undefined, [planRepair(disk, this.list(), SESSION, now).write]);
  }

  /** As the store does it: tasks first, then the journal, and the state last. */
  private write(
    tasks: string | undefined,
    writes: readonly Write[],
    death?: Death,
    base?: Raw,
  ): void {
    const file = this.disk().state;
    const raw = base ?? (file.kind === "ok" ? file.raw : {});
    const steps: ((isTorn: boolean) => void)[] = [];
    if (tasks !== undefined) steps.push(() => void (this.tasks = tasks));
    for (const { state, ...entry } of writes) {
      const line = formatEntry({ at: now.at, ...entry });
      steps.push((isTorn) => {
        const joint = this.journal === "" || this.journal.endsWith("\n") ? "" : "\n";
        this.journal += joint + (isTorn ? line.slice(0, line.length / 2) : line);
      });
      if (state === undefined) continue;
      const text = state === "remove" ? undefined : formatState({ ...raw, ...state });
      steps.push(() => void (this.state = text));
    }
    // Files are replaced whole; only an appended line can be cut.
    const last = death?.after ?? steps.length;
    for (const [i, step] of steps.slice(0, last).entries()) {
      step(death?.torn === true && i === last - 1);
    }
  }
}
