import { countClasses, describeCounts } from "../../../facts/classify.ts";
import { formatCost, formatMoney, formatTokens } from "../../../run/cost.ts";
import { budgetLeft } from "../../../runner/budget.ts";
import { timeSpent, totalSpent } from "../../../runner/meter.ts";
import { RUN_ENDS } from "../../../runner/run-status.ts";
import {
  classIn,
  isWaitingForUser,
  openQuestions,
  tasksIn,
  type ViewModel,
} from "../../../runner/view/model.ts";
import { forecast, type Forecast } from "../../../runner/view/sums.ts";
import { counted } from "../../../text/wording.ts";
import type { Paint } from "../../cli/paint.ts";
import { clock, duration, roughly } from "./clock.ts";
import { fitting, line, part, type Part, spread, widthOfParts } from "./rows.ts";

/** Three lines: which run, how far, at what cost. */
export function head(model: ViewModel, width: number, now: number, style: Paint): string[] {
  const state = stateOf(model, now, style);
  const room = width - widthOfParts(state) - 2;
  return [
    spread(fitting(nameOf(model, style), room), state, width),
    line(progress(model, width, style), width),
    line(separated(fitting(cost(model, now, style), width)), width),
  ];
}

/** Removes the dot in front of the first part. */
const separated = ([first, ...others]: readonly Part[]): Part[] =>
  first === undefined ? [] : [{ ...first, text: first.text.replace(/^ · /, "") }, ...others];

function nameOf({ specs, run, agents, parallel }: ViewModel, { bold, dim }: Paint): Part[] {
  const [only, ...others] = specs;
  const single = others.length === 0;
  const name = only === undefined ? run : single ? only.name : counted(specs.length, "spec");
  const branch = single ? (only?.branch ?? "") : "";
  return [
    part(name || "run", bold),
    part(`  ${agents.join(", ")}${parallel > 1 ? ` × ${parallel}` : ""}`, dim, 1),
    part(branch === "" ? "" : `  ${branch}`, dim, 2),
  ];
}

function stateOf(model: ViewModel, now: number, style: Paint): Part[] {
  const { good, warn, dim } = style;
  const time = part(` ${duration(timeSpent(model.meter, now))}`, dim);
  if (model.ended !== null) {
    const { words, tint } = RUN_ENDS[model.ended.status];
    return [part(words, style[tint]), time];
  }
  if (model.began === null) return [part("starting", dim)];
  if (model.paused) return [part("paused", warn), time];
  if (model.waiting !== null && Date.parse(model.waiting.until) > now)
    return [part("waiting", warn), time];
  if (isWaitingForUser(model)) return [part("waiting for you", warn), time];
  return [part("running", good), time];
}

function progress(model: ViewModel, width: number, style: Paint): Part[] {
  const tasks = tasksIn(model).map(({ task }) => task);
  const counts = countClasses(tasks.map((task) => ({ class: classIn(task) })));
  const questions = openQuestions(model).length;
  const { accent, dim, warn, bad } = style;
  if (tasks.length === 0) return [part(model.began === null ? "" : "no list of tasks yet", dim)];
  const all = describeCounts(counts);
  const [far = ""] = all.split(/[:;]/);
  // What waits for the user goes last.
  const said = fitting(
    [
      part(far),
      part(all.slice(far.length), undefined, 2),
      part(model.refusals === 0 ? "" : ` · ${model.refusals} refused`, bad, 1),
      part(questions === 0 ? "" : ` · ${counted(questions, "question")}`, warn),
    ],
    width,
  );
  const room = width - widthOfParts(said) - 2;
  const size = Math.min(30, Math.floor(width / 3), room);
  const filled = Math.floor((counts.done / tasks.length) * size);
  if (size < MIN_BAR) return said;
  return [part("█".repeat(filled), accent), part(`${"░".repeat(size - filled)}  `, dim), ...said];
}

/** A shorter bar shows nothing. */
const MIN_BAR = 5;

function cost(model: ViewModel, now: number, { dim, warn }: Paint): Part[] {
  const spent = totalSpent(model.meter);
  const { budget } = model;
  const left = budgetLeft(model.meter, budget, now);
  const ahead = forecast(model, now);
  const isShort =
    ahead !== undefined && (isOver(left.ms, ahead.ms) || isOver(budget.usd, ahead.usd));
  const tint = isShort ? warn : dim;
  const isSoon = ahead === undefined || ahead.ms < 60_000;
  const end = isSoon ? "" : clock(new Date(now + ahead.ms).toISOString(), now);
  const { usd, tokens } = spent;
  const used = tokens === null ? "" : outOf(formatTokens(tokens), budget.tokens, formatTokens);
  const rest = model.ended === null ? left.ms : undefined;
  return [
    part(outOf(formatCost(spent), usd === null ? undefined : budget.usd, formatMoney)),
    part(used === "" ? "" : ` · ${used}`, undefined, 3),
    part(ahead === undefined ? "" : ` · about ${roughly(ahead.ms)} more`, tint, 1),
    part(end === "" ? "" : ` (${end})`, tint, 2),
    part(totalOf(ahead), tint, 4),
    part(rest === undefined ? "" : ` · ${duration(rest)} left`, dim, 5),
  ];
}

const outOf = (said: string, bound: number | undefined, format: (n: number) => string): string =>
  bound === undefined ? said : `${said} of ${format(bound)}`;

const totalOf = (ahead: Forecast | undefined): string =>
  ahead === undefined || ahead.usd === null ? "" : `, ${formatMoney(ahead.usd)} in all`;

const isOver = (bound: number | undefined, need: number | null): boolean =>
  bound !== undefined && need !== null && need > bound;
