/** Names of specs: what a goal is called, and what may be a name at all. */

const MAX_TERMS = 4;
const MAX_CHARACTERS = 30;

/** Words that say nothing about what a spec is for. */
const EMPTY_WORDS = new Set(
  [
    "a an and any are as at be been being but by can could did do does each every for from had has have he her him his",
    "how i if in instead into is it its just let lets like many may me might more most much must my need needs now of on",
    "only or other our own per please quite really shall she should so some such sure than that the their them then",
    "there these they thing things this those through to too until us using very via want wants was we were what when",
    "where whether which while who whose why will with within would you your",
  ]
    .join(" ")
    .split(" "),
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

/** `User auth`, as somebody chose it, as a name: all of its words, and no number. Undefined if it is no name. */
export function nameFromWords(text: string): string | undefined {
  const name = dropNumber(wordsOf(text).join("-"));
  const isWords = !/[/\\]/.test(text) && name.split("-").length <= MAX_WORDS;
  return isWords && isName(name) ? name : undefined;
}

/** Nobody can say more words than that, and calls it a name. */
const MAX_WORDS = 6;

const MAX_NAME = 64;
/** Windows opens a device by these names, in any folder. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])$/;

/** A name becomes a folder, a branch and a word on a command line: it must not need quotes anywhere. */
export const isName = (text: string): boolean =>
  text.length <= MAX_NAME &&
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u.test(text) &&
  text === text.toLowerCase() &&
  !DEVICE.test(text);

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
export const dropNumber = (name: string): string => name.slice(numberIn(name).length);

/** The number that a name begins with, or the date and time, with the dash after it. */
export const numberIn = (name: string): string => /^\d{3,}(?:-\d{6})?-/.exec(name)?.[0] ?? "";

/** Whether a name has its number already, given by whoever chose it. */
export const isNumbered = (name: string): boolean => /^\d+-/.test(name);

/**
 * Spec Kit counts its features: `007-rate-limit` follows `006-…`, whatever their names. `used` are other names whose
 * numbers count: of branches and of archived features.
 */
export function addNumber(
  name: string,
  taken: readonly string[],
  used: readonly string[] = [],
): string {
  if (isNumbered(name)) return makeUnique(name, taken);
  const highest = Math.max(0, ...[...taken, ...used].map(countOf));
  return `${String(highest + 1).padStart(3, "0")}-${name}`;
}

/** Some projects number by date and time, some branches have a digit less: those are not counts. */
function countOf(name: string): number {
  const digits = /^(\d{3,})-/.exec(name)?.[1] ?? "0";
  const isTime = /^\d{7,8}-\d{6}(?:-|$)/.test(name);
  return isTime || digits.length > MAX_DIGITS ? 0 : Number(digits);
}

/** More digits than that are not exact. */
const MAX_DIGITS = 15;
