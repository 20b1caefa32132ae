import { parseFiles } from "../../tasks/fields.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { helpedIds, isVerifyTask } from "../../tasks/tags.ts";
import { quoteForShell, quotePath } from "../../text/quote.ts";
import { oneLine } from "../../text/template.ts";
import { describeEntry, type InboxEntry } from "../inbox.ts";
import { hasSignal, readNoChange, TASK_COMPLETE, VERIFICATION_PASS } from "../signal.ts";
import { commitLine } from "./commit-line.ts";
import { planCover } from "./file-boundary.ts";

/** An executor's claim that a task is done, with what the disk says about it. */
export interface Claim {
  readonly task: Task;
  /** Null if nobody reported it: its box was ticked by hand. */
  readonly report: string | null;
  readonly list: TaskList;
  /** How many boxes were ticked when the task was handed out, if known. */
  readonly ticked: number | null;
  /** Tasks handed out together with this one and not reported yet. Each gets its own report. */
  readonly peers: readonly string[];
  /** Its own work that is not committed, where that is asked for. */
  readonly uncommitted: readonly string[];
  /** Why it could not be committed for the agent, in git's words. */
  readonly fault?: string | undefined;
  /** As for `readWork`. */
  readonly edited?: ReadonlySet<string> | undefined;
  /** Nothing has changed since it was first handed out, though it should have. */
  readonly isUnchanged?: boolean;
  /** Files that were changed although the task does not list them, where that is forbidden. */
  readonly outside: readonly string[];
  /** Links that it made, to what is not in the repository. */
  readonly links?: readonly {
    readonly name: string;
    readonly target: string;
    readonly isOutside: boolean;
  }[];
  /** Files that git was told to overlook since the task began, where work has to be committed. */
  readonly hidden?: readonly {
    readonly name: string;
    readonly by: { readonly flag: string } | { readonly source: string; readonly line: number };
  }[];
  /** Folders with a repository that was not there when the run began. */
  readonly repositories?: readonly string[];
  /** What the user has been asked about it, or has said: until that is answered, it waits. */
  readonly pending?: readonly InboxEntry[];
}

const some = (names: readonly string[]): string => {
  const shown = names.slice(0, 5).map((name) => quotePath(name));
  return shown.join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
};

/** One reason to refuse a claim: a sentence that the agent can act on, or nothing. */
type Layer = (claim: Claim) => string | undefined;

