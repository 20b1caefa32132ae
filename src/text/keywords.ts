/** Small words, which say nothing about what a text is about. */
const SMALL = new Set(
  `a about above after again all also an and any are as at be because been before being below between both but by can
cannot could did do does doing done down each every few for from further get gets has have having here how i if in
into is it its itself just let like make makes making may me might more most must my need needs new no nor not of
off on once one only onto or other our out over own per same shall should so some such than that the their them then
there these they thing things this those through to too two under until up upon us use used user users uses using
very via want wants was way we well were what when where which while who whom whose why will with within without
would yes you your`.split(/\s+/),
);

/** Words that every goal has, in all their forms. */
const EVERYWHERE =
  `add adds added adding allow allows allowed app application build builds built change changes changed code create
creates created creating enable enables ensure feature features fix fixes fixed function functions goal handle
handles implement implements implemented implementing implementation improve improves improved integrate introduce
provide provides project remove removes removed rename replace replaces show shows spec specs support supports
supported system update updates updated work works`.split(/\s+/);

const MAX_TEXT = 20_000;

/**
 * The words that a text is about, by their stem, as first written: `getUserById` is about an id. Stems are crude but
 * the same everywhere, so that `sessions` matches `session`. Scripts without spaces between words give pairs of
 * characters.
 */
export function keywordsOf(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const unspaced = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
  const split = text
    .slice(0, MAX_TEXT)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase();
  for (const [run] of split.matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const word of unspaced.test(run) ? pairsOf(run) : [run]) {
      const stem = stemOf(word);
      const isWord = /\D/.test(stem) && stem.length > 1 && !SMALL.has(word) && !STOP.has(stem);
      if (isWord && !words.has(stem)) words.set(stem, word);
    }
  }
  return words;
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Each ending and its replacement, longest first. What is left must still be a word. */
const ENDINGS =
  `ications:icat ication:icat icating:icat icated:icat icates:icat icate:icat ations:at ation:at ating:at ated:at
ates:at ate:at ies:y sses:ss ching:ch shing:sh ings: ing: ers:er ed: es: ss:ss us:us is:is s: e:`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [ending: string, instead: string]);

function stemOf(word: string): string {
  for (const [ending, instead] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length) + instead;
    if (stem.length < 3) return word;
    // `logging` and `logged` are about a log.
    return instead === "" ? stem.replace(/([bdgmnprt])\1$/, "$1") : stem;
  }
  return word;
}

const STOP = new Set(EVERYWHERE.map(stemOf));
