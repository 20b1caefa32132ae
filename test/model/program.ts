import type { Edition } from "../../src/layouts/layout.ts";
import { agreeToAll, type Agreement, NOTHING, questionOf } from "../../src/run/agreement.ts";
import { planDone } from "../../src/run/claim/claim-outcome.ts";
import { judgeClaim } from "../../src/run/claim/judge-claim.ts";
import { judgeEvidence } from "../../src/run/claim/verification.ts";
import { decide } from "../../src/run/decide.ts";
import type { Disk, Write } from "../../src/run/decision.ts";
import type { Entry, EventName } from "../../src/run/journal.ts";
import { type Now } from "../../src/run/loop.ts";
import { planRun, planRepair } from "../../src/run/plan-run.ts";
import { defaultSettings, type Settings } from "../../src/run/settings.ts";
import type { Raw } from "../../src/run/state.ts";
import { decisionsIn, applyDecisions, whoseRun } from "../../src/run/trust.ts";
import { diskOf, listOf, TOKEN, type Who, type World } from "./world.ts";

export const now: Now = { at: "2026-01-01T00:00:00.000Z", runId: "run" };

/** The parts of the program that decide. A test may put a broken one in place of each. */
export interface Rules {
  readonly decide: typeof decide;
  readonly planRun: typeof planRun;
  readonly planRepair: typeof planRepair;
  readonly planDone: typeof planDone;
  readonly judgeClaim: typeof judgeClaim;
  readonly judgeEvidence: typeof judgeEvidence;
  readonly applyDecisions: typeof applyDecisions;
  readonly questionOf: typeof questionOf;
  /** Whether an agent may do itself what is its user's to say. */
  readonly trustsAgents: boolean;
  /** Whether a run that was on and has disappeared is reported. */
  readonly missesRuns: boolean;
  /** Whether only the user begins a run: where there is none of theirs, and after one that has ended. */
  readonly knowsRuns: boolean;
}

export const rules: Rules = {
  decide,
  planRun,
  planRepair,
  planDone,
  judgeClaim,
  judgeEvidence,
  applyDecisions,
  questionOf,
  trustsAgents: false,
  missesRuns: true,
  knowsRuns: true,
};

export interface Setting {
  readonly layout: Edition;
  readonly settings: Settings;
  readonly rules: Rules;
}

export const settingOf = (layout: Edition, stallLimit: number, own: Rules = rules): Setting => ({
  layout,
  settings: { ...defaultSettings, stallLimit },
  rules: own,
});

/** A process that dies after so many writes leaves the rest undone. */
export type Writes = number;
export const ALL: Writes = Number.POSITIVE_INFINITY;

/** As the store writes: tasks first, then the journal that counts, and the state last. */
export function apply(
  world: World,
  setting: Setting,
  tasks: string | undefined,
  writes: readonly Write[],
  { most = ALL, base }: { most?: Writes; base?: Raw } = {},
): World {
  const file = base === undefined ? disk(world, setting).state : { kind: "ok" as const, raw: base };
  const steps: ((at: World) => World)[] = [];
  if (tasks !== undefined) steps.push((at) => ({ ...at, tasks }));
  for (const { state, evidence: _, agent: __, ...entry } of writes) {
    const { runToken: ___, ...raw } = {
      ...(file.kind === "ok" ? file.raw : {}),
      ...(state === "remove" ? {} : state),
    } as Raw;
    const held = file.kind === "ok" ? decisionsIn(raw) : world.last?.held;
    steps.push((at) =>
      append(at, { at: now.at, ...entry, ...(held === undefined ? {} : { held }) }),
    );
    if (state === undefined) continue;
    const signed = world.known ? { ...raw, runToken: TOKEN } : raw;
    const text = state === "remove" ? undefined : JSON.stringify(signed);
    steps.push((at) => ({ ...at, state: text }));
  }
  return steps.slice(0, most).reduce((at, step) => step(at), world);
}

const VERDICTS: ReadonlySet<EventName> = new Set([
  "done",
  "accepted",
  "ticked",
  "refused",
  "failed",
  "undone",
]);

export function append(world: World, entry: Entry): World {
  const { task, event } = entry;
  const verdicts =
    task !== undefined && VERDICTS.has(event)
      ? { ...world.verdicts, [task]: event }
      : world.verdicts;
  const waits = ASKS.has(event) || (world.memory.waits && !GOES.has(event));
  const memory = waits === world.memory.waits ? world.memory : { ...world.memory, waits };
  return { ...world, last: entry, verdicts, memory };
}

const ASKS: ReadonlySet<EventName> = new Set(["paused", "awaiting"]);
const GOES: ReadonlySet<EventName> = new Set([
  "start",
  "resume",
  "approved",
  "finished",
  "cancelled",
  "lost",
]);

export const disk = (
  world: World,
  { layout, settings, rules: { applyDecisions: hold } }: Setting,
): Disk => diskOf(world, layout, settings, hold);

/** Commands refuse a run that was not begun on this machine. */
export const isStranger = (before: Disk, who: Who): boolean =>
  before.state.kind !== "absent" && whoseRun(before, who) === "stranger";

export const agreementOf = ({ tasks }: World): Agreement =>
  tasks === undefined ? NOTHING : agreeToAll(listOf(tasks));

export const openIds = ({ tasks }: World): string[] =>
  tasks === undefined
    ? []
    : listOf(tasks)
        .tasks.filter((task) => !task.checked)
        .map((task) => task.id);
