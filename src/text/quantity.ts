/** Amounts as people type them: `90s`, `10m`, `1h30m`; `500k`, `2m`; `5`, `$2.50`; `500MB`. Undefined for anything else. */

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** A timer cannot be set for longer than about 24 days. */
const MAX_MS = 20 * 86_400_000;
const MAX_COUNT = 1e12;
const MAX_USD = 1e6;
const MAX_BYTES = 1e16;

/** In milliseconds. A bare number is none: nobody could tell its unit. */
export function parseDuration(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  if (!/^(?:\d{1,7}(?:\.\d{1,3})?\s?[smhd]\s?){1,4}$/.test(word)) return undefined;
  const parts = [...word.matchAll(/(?<![\d.])([\d.]+)\s?([smhd])/g)];
  const sum = parts.reduce((ms, [, n, unit]) => ms + Number(n) * (UNIT_MS[unit ?? ""] ?? 0), 0);
  return within(Math.round(sum), MAX_MS);
}

export function parseCount(text: string): number | undefined {
  const [, n, unit = ""] =
    /^(\d{1,12}(?:\.\d{1,3})?)\s?([km]?)$/.exec(text.trim().toLowerCase()) ?? [];
  if (n === undefined) return undefined;
  const times = unit === "k" ? 1e3 : unit === "m" ? 1e6 : 1;
  return within(Math.round(Number(n) * times), MAX_COUNT);
}

/** In US dollars. */
export function parseUsd(text: string): number | undefined {
  const [, n] = /^\$?\s?(\d{1,7}(?:\.\d{1,6})?)(?:\s?(?:usd|\$))?$/i.exec(text.trim()) ?? [];
  return n === undefined ? undefined : within(Number(n), MAX_USD);
}

const UNIT_BYTES: Readonly<Record<string, number>> = { m: 1e6, g: 1e9, t: 1e12 };

/** In bytes: `500MB`, `1.5 GB`. */
export function parseSize(text: string): number | undefined {
  const [, n, unit = ""] =
    /^(\d{1,7}(?:\.\d{1,3})?)\s?([mgt])i?b?$/.exec(text.trim().toLowerCase()) ?? [];
  return n === undefined
    ? undefined
    : within(Math.round(Number(n) * (UNIT_BYTES[unit] ?? 0)), MAX_BYTES);
}

/** `320 MB`, `1.4 GB`. */
export const formatSize = (bytes: number): string =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

const within = (value: number, max: number): number | undefined =>
  value > 0 && value <= max ? value : undefined;
