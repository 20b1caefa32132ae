import type { CommandKind } from "./command-kind.ts";
import type { Comparison, Expectation } from "./expectation.ts";

/** A claim is an expectation, a word that exit 0 stands for, a remark, or something that we do not understand. */
export type Meaning = Expectation | "good" | "remark" | "unclear";

/** "returns 3" may be about the exit code, "prints 3" is not, "shows x" is about a part, and "is 3" can be all of it. */
export type Verb = "returns" | "prints" | "shows" | "is";

export interface Claim {
  readonly command: string;
  readonly kind: CommandKind;
  /** Without the words that lead to it. */
  readonly rest: string;
  /** The same, as the author wrote it. */
  readonly raw: string;
  readonly verb: Verb | undefined;
  readonly isLed: boolean;
  readonly values: readonly string[];
}

/** Words that may turn a claim round. */
export const NEGATION =
  /(?<![\w/«-])(?:not|no|never|nothing|none|neither|nor|absent|missing|gone|fail\w*|error\w*|removed?|deleted?|without|\w+n['’]t|cannot|empty|zero|red|lacks?|hides?|0|false|unless|except|instead)(?![\w/»-])/;
const CONDITION =
  /(?<![\w-])(?:or|unless|except|if|when|but|not|other|outside|besides|than|until|instead)(?![\w-])/;

const isPlain = (tail: string | undefined): boolean => !CONDITION.test(tail ?? "");

const EXIT =
  /^(?:exit|exits|exited|exiting|code|status|rc|with)(?: (?:with|code|status|exit|an?|the|of|=|is))* (\d{1,3}|non-?zero|non zero|zero|successfully|cleanly|success|ok)(?= |$)(.*)$/;

function readExit({ kind, rest }: Claim): Meaning | undefined {
  const [, code, tail] = EXIT.exec(rest) ?? [];
  if (code === undefined)
    return /^non-?zero$/.test(rest)
      ? kind === "count"
        ? { kind: "number", is: ">", value: 0 }
        : { kind: "fails" }
      : undefined;
  if (!isPlain(tail)) return "unclear";
  if (code.startsWith("non")) return { kind: "fails" };
  return { kind: "exit", code: /^\d/.test(code) ? Number(code) : 0 };
}

const THINGS =
  "match|matches|result|results|hit|hits|line|lines|occurrence|occurrences|entry|entries|reference|references|file|files|finding|findings|row|rows|commit|commits|times|instances";
const NOTHING = new RegExp(
  `^(?:nothing|empty|blank|none|silent|(?:an? )?empty (?:output|string|result|line)|(?:not|does not|doesn['’]t|never|do not|don['’]t) (?:return|print|output|find|show|produce|yield|have|match|contain) (?:anything|any (?:output|${THINGS}))|(?:no|zero|0)(?: more| remaining| other)? (?:output|stdout|content|${THINGS}))(?= |$)(.*)$`,
);

function readNothing({ kind, rest }: Claim): Meaning | undefined {
  const [, tail] = NOTHING.exec(rest) ?? [];
  if (tail === undefined) return undefined;
  if (!isPlain(tail)) return "unclear";
  if (kind === "negated") return "good";
  // It never prints anything.
  if (kind === "quiet") return "unclear";
  return kind === "count" ? { kind: "number", is: "=", value: 0 } : { kind: "silent" };
}

const NUMBER =
  /^(?:has |have )?(?:(at least|at most|more than|greater than|fewer than|less than|up to|over|under|minimum|min|max|maximum|>=|<=|>|<|=)(?: or equal to)? )?(-?\d+(?:\.\d+)?)(\+?)(?: (or more|or greater|or higher|or less|or fewer))?(?= |$)(.*)$/;
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "at least": ">=",
  minimum: ">=",
  min: ">=",
  ">=": ">=",
  "or more": ">=",
  "or greater": ">=",
  "or higher": ">=",
  "+": ">=",
  "at most": "<=",
  "up to": "<=",
  max: "<=",
  maximum: "<=",
  "<=": "<=",
  "or less": "<=",
  "or fewer": "<=",
  "more than": ">",
  "greater than": ">",
  over: ">",
  ">": ">",
  "fewer than": "<",
  "less than": "<",
  under: "<",
  "<": "<",
};
const THING = new RegExp(`^(?:\\w+ )?(?:${THINGS})(?: .*)?$`);

const BAD = /^(?:errors?|warnings?|failures?|issues?|violations?|problems?|regressions?)$/;

function readNumber({ kind, rest, verb, isLed, values }: Claim): Meaning | undefined {
  const quoted = /^«(\d+)»$/.exec(rest)?.[1];
  const text = quoted === undefined ? rest : (values[Number(quoted)] as string).toLowerCase();
  const [, word = "", digits, plus = "", after = "", tail = ""] = NUMBER.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const is = COMPARISONS[word] ?? COMPARISONS[after] ?? COMPARISONS[plus] ?? "=";
  const value = Number(digits);
  // `3.12` is a version if nothing counts or compares.
  if (digits.includes(".") && is === "=" && kind !== "count" && kind !== "prints") return undefined;
  const noun = tail.trim();
  if (!isPlain(noun)) return "unclear";
  const isBound = is !== "=" || word !== "";
  if (kind === "count") return { kind: "number", is, value };
  if (kind === "negated" || (kind === "quiet" && (isBound || noun !== ""))) return "unclear";
  if (THING.test(noun) || (kind === "list" && /^\w+$/.test(noun) && !BAD.test(noun)))
    return { kind: "lines", is, value };
  if (noun !== "") return undefined;
  if (verb === undefined && !isLed && !isBound) return undefined;
  if (kind === "quiet") return { kind: "exit", code: value };
  if (kind === "list") {
    // "grep x a returns 0" may be about lines or about the exit code.
    if (value === 0 && verb === "returns") return "unclear";
    return value === 0 && is === "=" ? { kind: "silent" } : { kind: "lines", is, value };
  }
  if (kind === "fetch") return "unclear";
  if (kind === "prints" || verb === "prints" || verb === "shows" || is !== "=")
    return { kind: "number", is, value };
  return verb === "returns" && value >= 0 && value <= 255
    ? { kind: "exit", code: value }
    : "unclear";
}

const CONTAINS =
  /^(?:contains?|containing|includes?|including|mentions?|has|have)(?: (?:an?|the|text|string|line|word|message))* «(\d+)»(?: (?:in|on|at|somewhere|line)\b.*)?$/;

function readText({ command, kind, rest, raw, verb, isLed, values }: Claim): Meaning | undefined {
  const contained = CONTAINS.exec(rest)?.[1];
  if (contained !== undefined)
    return { kind: "contains", text: values[Number(contained)] as string };
  if (verb === undefined && !isLed) return undefined;
  const quoted = /^«(\d+)»$/.exec(rest)?.[1];
  const text = quoted === undefined ? readBareText(command, raw, verb) : values[Number(quoted)];
  if (text === undefined || text === "") return undefined;
  if (kind === "quiet" || kind === "negated") return "unclear";
  // grep prints the whole line.
  return { kind: verb === "shows" || kind === "list" ? "contains" : "prints", text };
}

/** `true`, `1.2.0` and `3.12` are texts without quotes too, and so is PASS, if the command can say it. */
function readBareText(command: string, raw: string, verb: Claim["verb"]): string | undefined {
  if (/^(?:true|false|null|\d+(?:\.\d+)+)$/i.test(raw)) return raw;
  const isMark = /^[A-Z][A-Z0-9_]+$/.test(raw) && raw !== "OK";
  return (isMark && verb !== undefined && verb !== "is") ||
    (/^[A-Z][\w:-]+$/.test(raw) && command.includes(raw))
    ? raw
    : undefined;
}

const FAILURE =
  /^(?:(?:fails?|failed|failing|failures?|errors? out|does not pass|doesn['’]t pass|not pass|red)(?: (?:with|because|due|since|as|first|initially|before|for|in|on|at|here|now)(?= |$).*)?|errors?)$/;

/** "expect failure" is about the run; "shows failure handling" is about what it prints. */
function readFailure({ kind, rest, verb }: Claim): Meaning | undefined {
  if (!FAILURE.test(rest)) return undefined;
  return isPlain(rest.replace(/^(?:does )?not pass/, "")) && kind !== "count" && verb !== "shows"
    ? { kind: "fails" }
    : "unclear";
}

const NO_ERRORS =
  /(?:^|[ :])(?:no|zero|0|without|without any)(?: [\w/-]+){0,2} (?:errors?|warnings?|failures?|issues?|violations?|problems?|regressions?|diagnostics)(?= |$)/;
const GOOD =
  /(?<![\w-])(?:pass(?:es|ed|ing)?|succeeds?|succeeded|success|successful|successfully|works?|working|green|clean|cleanly|ok|okay|builds?|compiles?|completes?|valid|parses|resolves?|loads|imports)(?![\w-])/;
const FOUND =
  /^(?:matche?s?|a match|matches found|found|finds?(?: (?:it|them|a match|matches))?|present|appears?|exists?|one match|non-?empty(?: output)?|(?:has |have )?output|results?)(?: .*)?$/;
const NOT_FAILING =
  /^(?:does not|doesn['’]t|do not|don['’]t|never|not) (?:fail|fails|crash|crashes|error|throw|break)$/;

function readGood({ command, kind, rest, verb }: Claim): Meaning | undefined {
  const isSearch = kind === "list" || kind === "count";
  if (NO_ERRORS.test(rest)) return isSearch || !isPlain(rest) ? "unclear" : "good";
  if (NOT_FAILING.test(rest) || / exits?(?: with)?(?: code)? 0$/.test(rest)) return "good";
  if ((isSearch || kind === "quiet") && FOUND.test(rest) && isPlain(rest) && !NEGATION.test(rest)) {
    // Unlike grep it passes without a match.
    if (command.startsWith("find ")) return { kind: "lines", is: ">=", value: 1 };
    return kind === "count" ? "unclear" : "good";
  }
  if (/^(?:exists?|present)$/.test(rest)) return "good";
  if (!GOOD.test(rest) || NEGATION.test(rest) || !isPlain(rest)) return undefined;
  if (verb === "shows" && !/pass|green|succe/.test(rest) && kind !== "other") return undefined;
  // A search that comes back "clean" found nothing.
  return isSearch && /clean|green|ok|valid/.test(rest) ? "unclear" : "good";
}

/** What a claim means; undefined for "nothing that we know". */
export const readClaim = (claim: Claim): Meaning | undefined =>
  readExit(claim) ??
  readNothing(claim) ??
  readNumber(claim) ??
  readText(claim) ??
  readFailure(claim) ??
  readGood(claim);
