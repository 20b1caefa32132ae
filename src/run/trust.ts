import type { Disk } from "./decision.ts";
import type { EvidencePolicy } from "./claim/evidence.ts";
import type { UserDecisions } from "./journal.ts";
import type { Settings } from "./settings.ts";
import { LIMITS, type Raw, type State, type StateFile } from "./state.ts";

/** What this machine knows of a run, kept in a folder of the user's own, where no clone can bring it along. */
export interface RunRecord {
  /** Random, and the same as in the state. */
  readonly token: string;
  /** What decides, for whoever started the run, which programs their commands mean: PATH and its like. */
  readonly env?: Readonly<Record<string, string>>;
  /** How much proof the user asked for: an agent may point us at other settings. */
  readonly evidence?: EvidencePolicy;
}

const STRICTNESS: readonly EvidencePolicy[] = ["off", "recorded", "required"];

/** The stricter of what the settings say now and what they said when the user started the run. */
export const evidencePolicy = (
  { evidence }: Pick<Settings, "evidence">,
  record: RunRecord | undefined,
): EvidencePolicy =>
  STRICTNESS[
    Math.max(STRICTNESS.indexOf(evidence), STRICTNESS.indexOf(record?.evidence ?? "off"))
  ] as EvidencePolicy;

/**
 * `ours`: the run of this session. `elsewhere`: this machine has it on in another session. `stranger`: it was started on
 * another machine, by an older version, or by nobody at all; a clone may bring it along.
 */
export type RunOwner = "ours" | "elsewhere" | "stranger";

/**
 * Whose the run is that lies in a project. The state's token says so. An agent may have dropped that with everything
 * else it rewrote: in the session that the run is bound to, the record counts all the same.
 */
export function whoseRun(
  { state, record, last }: Pick<Disk, "state" | "record" | "last">,
  session: string | null,
): RunOwner {
  if (record === undefined || last?.loop.open !== true) return "stranger";
  if (state.kind === "ok" && state.state.runToken === record.token) return "ours";
  if (last.loop.session === null) return "stranger";
  return last.loop.session === session ? "ours" : "elsewhere";
}

/** In this order, so that what is set is set in its place. */
const HELD = ["phase", "quickMode", "commitSpec", "paused", "awaitingApproval"] as const;

/** All of them, always: what is missing has its usual value, and an agent that adds it changes nothing. */
export function decisionsIn(raw: Raw): UserDecisions {
  const { phase } = raw;
  const isTrue = (name: (typeof HELD)[number]): boolean => raw[name] === true;
  return {
    // Each line of the journal carries it.
    ...(typeof phase === "string" && phase.length <= MAX_PHASE ? { phase } : {}),
    quickMode: isTrue("quickMode"),
    commitSpec: isTrue("commitSpec"),
    paused: isTrue("paused"),
    awaitingApproval: isTrue("awaitingApproval"),
  };
}

const MAX_PHASE = 40;

/** Pausing and asking are everybody's right: either the state or the record is enough for these. */
const ANYBODYS: ReadonlySet<string> = new Set(["paused", "awaitingApproval"]);

/** The state as it counts: what only the user may change is as we left it, whatever the file says now. */
export function applyDecisions(file: StateFile, held: UserDecisions | undefined): StateFile {
  if (file.kind !== "ok" || held === undefined) return file;
  const changed = HELD.filter((name) => {
    const value = held[name];
    const isAnybodys = ANYBODYS.has(name);
    const now = name === "phase" ? file.raw[name] : file.raw[name] === true;
    return value !== undefined && value !== now && (!isAnybodys || value === true);
  });
  if (changed.length === 0) return file;
  const fields = Object.fromEntries(changed.map((name) => [name, held[name]]));
  return {
    kind: "ok",
    raw: { ...file.raw, ...fields },
    state: { ...file.state, ...fields } as State,
  };
}

/**
 * What the user's command may go by. A state from elsewhere tells where the work is, but raises no limit and spares its
 * user no approval; a journal from elsewhere tells nothing.
 */
export function keepTrusted(disk: Disk, session: string | null): Disk {
  const { state, record, last } = disk;
  const isOwn = state.kind !== "ok" || whoseRun(disk, session) === "ours";
  // Tasks and commit are read when somebody asks for them: a spread would ask.
  return Object.defineProperties({} as Disk, {
    ...Object.getOwnPropertyDescriptors(disk),
    state: { value: isOwn ? state : modest(state.raw, state.state), enumerable: true },
    last: { value: record === undefined ? undefined : last, enumerable: true },
  });
}

function modest(raw: Raw, state: State): StateFile {
  const { quickMode: _, ...rest } = raw;
  const { quickMode: __, ...kept } = state;
  const limits = Object.fromEntries(
    (["maxGlobalIterations", "maxTaskIterations"] as const)
      .filter((name) => state[name] !== undefined)
      .map((name) => [name, Math.min(state[name] as number, LIMITS[name])]),
  );
  return { kind: "ok", raw: { ...rest, ...limits }, state: { ...kept, ...limits } };
}
