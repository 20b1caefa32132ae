import { Refusal } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import { sameSpecIn } from "../../engine/run-trees.ts";
import type { EpicPlace } from "../../epic/files.ts";
import type { PlannedSpec } from "../../epic/plan.ts";
import { isOpen } from "../../run/inbox.ts";
import { readInbox } from "../../store/inbox.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";
import type { RunContext } from "../context.ts";
import { type DriveEnd, STOPPED } from "../do-job.ts";
import { holdSpec } from "../keep-lease.ts";
import { lostIn } from "../lost.ts";
import type { OpenRun } from "../open-run.ts";
import { openOwnGround } from "../own-ground.ts";
import { countAll, type Counted, runSpec } from "../run-spec.ts";
import { sleepUntil } from "../sleep.ts";
import { openSlots, type Slots } from "../slots.ts";
import { listLines } from "../tell.ts";
import type { Trunk } from "../trees/trunk.ts";
import { comeBack } from "./come-back.ts";
import {
  bringMember,
  bringMembers,
  findIn,
  finishTaking,
  homeFor,
  listSpecTrunks,
  noteAllReturned,
  noteReturned,
  readEpicInTree,
  refuseOwnRun,
  trunkOf,
} from "./epic-tree.ts";
import { isFatal, judgeEpic, listReady, tellEpic } from "./judge-epic.ts";

export type EpicEnd = DriveEnd & Counted;

const LOOK_MS = 1000;

/** A spec that is stuck or waits, with its user's answers at that time: new answers let it go on. */
interface Left {
  readonly end: DriveEnd;
  readonly spec: Spec | undefined;
  readonly answers: string;
}

/**
 * Runs the specs of an epic, independent ones at the same time. Each works in its own tree, begun at the epic's branch,
 * and returns to that branch when all of it is proven.
 */
export const runEpic = (run: OpenRun, place: EpicPlace): Promise<EpicEnd> =>
  holdSpec(run.context, place, async () => {
    const { context } = run;
    const { request, options, stage } = context;
    if (options.here)
      throw new Refusal("usage", "an epic runs in its own work trees", "leave out --here");
    const home = specAt(place.project, place.folder);
    const ground = await openOwnGround(request, home, options);
    let isBegun = false;
    try {
      const trunk = trunkOf(home);
      const { at } = request.now();
      finishTaking(trunk);
      bringMembers(trunk, readEpicInTree(request, trunk, place.name).epic, at);
      noteAllReturned(trunk, at);
      for (const text of ground.notes) stage.emit({ kind: "note", text });
      run.update({ tree: ground.cwd, branch: ground.branch });
      isBegun = true;
      return await new EpicRun(run, trunk, place.name).drive();
    } finally {
      if (lostIn(stage) === undefined) ground.close(!isBegun);
    }
  });

class EpicRun {
  private readonly run: OpenRun;
  private readonly context: RunContext;
  private readonly trunk: Trunk;
  private readonly name: string;
  private readonly request: Request;
  /** Specs return one at a time. */
  private readonly queue: Slots = openSlots(1);
  private readonly running = new Map<string, Promise<void>>();
  private readonly left = new Map<string, Left>();
  private fatal: DriveEnd | undefined;
  private fault: { readonly error: unknown } | undefined;

  constructor(run: OpenRun, trunk: Trunk, name: string) {
    this.run = run;
    this.context = run.context;
    this.trunk = trunk;
    this.name = name;
    const { root } = trunk.project;
    this.request = { ...run.context.request, cwd: root, starts: [root] };
  }

  private get plan() {
    return readEpicInTree(this.request, this.trunk, this.name).plan;
  }

  async drive(): Promise<EpicEnd> {
    const { stage, isAttended, options } = this.context;
    stage.emit({ kind: "note", text: tellEpic(this.name, this.plan) });
    for (;;) {
      for (const [name, { spec, answers }] of this.left)
        if (answers !== readAnswers(spec)) this.left.delete(name);
      if (!this.isEnding) {
        const ready = listReady(this.plan, [...this.running.keys(), ...this.left.keys()]);
        for (const spec of ready.slice(0, options.parallel - this.running.size)) this.start(spec);
      }
      const waits = [...this.left.values()].some(({ spec }) => hasQuestions(spec));
      if (this.running.size === 0 && (this.isEnding || !isAttended || !waits)) break;
      const look = waits ? [sleepUntil(Date.now() + LOOK_MS, [stage.signal])] : [];
      await Promise.race([...this.running.values(), ...look]);
    }
    if (this.fault !== undefined) throw this.fault.error;
    const ends = new Map([...this.left].map(([name, { end }]) => [name, end]));
    const fatal = this.fatal ?? (stage.signal.aborted ? STOPPED : undefined);
    return { ...judgeEpic(this.plan, ends, fatal), ...this.count() };
  }

