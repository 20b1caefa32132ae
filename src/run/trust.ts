import * as s from "../text/schema.ts";
import type { EvidencePolicy } from "./claim/evidence.ts";
import type { Disk } from "./decision.ts";
import type { UserDecisions } from "./journal.ts";
import { isRunner } from "./runner-session.ts";
import type { Settings } from "./settings.ts";
import { LIMITS, type Raw, type State, type StateFile } from "./state.ts";

const recordFields = {
  /** What decides which programs the commands refer to, for whoever started the run: PATH and the like. */
  env: s.field(s.recordOf(s.string), ""),
  /** How much proof the user asked for: an agent may point us at other settings. */
  evidence: s.field(s.oneOf<EvidencePolicy>("required", "recorded", "off"), ""),
  /** Whether the user asked for commits. */
  commit: s.field(s.oneOf<Settings["commit"]>("required", "off"), ""),
  /** The user lets the coordinator change a Verify that turns out to be wrong. */
  mayAmend: s.field(s.boolean, ""),
  /** The tops of the repositories that the spec was in, relative to the project: no later one counts below them. */
  tops: s.field(s.listOf(s.string), ""),
};

/** What this machine knows about a run, kept in the user's own folder, where no clone can put anything. */
export type RunRecord = Partial<s.ValuesOf<typeof recordFields>> & {
  /** Random; the same as in the state. */
  readonly token: string;
};

export function parseRecord(text: string): RunRecord | undefined {
  const value = s.parseJson(text);
  if (!s.isObject(value) || typeof value["token"] !== "string") return undefined;
  return { token: value["token"], ...s.readFields(recordFields, value) };
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

/** Likewise: settings that an agent edits during the run do not free it from committing. */
export const requiresCommit = (
  { commit }: Pick<Settings, "commit">,
  record: RunRecord | undefined,
): boolean => commit === "required" || record?.commit === "required";

/**
 * `ours`: this session's run. `elsewhere`: another session on this machine has it. `stranger`: started on another
 * machine, by an older version, or by nobody at all; it may have come with a clone.
 */
export type RunOwner = "ours" | "elsewhere" | "stranger";

/**
 * Who owns the run found in a project. The state's token tells. An agent may have dropped it while rewriting the state:
 * in the session that the run is bound to, the record still counts.
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

/**
 * Whether a run of this machine has ended here: then only the user's command starts another. Otherwise an agent could
 * remove its state, write it again and get all its turns back.
 */
export const isEnded = ({ record, last }: Pick<Disk, "record" | "last">): boolean =>
  record !== undefined && last?.loop.open === false;

/** The phase, then flags, in this order, so that each one is set in its place. */
const HELD = ["phase", "quickMode", "small", "commitSpec", "paused", "awaitingApproval"] as const;

/** Always all of them: a missing one gets its usual value, so an agent that adds it changes nothing. */
export function decisionsIn(raw: Raw): UserDecisions {
  const { phase } = raw;
  const [, ...flags] = HELD;
  return {
    // Every line of the journal carries it.
    ...(typeof phase === "string" && phase.length <= MAX_PHASE ? { phase } : {}),
    ...Object.fromEntries(flags.map((name) => [name, raw[name] === true])),
  };
}

const MAX_PHASE = 40;

/**
 * In a client, anyone may pause or ask: for these, either the state or the record is enough. Agents that a runner has
 * started may not: nobody might be there to let it go on.
 */
const ANYBODYS: ReadonlySet<string> = new Set(["paused", "awaitingApproval"]);

/** The state as it counts: what only the user may change is as we left it, whatever the file says now. */
export function applyDecisions(
  file: StateFile,
  held: UserDecisions | undefined,
  session: string | null = null,
): StateFile {
  if (file.kind !== "ok" || held === undefined) return file;
  const changed = HELD.filter((name) => {
    const value = held[name];
    const isAnybodys = ANYBODYS.has(name) && !isRunner(session ?? "");
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
 * What the user's command may rely on. A state from elsewhere says where the work is, but raises no limit and skips no
 * approval; a journal from elsewhere says nothing.
 */
export function keepTrusted(disk: Disk, session: string | null): Disk {
  const { state, record, last } = disk;
  const isOwn = state.kind !== "ok" || whoseRun(disk, session) === "ours";
  // Tasks and commit are read on demand: a spread would read them.
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