const CONTRADICTIONS = [
  /requires? manual/i,
  /could(?: not|n't) (?:be )?complete/i,
  /unable to complete/i,
  /cannot be (?:automated|completed)/i,
  /needs? (?:human|manual) (?:intervention|action|steps?)/i,
  /^[^\w\n\r\u2028\u2029]*VERIFICATION_FAIL\b/m,
  // How older executors say that a task failed.
  /^[^\w\n\r\u2028\u2029]*Task \S.*\bFAILED\b/m,
] as const;

const notContradicted: Layer = ({ task, report }) => {
  if (report === null) return undefined;
  const phrase = CONTRADICTIONS.map((pattern) => pattern.exec(report)?.[0]).find(Boolean);
  if (phrase?.includes("VERIFICATION_FAIL") === true)
    return `The report on ${task.id} says VERIFICATION_FAIL: report it with fail.`;
  return phrase === undefined
    ? undefined
    : `The report on ${task.id} claims completion but says "${phrase}": finish the task, or report it with fail.`;
};

const committed: Layer = (claim) =>
  claim.uncommitted.length === 0
    ? undefined
    : `${claim.task.id} is not committed: ${some(claim.uncommitted)}.${tellFault(claim)} ${howToCommit(claim)}`;

const tellFault = ({ fault }: Claim): string =>
  fault === undefined ? "" : ` We tried, and git said "${oneLine(fault, 300)}".`;

/** Files that the task does not name may be somebody else's: those are not put into the command. */
function howToCommit({ list, task, uncommitted: names, edited }: Claim): string {
  const named = parseFiles(list, task);
  const isListed = planCover(named);
  const isOwn = named.length === 0 ? () => true : isListed;
  const own = names.filter((name) => isOwn(name) || name.endsWith(".progress.md"));
  const others = names.filter((name) => !own.includes(name));
  const mayLeave = names.some((name) => !isListed(name) && edited?.has(name) !== true);
  const leave = mayLeave ? ` ${LEAVE}` : "";
  const run = (files: readonly string[]): string => `\`${commitLine(list, task, files)}\``;
  if (others.length === 0) return `Run ${run(own)}, then report again.${leave}`;
  const first = own.length === 0 ? "" : `Run ${run(own)}. `;
  return `${first}Its Files do not name ${some(others)}: if the task needs that, run ${run(others)}. Then report again.${leave}`;
}

/** How an agent disowns files. */
export const LEAVE =
  "If something is not yours, leave it and say `NOT_MINE: path, path` on a line of the report.";

const itself: Layer = ({ task, links = [] }) => tellStrayLinks(task.id, links);

/** Whoever has the commit has the link, and not what it leads to. */
export function tellStrayLinks(id: string, links: NonNullable<Claim["links"]>): string | undefined {
  const [first, ...others] = links;
  if (first === undefined) return undefined;
  const where = first.isOutside
    ? "which is outside of the repository or an absolute path"
    : "which git does not track";
  const more =
    others.length > 0 ? ` The same goes for ${some(others.map(({ name }) => name))}.` : "";
  return `${id} made ${quotePath(first.name)} a link to ${quotePath(first.target)}, ${where}: a commit would not have it.${more} Put the file itself there, or link to a file that is committed, then report again.`;
}

/** What git overlooks looks committed. */
const visible: Layer = ({ task, hidden = [] }) => {
  const [first, ...others] = hidden;
  if (first === undefined) return undefined;
  const { name, by } = first;
  const how =
    "flag" in by
      ? `it is newly marked ${by.flag}`
      : `${quotePath(by.source)}:${by.line} is a new rule that ignores it`;
  const more =
    others.length > 0 ? ` The same goes for ${some(others.map((one) => one.name))}.` : "";
  const fix =
    "flag" in by
      ? `Run \`git update-index --no-${by.flag} -- ${quoteForShell(name)}\``
      : "Remove that rule";
  return `${task.id} hides ${quotePath(name)} from git: ${how}.${more} ${fix}, commit what the task needs, then report again.`;
};

/** Our git does not use it, but the agent's does, and new files in it are not part of the project. */
const oneRepository: Layer = ({ repositories: [first] = [] }) => {
  if (first === undefined) return undefined;
  const git = quotePath(`${first}/.git`);
  return `${quotePath(first)} became a repository of its own while the run was on, so work in it is not the project's. Remove ${git}, commit what the task needs, then report again.`;
};

const withinItsFiles: Layer = ({ task, outside }) =>
  outside.length === 0
    ? undefined
    : `${task.id} changed files that its Files do not name: ${some(outside)}. Revert those changes, or add the files to its Files if they belong to it.`;

const onlyItsBox: Layer = ({ task, report, list, ticked, peers }) => {
  if (ticked === null || report === null) return undefined;
  const others = list.tasks.filter(
    (one) => one.checked && one.id !== task.id && !peers.includes(one.id),
  );
  const unreported = others.length - ticked;
  if (unreported <= 0) return undefined;
  // Agents run ahead, not back: the extra boxes are the last ones, unless one waits for the user.
  const isHeld = ({ id }: Task): boolean => list.held?.has(id) === true;
  const likely = [...others.filter((one) => !isHeld(one)), ...others.filter(isHeld)];
  const ids = likely.slice(-unreported).map((one) => one.id);
  return `Other boxes are ticked that nobody reported: ${ids.join(", ")}. Untick the ones that are not done; report the others with done first.`;
};

const helps = (one: Task, task: Task): boolean =>
  helpedIds(one).some((id) => id.toLowerCase() === task.id.toLowerCase());

/** A fix or a part comes before its task, and everything comes before its check. */
const inTurn: Layer = ({ task, list }) => {
  const isCheck = isVerifyTask(task);
  const first = list.tasks.filter(
    (one) => !one.checked && (helps(one, task) || (isCheck && one.index < task.index)),
  );
  if (first.length === 0) return undefined;
  const ids = first.slice(0, 5).map((one) => one.id);
  return `${task.id} waits for ${ids.join(", ")}, which ${first.length > 1 ? "are" : "is"} open: do that first.`;
};

/** Whatever was done: what the user says may change it. */
const answered: Layer = ({ task, pending = [] }) => {
  const [first] = pending;
  return first === undefined
    ? undefined
    : `${task.id} waits for the user: ${describeEntry(first)}. It is handed out again when they have answered; do something else, or end your turn.`;
};

const explicit: Layer = ({ task, report }) => {
  if (report === null) return undefined;
  const signal = isVerifyTask(task) ? VERIFICATION_PASS : TASK_COMPLETE;
  return hasSignal(report, signal)
    ? undefined
    : `The report on ${task.id} does not say ${signal} on a line of its own: report it with that line if it is done, or else with fail.`;
};

/** A Verify that passed before says nothing about work that nobody did. */
const changed: Layer = ({ task, report, isUnchanged = false }) => {
  if (!isUnchanged || (report !== null && readNoChange(report) !== undefined)) return undefined;
  const say = "`NO_CHANGE: why` on a line of its own";
  const how =
    report === null
      ? `report it with ${say}, or the user may accept it`
      : `say ${say} and report again`;
  return `${task.id} is not done: nothing has changed since it was handed out. If that is right (done earlier, or its effect is elsewhere), ${how}.`;
};

/** The checks that run no command, in order. */
const LAYERS: readonly Layer[] = [
  answered,
  notContradicted,
  inTurn,
  oneRepository,
  committed,
  visible,
  itself,
  withinItsFiles,
  onlyItsBox,
  explicit,
  changed,
];

export function judgeClaim(claim: Claim): string | undefined {
  for (const layer of LAYERS) {
    const refusal = layer(claim);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Whether a report claims completion at all, in either agent's words. */
export const claimsCompletion = (report: string): boolean =>
  hasSignal(report, TASK_COMPLETE) || hasSignal(report, VERIFICATION_PASS);
