import { countClasses, describeCounts } from "../../../facts/classify.ts";
import { formatCost, formatMoney, formatTokens } from "../../../run/cost.ts";
import { budgetLeft } from "../../../runner/budget.ts";
import { timeSpent, totalSpent } from "../../../runner/meter.ts";
import { STATUS } from "../../../runner/view/endings.ts";
import {
  classIn,
  isWaitingForUser,
  openQuestions,
  tasksIn,
  type ViewModel,
} from "../../../runner/view/model.ts";
import { forecast, type Forecast } from "../../../runner/view/sums.ts";
import { counted } from "../../../text/wording.ts";
import { widthOf } from "../../cli/columns.ts";
import type { Paint } from "../../cli/paint.ts";
import { clock, duration, roughly } from "./clock.ts";
import { fitting, line, type Part, spread } from "./rows.ts";

/** Three lines: which run, how far, at what cost. */
export function head(model: ViewModel, width: number, now: number, style: Paint): string[] {
  const state = stateOf(model, now, style);
  const room = width - widthOf(state.map(({ text }) => text).join("")) - 2;
  return [
    spread(fitting(nameOf(model, style), room), state, width),
    line(progress(model, width, style), width),
    line(separated(fitting(cost(model, now, style), width)), width),
  ];
}

/** Removes the dot in front of the first part. */
const separated = ([first, ...others]: readonly Part[]): Part[] =>
  first === undefined ? [] : [{ ...first, text: first.text.replace(/^ · /, "") }, ...others];

type Ranked = Part & { readonly rank: number };

function nameOf({ specs, run, agents, parallel }: ViewModel, { bold, dim }: Paint): Ranked[] {
  const [only, ...others] = specs;
  const single = others.length === 0;
  const name = only === undefined ? run : single ? only.name : counted(specs.length, "spec");
  const branch = single ? (only?.branch ?? "") : "";
  return [
    { text: name || "run", tint: bold, rank: 0 },
    { text: `  ${agents.join(", ")}${parallel > 1 ? ` × ${parallel}` : ""}`, tint: dim, rank: 1 },
    { text: branch === "" ? "" : `  ${branch}`, tint: dim, rank: 2 },
  ];
}

function stateOf(model: ViewModel, now: number, { good, warn, bad, dim }: Paint): Part[] {
  const time = { text: ` ${duration(timeSpent(model.meter, now))}`, tint: dim };
  if (model.ended !== null) {
    const { status } = model.ended;
    return [{ text: STATUS[status], tint: status === "finished" ? good : bad }, time];
  }
  if (model.began === null) return [{ text: "starting", tint: dim }];
  if (model.paused) return [{ text: "paused", tint: warn }, time];
  if (model.waiting !== null && Date.parse(model.waiting.until) > now)
    return [{ text: "waiting", tint: warn }, time];
  if (isWaitingForUser(model)) return [{ text: "waiting for you", tint: warn }, time];
  return [{ text: "running", tint: good }, time];
}

function progress(model: ViewModel, width: number, style: Paint): Part[] {
  const tasks = tasksIn(model).map(({ task }) => task);
  const counts = countClasses(tasks.map((task) => ({ class: classIn(task) })));
  const questions = openQuestions(model).length;
  const { accent, dim, warn, bad } = style;
  if (tasks.length === 0)
    return [{ text: model.began === null ? "" : "no list of tasks yet", tint: dim }];
  const all = describeCounts(counts);
  const [far = ""] = all.split(/[:;]/);
  // What waits for the user goes last.
  const said = fitting(
    [
      { text: far, rank: 0 },
      { text: all.slice(far.length), rank: 2 },
      { text: model.refusals === 0 ? "" : ` · ${model.refusals} refused`, tint: bad, rank: 1 },
      { text: questions === 0 ? "" : ` · ${counted(questions, "question")}`, tint: warn, rank: 0 },
    ],
    width,
  );
  const room = width - widthOf(said.map(({ text }) => text).join("")) - 2;
  const size = Math.min(30, Math.floor(width / 3), room);
  const filled = Math.floor((counts.done / tasks.length) * size);
  if (size < MIN_BAR) return said;
  return [
    { text: "█".repeat(filled), tint: accent },
    { text: `${"░".repeat(size - filled)}  `, tint: dim },
    ...said,
  ];
}

/** A shorter bar shows nothing. */
const MIN_BAR = 5;

function cost(model: ViewModel, now: number, { dim, warn }: Paint): Ranked[] {
  const spent = totalSpent(model.meter);
  const { budget } = model;
  const left = budgetLeft(model.meter, budget, now);
  const ahead = forecast(model, now);
  const isShort =
    ahead !== undefined && (isOver(left.ms, ahead.ms) || isOver(budget.usd, ahead.usd));
  const tint = isShort ? warn : dim;
  const isSoon = ahead === undefined || ahead.ms < 60_000;
  const end = isSoon ? "" : clock(new Date(now + ahead.ms).toISOString(), now);
  return [
    {
      text: `${formatCost(spent)}${spent.usd === null || budget.usd === undefined ? "" : ` of ${formatMoney(budget.usd)}`}`,
      rank: 0,
    },
    {
      text:
        spent.tokens === null
          ? ""
          : ` · ${formatTokens(spent.tokens)}${budget.tokens === undefined ? "" : ` of ${formatTokens(budget.tokens)}`}`,
      rank: 3,
    },
    { text: ahead === undefined ? "" : ` · about ${roughly(ahead.ms)} more`, tint, rank: 1 },
    { text: end === "" ? "" : ` (${end})`, tint, rank: 2 },
    { text: totalOf(ahead), tint, rank: 4 },
    {
      text: left.ms === undefined || model.ended !== null ? "" : ` · ${duration(left.ms)} left`,
      tint: dim,
      rank: 5,
    },
  ];
}

const totalOf = (ahead: Forecast | undefined): string =>
  ahead === undefined || ahead.usd === null ? "" : `, ${formatMoney(ahead.usd)} in all`;

const isOver = (bound: number | undefined, need: number | null): boolean =>
  bound !== undefined && need !== null && need > bound;
