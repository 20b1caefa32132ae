import { readMarkdown } from "../text/markdown.ts";
import { readSections, simplifyTitle } from "../text/sections.ts";
import type { SpecIntent } from "./intent.ts";

/** A longer text explains more than one change. */
const MAX_WORDS = 30;
const MAX_LENGTH = 400;
const MAX_SENTENCES = 2;

/** One thing that can be added on its own. */
const ONE_THING =
  /\b(?:options?|flag|switch|argument|parameter|alias|shortcut|button|link|tooltip|label|field|column|header|badge|checkbox|setting|environment variable|env var|subcommand|log line|default)\b|(?<![\w-])--?[a-z][\w-]*/i;
/** Whatever the sentence says, this is more than it looks. */
const LARGE =
  /\b(?:systems?|platforms?|services?|micro\w+|apps?|applications?|redesign\w*|architecture|everywhere|entire|whole|across|throughout|authentication|oauth\w*|sso|integrat\w+|migrat\w+|real-?time|multi-\w+|epics?|all (?:the )?\w+s|every (?:page|command|file|module|endpoint|screen))\b/i;
const JOINED = /\b(?:and|plus|also|then|as well as)\b/gi;
const QUOTED = /`[^`\n]*`|"[^"\n]*"/g;

/**
 * Whether one planning document will do: a short goal for one clear change, of a kind that is rarely large. Only a
 * proposal, as the words of a goal may hide a lot.
 */
export function isSmallGoal(goal: string, { intent, by, confidence }: SpecIntent): boolean {
  if (goal.length > MAX_LENGTH) return false;
  const text = goal.trim();
  const plain = text.replace(QUOTED, "x");
  const isClear = by !== "goal" || confidence !== "low";
  const isShort =
    !/\n[^\S\n]*\n|^[^\S\n\r\u2028\u2029]*(?:[-*+]|\d+[.)])\s/m.test(text) &&
    text.split(/\s+/).length <= MAX_WORDS &&
    plain.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== "").length <= MAX_SENTENCES;
  const isOne = (plain.match(JOINED) ?? []).length <= 1 && (plain.match(/,/g) ?? []).length <= 2;
  if (text === "" || !isClear || !isShort || !isOne || LARGE.test(plain)) return false;
  if (intent.id === "trivial" || intent.id === "bug-fix") return true;
  return intent.id === "mid-sized" && ADDS.test(text) && ONE_THING.test(text);
}

const ADDS =
  /^(?:please |can you |could you |we need to |we should |let['’]s )*(?:add|accept|support|allow|show|offer|provide|print|hide|option)\b/i;

/** Sections that only the one planning document of the short way has. */
const OWN = ["Design", "Quality Commands"];

/** Whether a document is the only one that plans: it holds the design too. */
export function isShortPlan(text: string): boolean {
  const titles = new Set(readSections(readMarkdown(text)).map(({ title }) => simplifyTitle(title)));
  return OWN.every((title) => titles.has(title));
}
