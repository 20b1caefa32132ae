import { kindOf } from "./requirement-ids.ts";
import type { Requirement } from "./requirements.ts";

/** How the requirements of a document belong together. Ids are normalized. */
export interface Structure {
  /** The stories that a criterion or requirement belongs to. */
  readonly storiesOf: (id: string) => readonly string[];
  /** What a story or requirement consists of: criteria, and for a story also requirements. */
  readonly partsOf: (id: string) => readonly string[];
}

/** A criterion is part of a requirement, and a requirement part of a story. */
const levelOf = (id: string): number => ({ AC: 0, US: 2 })[kindOf(id)] ?? 1;

/**
 * A definition that names another belongs to it, or the other way round; two on the same level have nothing to do with
 * each other. A criterion has at most one story, that of its number or heading. A requirement has the stories that it is
 * linked to, and those of its criteria.
 */
export function planStructure(requirements: readonly Requirement[]): Structure {
  const links = requirements.flatMap(({ id, mentions }) => mentions.map((other) => [id, other]));
  const pairs = links
    .map(([a = "", b = ""]) => (levelOf(a) < levelOf(b) ? [a, b] : [b, a]) as [string, string])
    .filter(([low, high]) => levelOf(low) < levelOf(high));
  const own = new Map(requirements.map(({ id, story }) => [id, story]));
  const parts = new Map<string, Set<string>>();
  const stories = new Map<string, Set<string>>();
  const join = (part: string, whole: string): void => {
    add(parts, whole, part);
    if (levelOf(whole) === 2) add(stories, part, whole);
  };
  for (const { id, story } of requirements) if (story !== undefined) join(id, story);
  for (const [low, high] of pairs) {
    // A criterion that mentions another story does not belong to it.
    if (levelOf(low) === 1 || levelOf(high) === 1) join(low, high);
    const story = levelOf(high) === 1 ? own.get(low) : undefined;
    if (story !== undefined) join(high, story);
  }
  return {
    storiesOf: (id) => [...(stories.get(id) ?? [])],
    partsOf: (id) => [...(parts.get(id) ?? [])],
  };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}
