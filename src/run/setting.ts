import { type FrontMatter, parseFrontMatter } from "../text/front-matter.ts";

/** What the value of a setting may be. */
export interface Kind<T> {
  /** `said` is what a file says, item by item. `misread` gets what is not understood. */
  readonly read: (said: readonly string[], misread: (said: string) => void) => T | undefined;
  /** In words, for messages. */
  readonly takes: string;
  /** Where there are only a few: from the loosest to the strictest. */
  readonly choices?: readonly string[];
  readonly isList?: true;
}

/**
 * What a project's file, which comes with a clone, may say: nothing, anything, only one word, only lower numbers or
 * stricter choices, only folders inside the project, or only what the user's file allows too.
 */
type Rule = "never" | "free" | "false" | "true" | "lower" | "stricter" | "inside" | "both";

/** One row of a table of settings. */
export interface Setting<T = unknown> {
  readonly name: string;
  readonly kind: Kind<unknown>;
  /** The default as one would write it; without it, the value is undefined until somebody sets it. */
  readonly usual: string | undefined;
  readonly value: T;
  readonly project: Rule;
  /** The option of `run` that overrides it: `max-cost <usd>`. */
  readonly option: string | undefined;
}

/** Its keys are those in the code; related settings may form a group. */
export interface SettingTable {
  readonly [key: string]: Setting | SettingTable;
}

/** The values of a table's settings. */
export type ValuesOf<T> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : ValuesOf<T[K]>;
};

/** What one file says. Anything missing or not understood is undefined. */
export type StatedOf<T> = {
  readonly [K in keyof T]?: (T[K] extends Setting<infer V> ? V : StatedOf<T[K]>) | undefined;
};

export function setting<T, U extends string | undefined>(
  name: string,
  kind: Kind<T>,
  usual: U,
  project: Rule = "never",
  option?: string,
): Setting<U extends string ? T : T | undefined> {
  const said = usual === "[]" ? [] : usual === undefined ? undefined : [usual];
  const value = said && kind.read(said, () => undefined);
  return { name, kind, usual, value: value as T, project, option };
}

const isSetting = (one: Setting | SettingTable): one is Setting => typeof one["name"] === "string";

/** An object of the table's shape: for each setting what `visit` makes of it and of the values in `layers`. */
export function mapSettings(
  table: SettingTable,
  visit: (row: Setting, ...values: unknown[]) => unknown,
  ...layers: readonly unknown[]
): unknown {
  const entries = Object.entries(table).map(([key, one]) => {
    const values = layers.map((layer) => (layer as SettingTable | undefined)?.[key]);
    return [key, isSetting(one) ? visit(one, ...values) : mapSettings(one, visit, ...values)];
  });
  return Object.fromEntries(entries);
}

/** Every setting of a table, in its order. */
export const listSettings = (table: SettingTable): Setting[] =>
  Object.values(table).flatMap((one) => (isSetting(one) ? [one] : listSettings(one)));

/** Values with others over them, where those say something. */
export const overlay = <T extends SettingTable>(
  table: T,
  values: ValuesOf<T>,
  said: StatedOf<T>,
): ValuesOf<T> =>
  mapSettings(table, (_, value, other) => other ?? value, values, said) as ValuesOf<T>;

export const defaultsOf = <T extends SettingTable>(table: T): ValuesOf<T> =>
  mapSettings(table, ({ value }) => value) as ValuesOf<T>;

export interface Misread {
  readonly key: string;
  readonly said: string;
}

/** Reads the front matter of a settings file. */
export const frontMatterFor = (text: string, ...tables: readonly SettingTable[]): FrontMatter =>
  parseFrontMatter(
    text,
    tables.flatMap((table) => listSettings(table).map(({ name }) => name)),
  );

/** What a file says about the settings of a table; what is not understood goes to `misread`. */
export const readSettings = <T extends SettingTable>(
  table: T,
  { values }: FrontMatter,
  misread: Misread[] = [],
): StatedOf<T> =>
  mapSettings(table, ({ name: key, kind }) => {
    const said = values.get(key);
    return said && kind.read(said, (what) => misread.push({ key, said: what }));
  }) as StatedOf<T>;

/** The first value, as it is written: commands, addresses, names of models. */
export const exact = <T>(takes: string, parse: (text: string) => T | undefined): Kind<T> => ({
  takes,
  read(said, misread) {
    const value = parse(said[0] ?? "");
    if (value === undefined) misread(said.join(", "));
    return value;
  },
});

/** The same, in lower case. */
export const word = <T>(takes: string, parse: (word: string) => T | undefined): Kind<T> =>
  exact(takes, (text) => parse(text.toLowerCase()));

/** Every item as it is written; those that are not understood are left out. */
export const list = <T>(
  takes: string,
  parse: (text: string) => T | readonly T[] | undefined,
): Kind<readonly T[]> => ({
  takes,
  isList: true,
  read: (said, misread) =>
    said.flatMap((item) => {
      const value = parse(item);
      if (value === undefined) misread(item);
      return value ?? [];
    }),
});

export const oneOf = <const T extends string>(
  ...choices: readonly T[]
): Kind<T> & { readonly choices: readonly T[] } => ({
  ...word(`one of ${choices.join(", ")}`, (said) => choices.find((value) => value === said)),
  choices,
});

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "y", "1"].map((yes) => [yes, true] as const),
  ...["false", "no", "off", "n", "0"].map((no) => [no, false] as const),
]);

export const flag = word("true or false", (said) => FLAGS.get(said));

export const count = word("a whole number from 1", (said) => {
  const value = Number(said);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
});

export const line = exact("a command", (text) =>
  text === "" || text.includes("\0") ? undefined : text,
);
