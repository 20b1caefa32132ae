import {
  INTENT_IDS,
  intentOf,
  type IntentGuess,
  type IntentId,
  type SpecIntent,
} from "./intent.ts";

/*
 * What kind of work a goal is, by its words. What the goal begins with says what is asked for; nouns later on say what
 * it is about: "add an option … the error must name the flag" adds something, whatever else it mentions.
 */

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const FIX = wordsOf("fix fixes fixing repair resolve debug correct hotfix");
const TIDY = wordsOf(
  "refactor refactoring restructure reorganize reorganise simplify extract decouple modularize modularise deduplicate consolidate unify untangle rewrite migrate split inline move convert replace cleanup port tidy",
);
const EDIT = wordsOf("rename reword bump tweak retitle respell");
const CHANGE = wordsOf(
  "change update set remove delete drop adjust increase decrease raise lower add replace make use",
);
const BUILD = wordsOf(
  "build create write develop make design start launch implement generate bootstrap scaffold prototype",
);
/** These never begin anything small. */
const BEGIN = wordsOf("bootstrap scaffold prototype");
const EXTEND = wordsOf(
  "add support allow enable implement show let extend expose provide accept handle improve integrate print log cache retry introduce count display document test cover use validate warn report return send store track limit include offer make create write build change update set remove delete drop adjust increase decrease raise lower ensure skip read parse check warn hide sort filter refuse reject require ask notify speed upgrade switch connect sync load save keep run generate publish expire list turn detect find stream throttle highlight render compress format escape normalize normalise measure export import download upload open close watch wait encrypt sign schedule option",
);

const TIDY_PHRASE =
  /^(?:make\b.*\b(?:easier to (?:test|read|change)|simpler|cleaner|testable)|clean\w* up|get rid of|break up|pull out|upgrade from|use\b.*\binstead of|(?:remove|reduce|eliminate)\b.*\bduplicat\w*)\b/;

const WISH = /\b(?:should|must|can) be able to\b|\bas an? \w+,? i want\b/;
/** Only a verb is followed by an article. */
const VERB =
  /^(?!\w+ing |when |if |on |in |at |with |after |for |while |since |as |is |are |not )[a-z]+ (?:the|an?|all|each|every|our|its|their) /;

/** What is new as a whole, if it is what a goal builds. */
const SYSTEM =
  /^(?:apps?|applications?|(?:micro)?services?|clis?|tools?|websites?|sites?|library|libraries|packages?|sdks?|frameworks?|platforms?|systems?|servers?|bots?|games?|dashboards?|portals?|plugins?|extensions?|apis?|engines?|compilers?|interpreters?|crawlers?|scrapers?|backends?|frontends?|monorepos?|projects?|prototypes?|mvps?|clones?|alternatives?|daemons?|shops?|stores?|simulators?|editors?|generators?|trackers?)$/;
/** What stands between a verb and the noun that it is about. */
const BOUNDARY =
  /\s(?:that|which|who|where|when|for|with|without|to|in|on|at|from|of|so|using|and|as|like|if|by|into|between|per)\s|[,;:.()]/;

const TYPO =
  /\b(?:typos?|misspell\w*|spelling|wording|grammar|commas?|punctuation|whitespace|indentation|copyright)\b/;
const DETAIL =
  /\b(?:default|labels?|colou?rs?|text|titles?|version|timeout|port|year|messages?|icon|logo|padding|margin|links?|urls?|imports?|constants?|tagline|caption|placeholder|unused|obsolete|commented[- ]out|dead code|readme|changelog)\b/;

/** A fact that somebody complains about. */
const SYMPTOM =
  /\b(?:crash(?:es|ed|ing)?|broken|breaks|fail(?:s|ed|ing|ure|ures)?|hang(?:s|ing)?|freez(?:es?|ing)|leak(?:s|ed|ing)?|regressions?|bugs?|flaky|wrong(?:ly)?|incorrect(?:ly)?|throws|errors?|exceptions?|segfaults?|panics|deadlocks?|race condition|duplicates?|corrupt(?:s|ed)?|ignore[sd]|off by|no longer|instead of|cannot|stuck|lost|loses|vanish(?:es)?|disappears?|infinite loop|currently)\b/g;
const REFUSED = /\bcan['’]t\b|\b(?:can|does|do|is|are|did|was|has|wo|could)(?:n['’]t| not)\b/g;
const ODD_RESULT =
  /\b(?:produces?|returns?|shows?|gives?|answers?|prints?|displays?|responds?|gets?|outputs?)\b[^.;]{0,40}\b(?:empty|nothing|null|undefined|nan|[45]\d\d|stale|twice|double|garbage|blank)\b/g;

