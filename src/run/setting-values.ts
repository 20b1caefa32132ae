import { type FrontMatter, parseFrontMatter } from "../text/front-matter.ts";

export interface Misread {
  readonly key: string;
  readonly said: string;
}

/** Reads the values of one settings file, and notes those that it does not understand. */
export interface SettingValues {
  readonly front: FrontMatter;
  readonly misread: readonly Misread[];
  /** The first value of a key as `read` understands it: in lower case. */
  readonly one: <T>(key: string, read: (word: string) => T | undefined) => T | undefined;
  /** The same, as it is written: commands, addresses, names of models. */
  readonly exact: <T>(key: string, read: (text: string) => T | undefined) => T | undefined;
  /** Every item of a list as it is written; those that are not understood are left out. */
  readonly items: <T>(
    key: string,
    read: (text: string) => T | undefined,
  ) => readonly T[] | undefined;
  readonly flag: (key: string) => boolean | undefined;
  readonly number: (key: string) => number | undefined;
  readonly oneOf: <const T extends string>(key: string, allowed: readonly T[]) => T | undefined;
}

export function settingValues(text: string, known: readonly string[]): SettingValues {
  const front = parseFrontMatter(text, known);
  const { values } = front;
  const misread: Misread[] = [];
  const exact: SettingValues["exact"] = (key, read) => {
    const said = values.get(key);
    const value = said === undefined ? undefined : read(said[0] ?? "");
    if (said !== undefined && value === undefined) misread.push({ key, said: said.join(", ") });
    return value;
  };
  const one: SettingValues["one"] = (key, read) => exact(key, (word) => read(word.toLowerCase()));
  const items: SettingValues["items"] = (key, read) =>
    values.get(key)?.flatMap((item) => {
      const value = read(item);
      if (value === undefined) misread.push({ key, said: item });
      return value === undefined ? [] : [value];
    });
  return {
    front,
    misread,
    one,
    exact,
    items,
    flag: (key) => one(key, (word) => FLAGS.get(word)),
    number: (key) =>
      one(key, (word) => {
        const value = Number(word);
        return Number.isInteger(value) && value >= 1 ? value : undefined;
      }),
    oneOf: (key, allowed) => one(key, (word) => allowed.find((value) => value === word)),
  };
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "y", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "n", "0"].map((word) => [word, false] as const),
]);
