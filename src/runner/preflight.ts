import { checkDisk, type Space } from "../engine/doctor/disk.ts";
import { checkGit, type GitFacts } from "../engine/doctor/git.ts";
import { Refusal } from "../engine/refusal.ts";
import { describeOutlook, listDoubtful, type Outlook } from "../facts/outlook.ts";
import { formatSpent, NOTHING } from "../run/cost.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { counted, few } from "../text/wording.ts";
import { type AgentState, mayBeReady } from "./list-agents.ts";
import type { RunOptions } from "./options.ts";

/** What is known before the first call of a model. */
export interface PreflightFacts {
  /** What the run would refuse anyway: no agent, no sandbox, no commit to begin at, … */
  readonly refused: readonly Diagnostic[];
  readonly options: Pick<RunOptions, "here" | "sandbox" | "network" | "minFree" | "budget">;
  readonly git: GitFacts;
  /** The user's uncommitted files, except the spec's own. */
  readonly uncommitted: readonly string[];
  /** With what each is started with. */
  readonly agents: readonly (AgentState & { readonly rights: string })[];
  readonly spaces: readonly Space[];
  readonly programs: {
    /** What Verify commands begin with and is not on the PATH. */
    readonly missing: readonly { readonly program: string; readonly tasks: readonly string[] }[];
    /** No open task can be proven without them, and nothing says that they will be installed. */
    readonly isLost: boolean;
  };
  /** Undefined if there is no list yet. */
  readonly outlook: Outlook | undefined;
  /** Why a bound on cost cannot be enforced, if so. */
  readonly costUnknown: string | undefined;
}

/** What to know before a night, each with its fix. With an error the night would be lost: the run does not begin. */
export const planPreflight = (facts: PreflightFacts): Diagnostic[] => [
  ...facts.refused,
  ...checkGit(facts.git),
  ...checkTree(facts),
  ...facts.agents.map(checkAgent),
  ...checkRights(facts),
  ...checkDisk(facts.spaces, facts.options.minFree),
  ...checkPrograms(facts),
  ...checkProof(facts),
  checkBudget(facts),
];

const ok = (code: string, message: string): Diagnostic => ({ severity: "ok", code, message });
const note = (code: string, message: string, fix: string): Diagnostic => ({
  severity: "info",
  code,
  message,
  fix,
});

function checkTree({ git, uncommitted, options }: PreflightFacts): Diagnostic[] {
  if (!git.isThere) return [];
  const { length } = uncommitted;
  if (length === 0) return [ok("tree", "nothing of yours is uncommitted")];
  const where = options.here ? "where the run works" : "not in the run's tree";
  const files = `${counted(length, "uncommitted file")} of yours ${length === 1 ? "is" : "are"} ${where}: ${few(uncommitted)}`;
  return [note("tree", files, "commit first what tasks need")];
}

function checkAgent(state: AgentState): Diagnostic {
  const { id, driver, version, loggedIn, why } = state;
  const name = version === undefined ? id : `${id} ${version}`;
  if (driver === "demo" || loggedIn === true) return ok("agent", `${name} is ready`);
  const fix = why ?? `start ${id} once in a terminal`;
  if (!mayBeReady(state)) return note("agent", `${id} is left out: it is not ready`, fix);
  return note("agent", `${name} is installed, but its login is not known`, fix);
}

/** What agents may do, next to what confines them. */
function checkRights({ agents, options: { sandbox, network } }: PreflightFacts): Diagnostic[] {
  const all = agents.filter((state) => state.rights !== "" && mayBeReady(state));
  if (all.length === 0) return [];
  const say = (some: typeof all): string =>
    some.map(({ id, rights }) => `${id} (${rights})`).join(", ");
  if (sandbox !== "own" && sandbox !== "none")
    return [ok("rights", `in ${sandbox}${network ? "" : ", without network"}: ${say(all)}`)];
  const boxed = all.filter(({ facts }) => sandbox === "own" && facts?.sandbox === true);
  const own = boxed.length === 0 ? [] : [`in its own sandbox: ${say(boxed)}`];
  const free = all.filter((one) => !boxed.includes(one));
  if (free.length === 0) return [ok("rights", own.join(""))];
  const message = [`no sandbox: ${say(free)} can do whatever you can`, ...own].join("; ");
  return [note("rights", message, "--sandbox bwrap, docker or podman confines agents")];
}

function checkPrograms({ programs: { missing, isLost } }: PreflightFacts): Diagnostic[] {
  return missing.map(({ program, tasks }) => ({
    severity: isLost ? "error" : "info",
    code: "programs",
    message: `the Verify of ${few(tasks)} begins with ${program}, which is not on the PATH`,
    fix: "install it or correct the Verify, unless a task or run_setup installs it",
  }));
}

function checkProof({ outlook }: PreflightFacts): Diagnostic[] {
  if (outlook === undefined || outlook.open === 0) return [];
  const said = describeOutlook(outlook);
  return listDoubtful(outlook).length === 0
    ? [ok("proof", said)]
    : [note("proof", said, "give each a Verify that fails until its work is done")];
}

function checkBudget({ options: { budget }, costUnknown }: PreflightFacts): Diagnostic {
  if (costUnknown !== undefined)
    return { severity: "warning", code: "budget", message: costUnknown };
  const bounds = formatSpent({ ...NOTHING, ...budget });
  return bounds === ""
    ? note("budget", "no budget is set", "--max-cost 10, --max-tokens 5m or --max-time 8h")
    : ok("budget", `at most ${bounds}`);
}

/** What a run tells itself once it has opened its tree and its list. */
const TOLD_LATER: ReadonlySet<string> = new Set(["tree", "proof"]);

/** A few lines: what is fine in one, then each note. */
export function describePreflight(rows: readonly Diagnostic[]): string[] {
  const fine = rows.filter(({ severity }) => severity === "ok").map(({ code }) => code);
  const others = rows.filter(({ severity, code }) => severity !== "ok" && !TOLD_LATER.has(code));
  return [
    `ok: ${[...new Set(fine)].join(", ")}`,
    ...others.map(({ message, fix }) => (fix === undefined ? message : `${message} → ${fix}`)),
  ];
}

/** Why the run does not begin, if so. */
export function refusalIn(rows: readonly Diagnostic[]): Refusal | undefined {
  const [first, ...others] = rows.filter(({ severity }) => severity === "error");
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` (and ${others.length} more: --dry-run shows all)`;
  const kind = first.code === "agent" ? "unavailable" : "refused";
  return new Refusal(kind, `${first.message}${more}`, first.fix);
}