  private get isEnding(): boolean {
    const { aborted } = this.context.stage.signal;
    return aborted || this.fatal !== undefined || this.fault !== undefined;
  }

  private start(planned: PlannedSpec): void {
    const { name } = planned;
    const work = this.runMember(planned)
      .catch((error: unknown) => {
        if (error instanceof Refusal) return this.leave(name, error);
        this.fault ??= { error };
        return undefined;
      })
      .finally(() => this.running.delete(name));
    this.running.set(name, work);
  }

  private leave(name: string, { message, fix }: Refusal): void {
    const text = oneLine(fix === undefined ? message : `${message}; ${fix}`, 500);
    this.context.stage.emit({ kind: "note", text: `${name}: ${text}` });
    this.left.set(name, { end: { status: "stuck", text }, spec: undefined, answers: "" });
  }

  private async runMember(planned: PlannedSpec): Promise<void> {
    const { context, request, trunk } = this;
    const { at } = request.now();
    const own = homeFor(request, trunk, planned);
    refuseOwnRun(own);
    bringMember(trunk, own, at);
    const home = sameSpecIn(own, trunk.project);
    let inTree: Spec | undefined;
    // Holding the user's own spec keeps others from running it alone meanwhile.
    const end = await holdSpec(context, own, () =>
      runSpec(context, {
        home,
        openGround: (spec) => openOwnGround(context.request, spec, context.options, true),
        goal: planned.goal ?? planned.name.replaceAll("-", " "),
        isGoalTyped: false,
        isAttended: false,
        onSpec: (spec) => {
          inTree = spec;
          this.run.specs.push(spec);
        },
        comeBack: (spec, treeRequest, ground, fence) =>
          this.queue(async () => {
            const { stage } = context;
            const tree = { request: treeRequest, spec, ground, fence };
            const returned = await comeBack({ stage, epic: trunk, home, ...tree });
            if (returned.status === "finished") this.settle(own, home);
            return returned;
          }),
      }),
    ).finally(() => {
      const index = inTree === undefined ? -1 : this.run.specs.indexOf(inTree);
      if (index !== -1) this.run.specs.splice(index, 1);
    });
    const isBack = listReady(this.plan, []).every(({ name }) => name !== planned.name);
    if (isFatal(end)) this.fatal ??= end;
    else if (end.status !== "finished" || !isBack)
      this.left.set(planned.name, { end, spec: inTree, answers: readAnswers(inTree) });
  }

  /** From here on, every spec that returns has to fit with this one. */
  private settle(own: Spec, home: Spec): void {
    const { trunk, context } = this;
    noteReturned(trunk, own, this.request.now().at);
    const { branch } = trunk;
    context.stage.emit({
      kind: "plan",
      spec: home.name,
      branch,
      tree: trunk.project.root,
      tasks: listLines(home),
    });
  }

  /** Counts a spec that has not returned in its own tree. */
  private count(): Counted {
    const trunks = listSpecTrunks(this.trunk);
    const specs = this.plan.specs
      .filter(({ status }) => status !== "cancelled")
      .flatMap(({ name }) => {
        const home = findIn(this.trunk.project, name);
        const own = trunks.find((one) => one.home.folder === home?.folder);
        return own === undefined ? (home ?? []) : trunkOf(own.home).spec;
      });
    return countAll(specs);
  }
}

const hasQuestions = (spec: Spec | undefined): boolean =>
  spec !== undefined && readInbox(spec).entries.some(isOpen);

const readAnswers = (spec: Spec | undefined): string =>
  spec === undefined
    ? ""
    : JSON.stringify(readInbox(spec).entries.map(({ id, answer }) => [id, answer]));
