import { keywordsOf } from "../text/keywords.ts";
import type { Category } from "./classify.ts";
import type { CodeIndex, IndexedFile } from "./code-index.ts";

export interface RelatedFile {
  readonly path: string;
  readonly summary: string;
  /** What goal and file have in common, rarest word first. */
  readonly words: readonly string[];
}

/** A path is chosen with care; a summary only mentions things. */
const WEIGHTS = { path: 3, summary: 1 } as const;

/** A test shows where things are; the code itself comes first. */
const ASIDE: Partial<Record<Category, number>> = { tests: 0.6, docs: 0.8 };

/** The indexed files that share most with a goal, best first. A word that half the files contain counts for little. */
export function relatedFiles(
  index: Pick<CodeIndex, "files">,
  goal: string,
  max: number,
): RelatedFile[] {
  const spelled = keywordsOf(goal);
  const wanted = [...spelled.keys()];
  if (wanted.length === 0) return [];
  const scored = index.files.map((file) => ({ file, weights: weightsOf(file) }));
  const rarity = new Map(
    wanted.map((word) => {
      const having = scored.filter(({ weights }) => weights.has(word)).length;
      return [word, having === 0 ? 0 : Math.log(1 + index.files.length / having)];
    }),
  );
  return scored
    .map(({ file, weights }) => {
      const words = wanted
        .filter((word) => weights.has(word))
        .sort((a, b) => (rarity.get(b) as number) - (rarity.get(a) as number) || compare(a, b));
      const sum = words.reduce(
        (total, word) => total + (weights.get(word) as number) * (rarity.get(word) as number),
        0,
      );
      const aside = ASIDE[file.category] ?? 1;
      // Two words in common mean more than one that occurs twice.
      return { file, words, score: sum * aside * Math.sqrt(words.length) };
    })
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.score - a.score || compare(a.file.path, b.file.path))
    .slice(0, Math.max(0, max))
    .map(({ file: { path, summary }, words }) => ({
      path,
      summary,
      words: words.map((word) => spelled.get(word) as string),
    }));
}

function weightsOf({ path, summary }: IndexedFile): Map<string, number> {
  const weights = new Map<string, number>();
  const count = (text: string, weight: number): void => {
    for (const word of keywordsOf(text).keys())
      weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  count(path.replace(/\.\w+$/, ""), WEIGHTS.path);
  count(summary, WEIGHTS.summary);
  return weights;
}

export type Relevance = "High" | "Medium" | "Low";

/** An entry of the state's `relatedSpecs`, which older versions write too. */
export interface RelatedSpec {
  readonly name: string;
  readonly relevance: Relevance;
  readonly reason: string;
  /** What this goal asks for may make that spec out of date. */
  readonly mayNeedUpdate: boolean;
}

/** A goal that changes what exists, rather than adding something next to it. */
const ALTERS =
  /\b(?:chang|replac|renam|remov|delet|drop|migrat|refactor|rework|rewrit|extend|mov|split|merg|deprecat|upgrad|port|convert|fix|updat|redesign|simplif)\w*/i;

/** Which earlier specs a goal touches, by the words they share; closest first. */
export function relatedSpecs(
  goal: string,
  specs: readonly { readonly name: string; readonly goal: string }[],
  max: number,
): RelatedSpec[] {
  const wanted = keywordsOf(goal);
  const alters = ALTERS.test(goal);
  return specs
    .map((spec) => {
      const named = [...keywordsOf(spec.name).keys()];
      const all = new Set([...named, ...keywordsOf(spec.goal).keys()]);
      const shared = [...wanted].filter(([stem]) => all.has(stem)).map(([, word]) => word);
      const isNamed = named.length > 0 && named.every((word) => wanted.has(word));
      const share = shared.length / Math.max(1, Math.min(wanted.size, all.size));
      return { name: spec.name, shared, share, relevance: relevanceOf(shared, share, isNamed) };
    })
    .filter(({ shared }) => shared.length > 0)
    .sort(
      (a, b) =>
        RANK[a.relevance] - RANK[b.relevance] ||
        b.shared.length - a.shared.length ||
        b.share - a.share ||
        compare(a.name, b.name),
    )
    .slice(0, Math.max(0, max))
    .map(({ name, shared, relevance }) => ({
      name,
      relevance,
      reason: `both are about ${shared.slice(0, 6).join(", ")}`,
      mayNeedUpdate: relevance === "High" || (relevance === "Medium" && alters),
    }));
}

const RANK: Readonly<Record<Relevance, number>> = { High: 0, Medium: 1, Low: 2 };

function relevanceOf(shared: readonly string[], share: number, isNamed: boolean): Relevance {
  if ((isNamed && shared.length > 1) || (shared.length > 2 && share >= 0.4)) return "High";
  return isNamed || shared.length > 1 ? "Medium" : "Low";
}

/** By code unit, so that the order is the same on every machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
