/** Names of specs: what a goal is called, and what may be a name at all. */

const MAX_TERMS = 4;
const MAX_CHARACTERS = 30;

/** Words that say nothing about what a spec is for. */
const EMPTY_WORDS = new Set(
  "a an and are as at be by can for from i in into is it its let me my of on or our please should so some that the their them then there these this to us want we when which will with would you your".split(
    " ",
  ),
);

/** `add rate limiting to the API` → `add-rate-limiting-api`. Undefined if a goal has no word in it. */
export function makeName(goal: string): string | undefined {
  const words = wordsOf(goal);
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  let name = "";
  for (const word of (telling.length > 0 ? telling : words).slice(0, MAX_TERMS)) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (longer.length > MAX_CHARACTERS && name !== "") break;
    // Half of a surrogate pair is not a character.
    name = longer.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  }
  if (name === "") return undefined;
  return DEVICE.test(name) ? `new-${name}` : name;
}

/**
 * Letters of other alphabets stay: folder names may contain them. Accents on Latin letters go, as people type names
 * without them; in other alphabets the same marks distinguish letters.
 */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];

const MAX_NAME = 64;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;
/** Windows opens a device by these names, in any folder. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])$/;

/** A name becomes a folder, a branch and a word on a command line: it must not need quotes anywhere. */
export const isName = (text: string): boolean =>
  text.length <= MAX_NAME && NAME.test(text) && text === text.toLowerCase() && !DEVICE.test(text);

export function explainBadName(
  name: string,
): { readonly why: string; readonly fix: string } | undefined {
  if (isName(name)) return undefined;
  const better = makeName(name);
  const example = better !== undefined && isName(better) ? better : "user-login";
  return {
    why: `"${name.slice(0, 100)}" is not a valid name`,
    fix: `use lowercase letters, digits and single dashes, like ${example}, and at most ${MAX_NAME} characters`,
  };
}

/** The name itself, or with `-2`, `-3`, … after it. */
export function makeUnique(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()));
  const isUsed = (one: string): boolean => used.has(one.toLowerCase());
  if (!isUsed(name)) return name;
  for (let n = 2; ; n++) if (!isUsed(`${name}-${n}`)) return `${name}-${n}`;
}

/** `007-rate-limit` without its number. */
export const dropNumber = (name: string): string => name.replace(/^\d{3,}(?:-\d{6})?-/, "");

/** Spec Kit counts its features: `007-rate-limit` follows `006-…`, whatever their names. */
export function addNumber(name: string, taken: readonly string[]): string {
  if (/^\d+-/.test(name)) return makeUnique(name, taken);
  // Some projects number by date and time; those are not counts.
  const numbers = taken.map((one) => Number(/^(\d{3,6})-/.exec(one)?.[1] ?? 0));
  return `${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}-${name}`;
}
