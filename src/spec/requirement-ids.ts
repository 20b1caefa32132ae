/** An id as written in a text, a range of them, or a whole group. */
export interface IdReference {
  /** As the text writes it. */
  readonly written: string;
  readonly id: string;
  /** `FR-1..FR-4`: the other end. */
  readonly to?: string;
  /** Both ends of a range as the text writes them. */
  readonly ends?: readonly [string, string];
  /** Cannot be anything but an id: `FR-9` or `[US9]`, not `AC3` or `us-east-1`. */
  readonly isPlain: boolean;
}

const BODY = String.raw`(?:[-_]?\d+[a-z]?(?:\.\d+)*|-(?:[A-Z]|[A-Z]{2,12}-)\d+(?:\.\d+)*)`;
const ID = String.raw`(?:(?:US|AC|N?FR|SC)${BODY}|User\s+Stor(?:y|ies)\s+#?\d+)(?![A-Za-z0-9])(?!\.\d)`;
const DASH = String.raw`(?:\.{2,3}|…|[-–—~〜])`;
/** The other end of a range: an id, or what is left of it, `FR-1–3`. */
const RANGE = String.raw`(?:\s*(?:${DASH}|(?<=\s)(?:to|through)(?=\s))\s*(${ID})|${DASH}(\d+(?:\.\d+)*)(?![A-Za-z0-9.]))`;
/** `AC-1.*`, `AC-1.x` are all criteria of that story. */
const ALL = String.raw`(?:\.\\?[*x](?![A-Za-z0-9]))`;
const REFERENCE = new RegExp(`(?<![A-Za-z0-9])(${ID})(?:${RANGE}|${ALL})?`, "gi");
const FIRST = new RegExp(`^${ID}`, "i");
const PLAIN = /^(?:us|ac|n?fr|sc)-\d+(?:\.\d+)*$/i;

/** `FR-001`, `fr_1` and `FR1` are `FR-1`; `User Story 1` is `US-1`. */
export function normalizeId(written: string): string {
  const [, kind, body = ""] =
    /^(US|AC|N?FR|SC)[-_]?(.*)$/i.exec(written.replace(/^User\s+Stor(?:y|ies)\s+#?/i, "US-")) ?? [];
  return `${kind?.toUpperCase()}-${body.toUpperCase().replace(/(?<!\d)0+(?=\d)/g, "")}`;
}

/** As its document writes it; a story as tasks do: `US1` for `User Story 1`. */
export const showId = (written: string): string =>
  written.replace(/^User\s+Stor(?:y|ies)\s+#?(?=\d)/i, "US");

/** `FR` of `FR-1`. */
export const kindOf = (id: string): string => id.slice(0, id.indexOf("-"));

/** The story that a criterion belongs to by its number: `US-1` for `AC-1.2`. */
export const storyOf = (id: string): string | undefined => {
  const [, story] = /^AC-(\d+)\./.exec(id) ?? [];
  return story === undefined ? undefined : `US-${story}`;
};

/** Every id that a text names. */
export function findIds(text: string): IdReference[] {
  return [...text.matchAll(REFERENCE)].flatMap((match) => {
    const [whole, written = "", other, tail] = match;
    const id = normalizeId(written);
    const to = other === undefined ? readRangeEnd(id, tail) : normalizeId(other);
    const isTag = text[match.index - 1] === "[" && text[match.index + whole.length] === "]";
    const first = { id, isPlain: isTag || PLAIN.test(written) };
    if (to === undefined) return [{ ...first, written: whole }];
    if (kindOf(to) === kindOf(id))
      return [{ ...first, written: whole, to, ends: [written, other ?? endOf(written, tail)] }];
    // "FR-1 - AC-1.1" is not a range.
    return [{ ...first, written }, ...findIds(other as string)];
  });
}

/** The end of a range as the text would write it: `FR-003` for `FR-001–003`. */
const endOf = (written: string, tail = ""): string => {
  const numbers = /(?<![\d.])\d+(?:\.\d+)*$/.exec(written)?.[0].split(".") ?? [];
  const kept = numbers.slice(0, Math.max(0, numbers.length - tail.split(".").length));
  return `${/^[^\d]*/.exec(written)?.[0] ?? ""}${[...kept, tail].join(".")}`;
};

/** `AC-1.1–3` ends at AC-1.3. */
function readRangeEnd(id: string, tail: string | undefined): string | undefined {
  if (tail === undefined) return undefined;
  const parts = id.split(/(?<=-)|\./);
  const end = tail.split(".");
  if (end.length >= parts.length) return undefined;
  const [kind = "", ...numbers] = [...parts.slice(0, parts.length - end.length), ...end];
  return normalizeId(kind + numbers.join("."));
}

/** The id that a text begins with, and what follows it. */
export function splitFirstId(
  text: string,
): { written: string; id: string; rest: string } | undefined {
  const written = FIRST.exec(text)?.[0];
  if (written === undefined) return undefined;
  return { written, id: normalizeId(written), rest: text.slice(written.length) };
}

/** The known ids that a reference means, and those that nobody knows. */
export function resolveIds(
  { id, to, written, ends: [from, end] = [written, written] }: IdReference,
  known: ReadonlySet<string>,
): { ids: string[]; unknown: string[] } {
  if (to === undefined) {
    const ids = expandId(id, known);
    return { ids, unknown: ids.length === 0 ? [written] : [] };
  }
  const ids = [expandId(id, known), expandId(to, known)];
  const between = [...known].filter((one) => kindOf(one) === kindOf(id) && isBetween(one, id, to));
  return {
    ids: [...new Set([...ids.flat(), ...between])],
    unknown: [from, end].filter((_, i) => ids[i]?.length === 0),
  };
}

/** The id itself, or its parts: `AC-1` if only `AC-1.1` and `AC-1.2` are defined. */
const expandId = (id: string, known: ReadonlySet<string>): string[] =>
  known.has(id) ? [id] : [...known].filter((one) => one.startsWith(`${id}.`));

let collator: Intl.Collator | undefined;

/** `1.10` comes after `1.9`. Making the collator takes milliseconds, which most commands need not spend. */
export const compareNumbered = (one: string, other: string): number =>
  (collator ??= new Intl.Collator("en", { numeric: true })).compare(one, other);

/** Letters have no order: an id with one is in no range. */
const isBetween = (id: string, from: string, to: string): boolean =>
  [from, id, to].every((one) => /^[A-Z]+-[\d.]+$/.test(one)) &&
  compareNumbered(from, id) < 0 &&
  compareNumbered(id, to) < 0;
