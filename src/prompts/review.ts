import type { Edition } from "../layouts/layout.ts";
import type { HandOut, SpecRef } from "../run/hand-out.ts";
import type { Decision } from "../tasks/model.ts";
import { fill } from "../text/template.ts";
import { renderDecided } from "./decided.ts";
import ordersTemplate from "./review-orders.md";
import ownTemplate from "./review-self.md";
import template from "./review.md";
import { renderRules, type Rules } from "./rules.ts";
import { wordsOf } from "./words.ts";

/** Asks the coordinator for the last review. */
export const renderReview = (layout: Edition, { spec, total }: HandOut): string =>
  fill(template, {
    ...wordsOf(layout, spec),
    total,
    agent: layout.voice.agent("spec-reviewer"),
  }).trimEnd();

/** The same for a main agent that reviews the work itself, with the orders. */
export const renderOwnReview = (
  layout: Edition,
  spec: SpecRef,
  total: number,
  orders: string,
): string => fill(ownTemplate, { ...wordsOf(layout, spec), total, orders }).trimEnd();

/** What the reviewer is told. `requirements`: what to hold the work against; `change`: how to see it. */
export const renderReviewOrders = (
  layout: Edition,
  spec: SpecRef,
  {
    requirements,
    change,
    rules,
    decided = [],
  }: {
    readonly requirements: string;
    readonly change: string;
    readonly rules?: Rules;
    readonly decided?: readonly Decision[];
  },
): string =>
  fill(ordersTemplate, {
    ...wordsOf(layout, spec),
    requirements,
    change,
    decided: renderDecided(decided).join("\n"),
    rules: rules === undefined ? "" : `\n${renderRules(rules)} A broken one is critical.`,
  }).trimEnd();
