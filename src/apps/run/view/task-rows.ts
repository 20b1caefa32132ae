import { MARKS, WAITS } from "../../../facts/marks.ts";
import type { TaskClass } from "../../../run/claim/verdict.ts";
import { formatAmount, formatCost, sumSpent } from "../../../run/cost.ts";
import {
  type AttemptView,
  classIn,
  isCurrent,
  type TaskView,
  type ViewModel,
} from "../../../runner/view/model.ts";
import { attemptsAt, workTime } from "../../../runner/view/sums.ts";
import type { Paint } from "../../cli/paint.ts";
import { duration } from "./clock.ts";
import { line, part, type Part, spread } from "./rows.ts";

/** A line of the list, and whether its task is being worked on. */
export interface Row {
  readonly text: string;
  readonly isCurrent: boolean;
}

interface Drawing {
  readonly model: ViewModel;
  readonly width: number;
  readonly now: number;
  readonly style: Paint;
  /** Whether there is room for what the agent is doing. */
  readonly isRoomy: boolean;
}

/** Something to do: a task, a document, or the last review. */
interface Item {
  readonly id: string;
  readonly title: string;
  readonly state: TaskView["state"];
  readonly class: TaskClass | null;
  readonly attempts: readonly AttemptView[];
}

/** The whole list; with several specs, each under its name. */
export function taskRows(drawing: Drawing): Row[] {
  const { model, width, style } = drawing;
  const names = [
    ...new Set([...model.specs.map(({ name }) => name), ...model.attempts.map(({ spec }) => spec)]),
  ];
  return names.flatMap((name) => {
    const items = itemsOf(model, name);
    const ids = Math.min(
      12,
      Math.max(3, ...items.map(({ id, title }) => (id === title ? 0 : id.length))),
    );
    const done = items.filter(({ state }) => state === "done").length;
    const title = {
      text: line([part(name, style.bold), part(`  ${done}/${items.length}`, style.dim)], width),
      isCurrent: false,
    };
    return [
      ...(names.length > 1 ? [title] : []),
      ...items.flatMap((item) => rowsOf(item, ids, drawing)),
    ];
  });
}

/** Documents come before the tasks, everything else that is not a task after them. */
function itemsOf(model: ViewModel, spec: string): Item[] {
  const tasks = model.specs.find(({ name }) => name === spec)?.tasks ?? [];
  const listed = tasks.map((task) => ({
    id: task.id,
    title: task.title,
    state: task.state,
    class: classIn(task),
    attempts: attemptsAt(model, spec, task.id),
  }));
  const known = new Set(tasks.map(({ id }) => id));
  const others = model.attempts.filter((one) => one.spec === spec && !known.has(one.task));
  const extra = [...new Set(others.map(({ task }) => task))].map((id) => {
    const attempts = attemptsAt(model, spec, id);
    const last = attempts.at(-1);
    const state = last?.verdict === "done" ? ("done" as const) : ("open" as const);
    const isFirst = last?.role === "planning";
    return { id, title: last?.title ?? "", state, class: null, attempts, isFirst };
  });
  return [
    ...extra.filter(({ isFirst }) => isFirst),
    ...listed,
    ...extra.filter(({ isFirst }) => !isFirst),
  ];
}

function rowsOf(item: Item, ids: number, drawing: Drawing): Row[] {
  const { width, style, now, isRoomy } = drawing;
  const current = item.attempts.filter(isCurrent);
  const [mark, tint] = markOf(item, style);
  const isDim = item.state === "done" || item.state === "skipped";
  const left: Part[] = [
    part(`${mark} `, tint),
    // A document is its own title.
    ...(item.id === item.title
      ? []
      : [part(`${item.id.padEnd(ids)} `, current.length > 0 ? style.bold : style.dim)]),
    part(item.title, isDim ? style.dim : undefined),
  ];
  if (current.length === 0)
    return [{ text: spread(left, pastOf(item, drawing), width, ids + 20), isCurrent: false }];
  const indent = " ".repeat(ids + 3);
  const rows = current.map((one) => spread(left, nowOf(one, now, style), width, ids + 14));
  const actions = current.map((one) => line([part(indent), ...actionOf(one, style)], width));
  return (isRoomy ? rows.flatMap((row, i) => [row, actions[i] ?? ""]) : rows)
    .filter((text) => text !== "")
    .map((text) => ({ text, isCurrent: true }));
}

