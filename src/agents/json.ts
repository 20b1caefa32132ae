import { isObject } from "../text/schema.ts";

/** What an agent or a client prints is data: any field may be missing, or have another type. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** A JSON object in a line; undefined for anything else. */
export function parseFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : NONE);

export const valuesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const listOf = (value: unknown): readonly Fields[] => valuesOf(value).map(fieldsOf);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** The ISO time for seconds since 1970, as services give it; undefined for anything else. */
export function isoOf(seconds: unknown): string | undefined {
  const time = numberOf(seconds);
  // The latest time that a date can hold.
  return time === undefined || time <= 0 || time > 8.64e12
    ? undefined
    : new Date(time * 1000).toISOString();
}
