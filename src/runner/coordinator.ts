import { noteReturn } from "../engine/agent-return.ts";
import { amendVerify } from "../engine/amend-verify.ts";
import {
  checkClean,
  countAtEnd,
  type RecheckFailure,
  writeChecked,
} from "../engine/check-clean.ts";
import { delegate } from "../engine/delegate.ts";
import { hearDocument } from "../engine/hear-document.ts";
import { hearReview } from "../engine/hear-review.ts";
import { noteEnd } from "../engine/note-end.ts";
import { rareStop } from "../engine/rare-stop.ts";
import { recordFailure } from "../engine/record-failure.ts";
import type { Request } from "../engine/request.ts";
import { type RareStop, stopRun } from "../engine/stop.ts";
import { verifyElsewhere } from "../engine/verify-elsewhere.ts";
import { withRun } from "../engine/with-run.ts";
import type { HostReturn } from "../hosts/host.ts";
import { EXECUTION } from "../layouts/layout.ts";
import type { Outcome } from "../run/decision.ts";
import { bareLine } from "../run/event-lines.ts";
import type { Entry } from "../run/journal.ts";
import { isWaiting, type State } from "../run/state.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import type { Reported } from "./do-job.ts";
import { type Job, planExhausted, planJobs } from "./jobs.ts";
import type { CheckGround, LastCheck } from "./last-check.ts";
import { settleSpec, weighReport } from "./patient.ts";

export type Due =
  | { readonly kind: "jobs"; readonly jobs: readonly Job[] }
  | { readonly kind: "finished" }
  /** These tasks have used all their attempts; others may go on. */
  | { readonly kind: "exhausted"; readonly jobs: readonly Job[] }
  /** The engine goes no further by itself. */
  | { readonly kind: "halted"; readonly outcome: Outcome; readonly say: string };

/** What an agent that has ended used. */
export interface Used extends Pick<HostReturn, "usd" | "source"> {
  /** As `--agent` names it. */
  readonly agent: string;
  readonly tokens: number | null;
  readonly ms: number | null;
  readonly model: string | null;
}

/**
 * The coordinator of one spec, in code: asks the engine what is next, gets the agents' orders from it and passes their
 * reports on, as the model does in a client.
 */
export class Coordinator {
  readonly spec: Spec;
  readonly session: string;
  private readonly request: Request;
  private readonly note: (text: string | undefined) => void;

  /** `request` has the authority of whoever started the run; what agents say is passed on with an agent's. */
  constructor(request: Request, spec: Spec, session: string, tell: (text: string) => void) {
    this.spec = spec;
    this.session = session;
    this.note = (text) => text !== undefined && tell(text);
    this.request = { ...request, caller: { session, authority: "agent" } };
  }

  private get event() {
    return { sessionId: this.session, cwd: this.spec.project.root };
  }

  get list(): TaskList | undefined {
    const { tasks } = readDisk(this.spec);
    return tasks.kind === "ok" ? tasks.list : undefined;
  }

  private get state(): State {
    const { state } = readDisk(this.spec);
    return state.kind === "ok" ? state.state : {};
  }

  /** Whether tasks are done, and no longer documents. */
  isExecuting = (): boolean => this.state.phase === EXECUTION;

  isWaiting = (): boolean => isWaiting(this.state);

  /** What `begin` or the last decision handed out. Decides nothing itself. */
  due(): Due {
    return { kind: "jobs", jobs: planJobs(this.spec, this.request.now()) };
  }

  /** Why a task failed last. */
  lastFailure({ id }: Job): string {
    const failed = readAllEntries(this.spec).findLast(
      ({ event, task }) => task === id && event === "failed",
    );
    return failed?.note ?? "";
  }

  /** Counts a task's attempts from one again, because the user answered what stood in its way. */
  retry(id: string): void {
    withRun(this.request, this.spec, ({ loop, apply }) => {
      const { [id]: _, ...attempts } = loop.attempts;
      apply({ event: "ready", task: id, loop: { ...loop, attempts, ready: "", told: null } });
    });
  }

  /** Replaces a Verify that an agent calls wrong. False if only the user may. */
  amend({ id }: Job, command: string, reason: string): boolean {
    const { mayAmend } = readDisk(this.spec).record ?? {};
    return (
      mayAmend === true &&
      amendVerify(this.request, this.spec, id, command, reason).kind === "amended"
    );
  }

  settle = (): Promise<void> => settleSpec(this.request, this.spec);