function markOf(
  { state, class: is, attempts }: Item,
  { good, warn, bad, dim, accent }: Paint,
): [string, Paint["dim"]] {
  const last = attempts.at(-1);
  if (last !== undefined && isCurrent(last))
    return last.verifying === null ? ["▶", accent] : ["◆", accent];
  if (state === "waits" && is !== "skipped") return [WAITS, warn];
  const isGood = is === null ? state === "done" : is === "proven" || is === "accepted";
  if (isGood) return ["✓", good];
  if (is === null || is === "open") return last === undefined ? ["·", dim] : ["✗", bad];
  return [MARKS[is], is === "failed" ? bad : warn];
}

/** Attempts, agents, time and cost so far. */
function pastOf({ attempts, state }: Item, { model, now, width, style }: Drawing): Part[] {
  const { dim, warn } = style;
  if (attempts.length === 0)
    return state === "open" || state === "done" ? [] : [part(wordFor(state), warn)];
  const tries = new Set(attempts.map(({ attempt }) => attempt)).size;
  const agents = [...new Set(attempts.map(({ agent }) => agent))].join(", ");
  const isWide = width >= 90 && (model.agents.length > 1 || width >= 110);
  return [
    part(tries > 1 ? `${tries} attempts  ` : "", warn),
    part(state === "waits" || state === "skipped" ? `${wordFor(state)}  ` : "", warn),
    part(isWide ? `${agents}  ` : "", dim),
    part(duration(workTime(attempts, now)).padStart(TIME), dim),
    part(` ${formatCost(sumSpent(attempts)).padStart(MONEY)}`, dim),
  ];
}

const TIME = 11;
const MONEY = 6;

const wordFor = (state: TaskView["state"]): string => (state === "waits" ? "waits for you" : state);

function nowOf(
  { agent, attempt, of, began, spent }: AttemptView,
  now: number,
  { warn, accent, dim }: Paint,
): Part[] {
  return [
    part(attempt > 1 ? `attempt ${attempt} of ${of}  ` : "", warn),
    part(agent, accent),
    part(spent.tokens === null ? "" : `  ${formatAmount(spent.tokens)}`, dim),
    part(` ${duration(now - Date.parse(began)).padStart(TIME)}`),
    part(` ${formatCost(spent).padStart(MONEY)}`),
  ];
}

function actionOf({ verifying, action, role }: AttemptView, { dim, accent }: Paint): Part[] {
  if (verifying !== null) return [part("Verify ", accent), part(verifying, dim)];
  return [part(role === "execution" ? "" : `${role}  `, accent), part(action || "starting…", dim)];
}

/** As many rows as fit, around the current ones; says how many are left out. */
export function windowOf(rows: readonly Row[], height: number, style: Paint): string[] {
  const texts = rows.map(({ text }) => text);
  if (rows.length <= height) return texts;
  if (height <= 0) return [];
  const isIn = ({ isCurrent: is }: Row): boolean => is;
  const first = Math.max(0, rows.findIndex(isIn));
  const last = Math.max(first, rows.findLastIndex(isIn));
  const spare = Math.max(0, height - (last - first + 1));
  const before = first === 0 ? 0 : Math.max(Math.min(2, spare), Math.floor(spare / 2));
  const start = Math.max(0, Math.min(first - before, rows.length - height));
  const shown = texts.slice(start, start + height);
  const below = rows.length - start - height;
  const note = (text: string): string => style.dim(`  ${text}`);
  const isFree = (at: number): boolean => height >= 4 && rows[at]?.isCurrent === false;
  if (start > 0 && isFree(start)) shown[0] = note(`↑ ${start + 1} more`);
  if (below > 0 && isFree(start + height - 1)) shown[height - 1] = note(`↓ ${below + 1} more`);
  return shown;
}
