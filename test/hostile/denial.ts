import { findGrowth } from "./growth.ts";
import type { Literal } from "./literals.ts";
import { parsePattern, pumpsOf, samplesOf } from "./pattern.ts";

/** Text that an expression nearly matches, at any length. */
export interface Attack {
  readonly before: string;
  readonly unit: string;
  /** A second run, after the first one. */
  readonly next: string;
  readonly after: string;
}

export const write = ({ before, unit, next, after }: Attack, length: number): string => {
  const half = next === "" ? length : length / 2;
  const run = (part: string): string => part.repeat(Math.ceil(half / Math.max(1, part.length)));
  return before + run(unit) + run(next) + after;
};

/** What makes a match fail at the very end: `.` does not match a line separator, `$` needs the end. */
const AFTER = ["", "x", "\u0000", "\nx", "\u2028x", " !"];

/**
 * Runs of everything that an expression may repeat, alone, after the prefix it needs, together with it, and
 * one run after another; each ended so that the match fails late.
 */
export function attacksOn(regex: RegExp): Attack[] {
  const tree = parsePattern(regex);
  const pumps = pumpsOf(tree);
  const whole = samplesOf(tree).slice(0, 3);
  const attacks = new Map<string, Attack>();
  const add = (before: string, unit: string, next = ""): void => {
    if (unit === "") return;
    for (const after of AFTER) {
      const attack = { before, unit, next, after };
      attacks.set(JSON.stringify(attack), attack);
    }
  };
  for (const { before, units } of pumps) {
    for (const unit of units) {
      add(before, unit);
      add("", unit);
      add("", before + unit);
      add("x", unit);
      if (regex.multiline) add("", `\n${before}${unit}`);
    }
  }
  const starts = pumps.slice(0, 8);
  for (const [i, first] of starts.entries()) {
    for (const second of starts.slice(i)) {
      for (const unit of first.units.slice(0, 3)) {
        for (const next of second.units.slice(0, 3)) {
          if (next !== unit) add(first.before, unit, next);
        }
      }
    }
  }
  for (const text of whole) add("", text);
  return [...attacks.values()];
}

export interface Denial {
  readonly place: string;
  readonly source: string;
  readonly attack: Attack;
  /** For 50,000 characters; Infinity where it was ended. */
  readonly milliseconds: number;
}

/** The first text that takes an expression more than linear time. */
export function findDenial({ place, regex }: Literal): Denial | undefined {
  const all = new RegExp(regex.source, `${regex.flags.replace(/[gy]/g, "")}g`);
  for (const attack of attacksOn(regex)) {
    const milliseconds = findGrowth((length) => {
      const text = write(attack, length);
      // As the source uses it: a sticky one tries one place, a global one all.
      return regex.sticky
        ? () => void new RegExp(regex.source, regex.flags).exec(text)
        : () => void text.replace(all, "");
    });
    if (milliseconds !== undefined) return { place, source: String(regex), attack, milliseconds };
  }
  return undefined;
}
