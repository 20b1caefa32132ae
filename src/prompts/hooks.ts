import { quotePath } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";

/** A command of an extension, ready to be told. */
export interface ToldHook {
  readonly extension: string;
  /** As it is typed: `/speckit.git.commit`. */
  readonly invocation: string;
  /** The file with its text, if it is where extensions keep it. */
  readonly file: string | undefined;
  readonly optional: boolean;
  /** What it is for; an extension's words, so it is quoted. */
  readonly about: string;
  /** What else whoever runs it should know. */
  readonly note: string | undefined;
}

/** When hooks are due, in the words of whoever runs them. */
export type HookMoment = "Before anything else" | "Once all of this is done";

/** The hooks of the moment that have to be run, one sentence each. */
export const renderDueHooks = (moment: HookMoment, hooks: readonly ToldHook[]): string[] =>
  hooks
    .filter(({ optional }) => !optional)
    .map(({ extension, invocation, file, note }) => {
      const text = file === undefined ? "" : `, whose text is in ${quotePath(file)}`;
      const more = note === undefined ? "" : ` ${note}`;
      return `${moment}, run the command \`${invocation}\` of the extension ${extension}${text}, and wait for its result.${more}`;
    });

const OFFERS = {
  before: (all: string) =>
    `Before you begin, tell the user in one line what they may run first: ${all}. Do not wait for it.`,
  after: (all: string) => `At the end, tell the user in one line what they may run now: ${all}.`,
} as const;

/** The hooks that only the user decides about, in one line. */
export function renderOfferedHooks(
  when: keyof typeof OFFERS,
  hooks: readonly ToldHook[],
): string[] {
  const offered = hooks.filter(({ optional }) => optional);
  if (offered.length === 0) return [];
  const all = offered.map(({ extension, invocation, about }) => {
    const why = about === "" ? "" : `: ${JSON.stringify(oneLine(about, 200))}`;
    return `\`${invocation}\` (${extension}${why})`;
  });
  return [OFFERS[when](all.join("; "))];
}