  /** Decides what is next, as at the end of a turn in a client and with the same bounds. No agent is at work now. */
  async next(lastCheck: LastCheck): Promise<Due> {
    for (let round = 0; round < MAX_SETTLING; round++) {
      await this.settle();
      const checked = await lastCheck();
      if (checked === "again") continue;
      if (typeof checked === "object")
        return { kind: "halted", outcome: "exhausted", say: checked.stuck };
      if (checked === "holds") this.note(await writeChecked(this.request, this.spec));
      const answer = this.decide();
      if (answer === "unsettled") continue;
      const { outcome } = answer;
      const say = bareLine(answer.say ?? "");
      if (outcome === "finished") return { kind: "finished" };
      if (outcome === "exhausted") {
        const jobs = planExhausted(this.spec, this.request.now());
        // No tasks: a document was sent back too often, and there is nothing to ask about.
        return jobs.length === 0 ? { kind: "halted", outcome, say } : { kind: "exhausted", jobs };
      }
      if (GOES_ON.has(outcome)) {
        // Quick mode has just moved on to execution: the first tasks are not ready yet.
        if (outcome === "phase") await this.settle();
        return this.due();
      }
      return { kind: "halted", outcome, say };
    }
    throw new Error("what was done since the last turn could not be checked");
  }

  /** How many tasks the last check covers; undefined before the end. */
  countAtEnd = (): Promise<number | undefined> => countAtEnd(this.request, this.spec);

  /** Reopens the tasks that fail there, except those that were ticked before the run. */
  checkIn(
    checkout: CheckGround,
    tell: (task: Task, command: string) => void,
  ): Promise<readonly RecheckFailure[]> {
    return checkClean(this.request, this.spec, checkout, tell);
  }

  private decide(): ReturnType<typeof stopRun> | "unsettled" {
    const { layout } = this.spec.project;
    let isUnsettled = false;
    const rare: RareStop = {
      ...rareStop,
      settle: () => {
        isUnsettled = true;
        return [];
      },
      hear: () => ({}),
    };
    const stopped = { ...this.event, continuing: false, message: null, agentsRunning: 0 };
    const ports = { now: this.request.now(), loadRare: () => rare, readLastMessage: () => null };
    try {
      return stopRun(layout, this.spec, stopped, ports);
    } catch (error) {
      // `stopRun` settles ticks synchronously, which we cannot: `next` settles them, then decides again.
      if (isUnsettled) return "unsettled";
      throw error;
    }
  }

  /** The orders for a job's agent, or why no agent may be started. */
  orders(job: Job, callId: string): { readonly orders: string } | { readonly denied: string } {
    const sent = delegate(
      this.spec,
      {
        ...this.event,
        callId,
        agentType: job.type,
        prompt: job.role === "execution" || job.role === "verification" ? job.id : "",
        description: "",
        isNested: false,
      },
      this.request.now(),
      true,
    );
    if (sent.kind === "sent") return sent;
    return { denied: sent.kind === "denied" ? sent.reason : "the run has another session now" };
  }

  /** Judges an agent's report; returns the journal's entry about it. */
  async hear(job: Job, { agentId, report, ...rest }: Reported): Promise<Entry | undefined> {
    const heard = this.reportOf(job, agentId, report);
    if (job.role === "planning") this.note(hearDocument(this.request, this.spec, heard).note);
    else if (job.role === "review") hearReview(this.request, this.spec, heard);
    else await weighReport(this.request, this.spec, job.id, { ...heard, ...rest });
    return this.lastOn(agentId);
  }

  /** The journal's last entry about an agent's work. */
  lastOn = (agentId: string): Entry | undefined =>
    readAllEntries(this.spec).findLast((one) => one.agent === agentId && one.event !== "returned");

  private reportOf(job: Job, agentId: string, report: string) {
    return { ...this.event, agentId, agentType: job.type, report };
  }

  /** Runs a task's Verify in another tree. Returns why it fails, if it does. */
  tryIn = (job: Job, root: string): Promise<string | undefined> =>
    verifyElsewhere(this.request, this.spec, job.id, root);

  /** Records an attempt that produced no report. */
  fail(job: Job, agentId: string, reason: string): void {
    if (job.role === "execution" || job.role === "verification")
      recordFailure(this.request, this.spec, { id: job.id, reason, agent: agentId, isGone: true });
    else if (job.role === "review")
      hearReview(this.request, this.spec, this.reportOf(job, agentId, ""));
  }

  /** Records why nobody works on the spec any more, for `status`. */
  ended(why: string): void {
    noteEnd(this.spec, this.session, this.request.now(), () => ["session-ended", why]);
  }

  /** Removes an agent that has ended from the loop's record, and notes what it used. */
  returned(callId: string, agentId: string, used: Used): void {
    const ended = { ...this.event, callId, agentId, isOver: true, toolUses: null, ...used };
    noteReturn(this.spec, ended, { now: this.request.now() });
  }
}

const GOES_ON: ReadonlySet<Outcome> = new Set(["continue", "sent-back", "phase", "review"]);

/** How often boxes are checked before one decision, if somebody keeps ticking them. */
const MAX_SETTLING = 5;
