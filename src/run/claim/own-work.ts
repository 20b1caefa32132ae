/** What is known about uncommitted files in a tree where the user writes too. Names are relative to the project. */
export interface LeftFiles {
  readonly names: readonly string[];
  /** Uncommitted when the task was handed out. */
  readonly dirty: ReadonlySet<string>;
  /** Whether the task's Files name it. */
  readonly isListed: (name: string) => boolean;
  /** Named by the agent's own edit tools. */
  readonly edited: ReadonlySet<string>;
}

/**
 * What may be committed for an agent: what was clean when its task was handed out, and is in the task's Files or named
 * by its edit tools. The rest may be the user's. A file that both have edited counts as the agent's: nobody can tell.
 */
export function pickOwnWork({ names, dirty, isListed, edited }: LeftFiles): {
  readonly mine: string[];
  readonly rest: string[];
} {
  const isMine = (name: string): boolean =>
    !dirty.has(name) && (isListed(name) || edited.has(name));
  return { mine: names.filter(isMine), rest: names.filter((name) => !isMine(name)) };
}

/** For the receipt and the user. */
export const tellLeftAlone = (names: readonly string[]): string =>
  `left alone: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""} (uncommitted, not the task's)`;
