import { orElse } from "./or-else.ts";

/**
 * A kind of value: how to recognise it, and its JSON Schema. A schema library would do this too, but loading one takes
 * a tenth of the hook's time budget.
 */
export interface Kind<T> {
  readonly is: (value: unknown) => value is T;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The type of the values that a kind recognises. */
export type TypeOf<K> = K extends Kind<infer T> ? T : never;

export interface Field<T> {
  readonly kind: Kind<T>;
  readonly about: string;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [K in keyof F]: TypeOf<F[K]["kind"]> };

export const field = <T>(kind: Kind<T>, about: string): Field<T> => ({ kind, about });

export const string: Kind<string> = {
  is: (value) => typeof value === "string",
  schema: { type: "string" },
};

/** A text that is only shown. */
export const forPeople = field(string, "For people.");

export const boolean: Kind<boolean> = {
  is: (value) => typeof value === "boolean",
  schema: { type: "boolean" },
};

export const scalar: Kind<string | boolean> = {
  is: (value) => typeof value === "string" || typeof value === "boolean",
  schema: { type: ["string", "boolean"] },
};

export const integer = (minimum: number): Kind<number> => ({
  is: (value): value is number => Number.isSafeInteger(value) && (value as number) >= minimum,
  schema: { type: "integer", minimum },
});

export const number = (minimum: number): Kind<number> => ({
  is: (value): value is number => Number.isFinite(value) && (value as number) >= minimum,
  schema: { type: "number", minimum },
});

export const oneOf = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  is: (value): value is T => values.includes(value as T),
  schema: { enum: values },
});

export const nullable = <T>(kind: Kind<T>): Kind<T | null> => ({
  is: (value): value is T | null => value === null || kind.is(value),
  get schema() {
    return { anyOf: [kind.schema, { type: "null" }] };
  },
});

export const listOf = <T>(kind: Kind<T>): Kind<readonly T[]> => ({
  is: (value): value is readonly T[] =>
    Array.isArray(value) && value.every((item) => kind.is(item)),
  get schema() {
    return { type: "array", items: kind.schema };
  },
});

export const recordOf = <T>(kind: Kind<T>): Kind<Readonly<Record<string, T>>> => ({
  is: (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every((item) => kind.is(item)),
  get schema() {
    return { type: "object", additionalProperties: kind.schema };
  },
});

/** All fields are present and of their kind; other fields do not matter. */
export const objectOf = <F extends Fields>(fields: F): Kind<ValuesOf<F>> => ({
  is: (value): value is ValuesOf<F> =>
    isObject(value) && Object.entries(fields).every(([name, { kind }]) => kind.is(value[name])),
  get schema() {
    return objectSchema(fields, Object.keys(fields));
  },
});

/** The same with fields that may be missing. */
export const objectWith = <F extends Fields, O extends Fields>(
  fields: F,
  optional: O,
): Kind<ValuesOf<F> & Partial<ValuesOf<O>>> => ({
  is: (value): value is ValuesOf<F> & Partial<ValuesOf<O>> =>
    objectOf(fields).is(value) &&
    Object.entries(optional).every(
      ([name, { kind }]) => !Object.hasOwn(value, name) || kind.is((value as Raw)[name]),
    ),
  get schema() {
    return objectSchema({ ...fields, ...optional }, Object.keys(fields));
  },
});

export const anyOf = <K extends readonly Kind<unknown>[]>(
  ...kinds: K
): Kind<TypeOf<K[number]>> => ({
  is: (value): value is TypeOf<K[number]> => kinds.some((kind) => kind.is(value)),
  get schema() {
    return { anyOf: kinds.map(({ schema }) => schema) };
  },
});

export const objectSchema = (
  fields: Fields,
  required: readonly string[],
  defaults: Raw = {},
): Record<string, unknown> => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { kind, about }]) => [
      name,
      {
        ...kind.schema,
        description: about,
        ...(name in defaults ? { default: defaults[name] } : {}),
      },
    ]),
  ),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: true,
});

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that are present and of their kind; anything else counts as missing. */
export function readFields<F extends Fields>(fields: F, raw: Raw): Partial<ValuesOf<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    if (Object.hasOwn(raw, name) && kind.is(raw[name])) values[name] = raw[name];
  }
  return values as Partial<ValuesOf<F>>;
}

export type Raw = Readonly<Record<string, unknown>>;
export type RawFile =
  | { readonly kind: "corrupt"; readonly why: string }
  | { readonly kind: "ok"; readonly raw: Raw };

/** Undefined if it is not JSON. Windows editors and shells add a byte order mark. */
export const parseJson = (text: string): unknown =>
  orElse(() => JSON.parse(text.replace(/^\uFEFF/, "")) as unknown, undefined);

export function parseRaw(text: string): RawFile {
  const raw = parseJson(text);
  if (raw === undefined)
    return { kind: "corrupt", why: text.trim() === "" ? "it is empty" : "it is not valid JSON" };
  if (!isObject(raw)) return { kind: "corrupt", why: "it is not a JSON object" };
  if (isDeep(raw)) return { kind: "corrupt", why: "it is nested too deeply" };
  return { kind: "ok", raw };
}

/** So deeply nested that V8, which can read it, might not be able to write it again. */
export const isDeep = (value: unknown, depth = 100): boolean =>
  typeof value === "object" &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeep(inner, depth - 1)));

export const formatRaw = (raw: Raw): string => `${JSON.stringify(raw, null, 2)}\n`;