const PREAMBLE =
  /^(?:(?:please|pls|hi|hey|hello|ok|so|now|also|just|can you|could you|would you|i want you to|i want to|i want|i need to|i need|i['’]d like to|i['’]d like|i would like to|we want to|we want|we need to|we need|we should|we have to|let['’]s|lets|help me to|help me|the goal is to|goal|todo|task|feature|new project|feature request|it would be (?:nice|great) to)\b[\s,:!-]*)+/;
const WHY = /^(?:investigate|find out|figure out|diagnose|look into|track down)\b/;
/** What must not happen, and what is not there, is not what the goal is about. */
const NEGATED =
  /\b(?:(?:must|should|shall|may|will|would|to)\s+(?:not|never)|never|no(?! longer)|without|avoid(?:ing|s)?|nor|not(?= (?:a|an|the|only|just)\b))\s+(?:(?:a|an|the|any|more|all|be)\s+)?\w+(?:\s+(?:or|and|nor)\s+\w+|\s+\w+)?/g;
/** "It is a mess, split it": what is asked for comes second. */
const LATER_VERB = new RegExp(`[,;:.] (?:please |so |and )?(${[...FIX, ...TIDY].join("|")})\\b`);
/** From here on, a goal says why. */
const PURPOSE = /\b(?:so that|in order to|because|to avoid|to prevent)\b[^.;\n]*/g;
/** Names and quotations are not the user's own words. */
const QUOTED = /`[^`\n]*`|"[^"\n]*"|“[^“”\n]*”/g;

type Scores = Record<IntentId, number>;

/** How a goal reads: a suggestion, which the user, or an agent that has read more, may overrule. */
export function classifyIntent(goal: string): IntentGuess {
  const text = goal.slice(0, MAX_TEXT).toLowerCase().replace(QUOTED, "…");
  const said = text.trim().replace(PREAMBLE, "");
  const scores = scoreLater(readLead(said), said);
  const [best, second] = INTENT_IDS.toSorted((a, b) => scores[b] - scores[a]) as [
    IntentId,
    IntentId,
  ];
  const margin = scores[best] - scores[second];
  if (margin < MEDIUM) return { intent: intentOf("mid-sized"), confidence: "low" };
  return { intent: intentOf(best), confidence: margin >= HIGH ? "high" : "medium" };
}

/** What the state says counts; an older version did not note who said it. */
export function readIntent(
  goal: string,
  said: { readonly intent?: string; readonly intentBy?: "user" | "agent" },
): SpecIntent {
  const guess = classifyIntent(goal);
  const { confidence } = guess;
  if (said.intentBy === undefined && (said.intent ?? guess.intent.id) === guess.intent.id)
    return { intent: guess.intent, by: "goal", confidence };
  return { intent: intentOf(said.intent), by: said.intentBy ?? "unknown", confidence };
}

const MAX_TEXT = 4000;
const LEAD = 4;
const HIGH = 4;
const MEDIUM = 2;
const MAX_SYMPTOMS = 3;
/** In words: a longer sentence changes more than a detail. */
const MAX_EDIT = 14;

/** What the first words ask for. */
function readLead(said: string): IntentId | undefined {
  const [verb = ""] = /^[a-z]+/.exec(said) ?? [];
  const head = said.split(/[.;:\n]|\s(?:so that|because|if|when|until)\s/, 1)[0] as string;
  const isDetail = head.split(/\s+/).length <= MAX_EDIT && DETAIL.test(head);
  const isEdit = CHANGE.has(verb) || FIX.has(verb) || EDIT.has(verb) || /^typos?$/.test(verb);
  if (isEdit && TYPO.test(head)) return "trivial";
  if (buildsSystem(said)) return "greenfield";
  if (EDIT.has(verb)) return "trivial";
  if (FIX.has(verb) || WHY.test(said)) return "bug-fix";
  if (/^(?:stop|prevent|keep)\b.*\bfrom\b/.test(head) && countSymptoms(head) > 0) return "bug-fix";
  if (TIDY_PHRASE.test(head)) return "refactor";
  if (TIDY.has(verb) && !(verb === "replace" && isDetail)) return "refactor";
  if (CHANGE.has(verb) && verb !== "add" && isDetail) return "trivial";
  return EXTEND.has(verb) || VERB.test(said) || WISH.test(said) ? "mid-sized" : undefined;
}

/** Whether something new as a whole is to be built: `a Slack bot` of "I want a Slack bot that …". */
function buildsSystem(said: string): boolean {
  const verbs = /^(?:([a-z]+) and )?(set up|[a-z]+) /.exec(said);
  const verb = verbs?.[2] ?? "";
  if (BEGIN.has(verb)) return true;
  const isBuilt = BUILD.has(verb) || verb === "set up";
  const object = isBuilt ? said.slice(verbs?.[0].length) : said;
  const [, article = ""] = /^(an?|the|our|my|another)\s/.exec(object) ?? [];
  const isNew = /^an?$|^another$/.test(article) || /^(?:create|build|develop|design)$/.test(verb);
  const noun = (object.split(BOUNDARY, 1)[0] as string).trim().split(/\s+/).at(-1) ?? "";
  return isNew && SYSTEM.test(noun);
}

function countSymptoms(text: string): number {
  const plain = text.replace(PURPOSE, " ").replace(NEGATED, " ");
  const complaints = /\bbut (?:it |they )?should\b/.test(text) ? 1 : 0;
  return [SYMPTOM, REFUSED, ODD_RESULT].reduce(
    (sum, signs) => sum + (plain.match(signs) ?? []).length,
    complaints,
  );
}

/** Everything else counts little, unless nothing clearer was said. */
function scoreLater(lead: IntentId | undefined, said: string): Scores {
  const scores: Scores = { "bug-fix": 0, refactor: 0, trivial: 0, greenfield: 0, "mid-sized": 0 };
  const symptoms = Math.min(countSymptoms(said), MAX_SYMPTOMS);
  const isNew = /\bfrom scratch\b|\bgreenfield\b|\bmvp\b/.test(said.replace(NEGATED, " "));
  if (lead !== undefined) {
    scores[lead] += LEAD;
    scores["bug-fix"] += symptoms / 2;
    if (isNew) scores.greenfield += 2;
    return scores;
  }
  if (symptoms > 0) scores["bug-fix"] += 2 + symptoms;
  if (isNew) scores.greenfield += 3;
  const later = LATER_VERB.exec(said)?.[1];
  if (later !== undefined) scores[TIDY.has(later) ? "refactor" : "bug-fix"] += 3;
  if (symptoms === 0 && (TYPO.test(said) || /^s\/\S+\//.test(said))) scores.trivial += 3;
  return scores;
}
