import { type Claim, type Meaning, NEGATION, readClaim, type Verb } from "./claims.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { kindOf } from "./command-kind.ts";
import { EXIT_0, type Expectation } from "./expectation.ts";

/** What is said about a command, understood or not. */
export interface Reading {
  readonly expects: Expectation;
  /** The claim that is not understood. */
  readonly unclear?: string;
}

/** What the words around a command make of it. `said` comes after it, `label` before it. */
export function readWords(command: string, said: string, label: string): Reading {
  const own = readSaid(command, said, false);
  const before = label.trim() === "" ? undefined : readSaid(command, label, true);
  if (own !== undefined)
    return before?.expects.kind === "any" && own.expects.kind === "exit" ? before : own;
  if (before === undefined) return { expects: EXIT_0 };
  // A label is often just a name.
  return before.unclear !== undefined && before.expects.kind === "exit"
    ? { expects: EXIT_0 }
    : before;
}

/** Undefined if nothing is said. */
function readSaid(command: string, said: string, isLabel: boolean): Reading | undefined {
  const { clauses, values } = readClauses(said);
  const kind = kindOf(command);
  const read = clauses.map((clause) => ({
    clause,
    meaning: meaningOf({ command, kind, values }, clause, isLabel),
  }));
  const main = read.filter(({ clause }) => !clause.isAside);
  // What is in parentheses explains what was said before it.
  const used = main.some(({ meaning }) => meaning !== "remark") ? main : read;
  const told = used.filter(({ meaning }) => meaning !== "remark");
  if (told.length === 0) return undefined;
  const found = new Map<string, Expectation>();
  for (const { meaning } of told) {
    if (typeof meaning === "object" && !isExit0(meaning))
      found.set(JSON.stringify(meaning), meaning);
  }
  const [expects = EXIT_0] = found.values();
  const unclear = told.filter(({ meaning }) => meaning === "unclear").map(({ clause }) => clause);
  // "fails before and passes after" is about two runs.
  const isTorn = expects.kind === "fails" && told.some(({ meaning }) => meaning === "good");
  if (found.size > 1 || isTorn) return { expects: { kind: "any" }, unclear: said.trim() };
  const [first] = unclear;
  if (first === undefined) return { expects };
  const mayTurn = unclear.some(({ text }) => text === "or" || NEGATION.test(text));
  return { expects: mayTurn && isExit0(expects) ? { kind: "any" } : expects, unclear: first.raw };
}

const isExit0 = (one: Expectation): boolean => one.kind === "exit" && one.code === 0;

const LEAD =
  /^(?:→|=|should|must|will|shall|can|may|still|now|also|always|it|this|that|which|they|both|each|all|command|commands|to|expects?|expected|expecting|expectation|verify|ensure|check|confirm|assert|asserts|result(?:s|ing)?(?: in)?|(?:non-?)?output is|so)(?= |$)/;
const VERBS: readonly (readonly [Verb, RegExp])[] = [
  ["returns", /^(?:returns?|returned)(?= |$)/],
  [
    "prints",
    /^(?:prints?|printed|outputs?|gives?|reports?|produces?|yields?|emits?|writes?|says?|counts?|stdout)(?= |$)/,
  ],
  ["shows", /^(?:shows?|displays?|lists?)(?= |$)/],
  ["shows", /^finds?(?= (?:nothing|no|zero|at|exactly|more|[\d<>=]))/],
  ["is", /^(?:is|are|be|equals?|gets?|stays?|remains?|value)(?= |$)/],
];
const FILLER =
  /^(?:an?|the|count|value|number|total|string|text|of|exactly|precisely|just|only|exact|literal|to|:)(?= |$)/;

function meaningOf(
  about: Pick<Claim, "command" | "kind" | "values">,
  { text, raw, isAside }: Clause,
  isLabel: boolean,
): Meaning {
  let rest = text;
  let verb: Verb | undefined;
  let isLed = false;
  let isOfEach = false;
  for (;;) {
    const lead = LEAD.exec(rest);
    const found = VERBS.find(([, regex]) => regex.test(rest));
    const filler = verb === undefined && !isLed ? null : FILLER.exec(rest);
    const [taken] = lead ?? found?.[1].exec(rest) ?? filler ?? [];
    if (taken === undefined) break;
    if (lead !== null) isLed = true;
    else verb ??= found?.[0];
    isOfEach ||= taken === "both" || taken === "each";
    rest = rest.slice(taken.length).trimStart();
  }
  if (rest === "") return verb === undefined ? "remark" : "unclear";
  const meaning = readClaim({ ...about, rest, raw: raw.slice(-rest.length), verb, isLed });
  // What two commands print is one text for us.
  if (
    isOfEach &&
    typeof meaning === "object" &&
    !["exit", "fails", "silent"].includes(meaning.kind)
  )
    return "unclear";
  if (meaning !== undefined) return meaning;
  // `! grep -q x a` (no x is left): the command says it itself.
  if (about.kind === "negated" && (isAside || isLabel)) return "remark";
  return isRemark(rest, text, isAside, verb !== undefined) ? "remark" : "unclear";
}

/** "at the repository root", "(lint)", "in CI": no claim about what happens. */
function isRemark(rest: string, text: string, isAside: boolean, hasVerb: boolean): boolean {
  if (hasVerb || NEGATION.test(text)) return false;
  if (isAside) return !/(?:>=|<=|[<>=→]|should|must|expect)/.test(text);
  return (
    /^(?:in|at|on|from|for|via|using|under|inside|within|locally|run|runs|against|i\.e|e\.g|etc|or equivalent)(?= |$)/.test(
      rest,
    ) && !/(?:should|must|expect|>|<)/.test(text)
  );
}
