import { parseShell, type Part, type Script } from "./shell.ts";

/** Why a command never fails, and what to write instead. */
export interface Vacuum {
  readonly why: string;
  readonly fix: string;
  /** It prints the same whatever happens, so words about its output do not help. */
  readonly isConstant: boolean;
}

type Ending = "passes" | "fails" | "either";

/** With these the shell may stop before its last command, or a pipe may fail anywhere in it. */
const STOPS = new Set(["exit", "return", "exec", "set", "trap", "kill"]);

/** Why the exit code of a command says nothing; undefined if it may say something. */
export function findVacuum(command: string): Vacuum | undefined {
  const script = parseShell(command);
  if (script === undefined || scriptEnding(script, true) !== "passes") return undefined;
  return { ...explain(script, command), isConstant: script.parts.every(isConstant) };
}

interface Place {
  /** The only command there is. */
  readonly isLonely: boolean;
  /** Not within `sh -c '…'`. */
  readonly isOutermost: boolean;
}

function scriptEnding({ parts }: Script, isOutermost: boolean): Ending {
  const stops = parts.filter(({ words }) => STOPS.has(words[0] ?? ""));
  const end = parts.at(-1);
  const isExit0 = end !== undefined && stops.length === 1 && end.words.join(" ") === "exit 0";
  if (end === undefined || (stops.length > 0 && !isExit0)) return "either";
  const last = parts.slice(
    Math.max(
      0,
      parts.findLastIndex(({ joint }) => joint === ";"),
    ),
  );
  return chainEnding(last, { isLonely: parts.length === 1, isOutermost });
}

/** `a && b || c`: from left to right, each pipe is run or not by how the one before it ended. */
function chainEnding(parts: readonly Part[], place: Place): Ending {
  let ending: Ending = "passes";
  for (const [i, pipe] of pipesOf(parts).entries()) {
    const own = pipeEnding(pipe, place);
    const joint = pipe[0]?.joint;
    if (i === 0 || joint === ";" || joint === "") ending = own;
    else if (joint === "&&") ending = ending === "passes" ? own : either(ending, own, "fails");
    else ending = ending === "fails" ? own : either(ending, own, "passes");
  }
  return ending;
}

const either = (before: Ending, own: Ending, kept: Ending): Ending =>
  before === kept || own === kept ? kept : "either";

const pipesOf = (parts: readonly Part[]): Part[][] => {
  const pipes: Part[][] = [];
  for (const part of parts) {
    if (part.joint === "|") pipes.at(-1)?.push(part);
    else pipes.push([part]);
  }
  return pipes;
};

/** A pipeline exits with the code of its last command. */
function pipeEnding(pipe: readonly Part[], place: Place): Ending {
  const [first] = pipe;
  const last = pipe.at(-1);
  if (first === undefined || last === undefined) return "either";
  const isTurned = first.words[0] === "!";
  const own = partEnding(
    isTurned && first === last ? { ...last, words: last.words.slice(1) } : last,
    pipe.length > 1,
    place,
  );
  if (!isTurned || own === "either") return own;
  return own === "passes" ? "fails" : "passes";
}

/** They print what they are given, and do not mind what it is. */
const FILTERS = new Set([
  "cat",
  "head",
  "tail",
  "wc",
  "sort",
  "uniq",
  "tr",
  "cut",
  "nl",
  "rev",
  "column",
  "tee",
  "fold",
  "less",
  "more",
]);
/** Arguments of these in a pipe are not files. */
const WITH_WORDS = new Set(["tr", "cut", "sort", "tee", "column", "fold"]);

function partEnding({ words, reads }: Part, isPiped: boolean, place: Place): Ending {
  const from = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (from === -1) return words.some((word) => /[$`]/.test(word)) ? "either" : "passes";
  const [name = "", ...given] = words.slice(from);
  const plain = given.filter((word) => !word.startsWith("-"));
  if (reads) return "either";
  if (/^(?:true|:|echo|sleep|export|exit)$/.test(name)) return "passes";
  // It passes without a match.
  if (name === "find" && !given.some((word) => /^-(?:exec|ok)/.test(word))) return "passes";
  if (name === "printf") return "passes";
  if (name === "false") return "fails";
  // Going to the project says nothing about the work in it.
  if (name === "cd") return place.isLonely ? "either" : "passes";
  if (/^(?:ba|z)?sh$/.test(name)) return place.isOutermost ? shellEnding(given) : "either";
  if (name === "rm") return given.some((word) => /^-\w*f/.test(word)) ? "passes" : "either";
  if (name === "ls") return plain.length === 0 ? "passes" : "either";
  if (name === "git") return gitEnding(given);
  if (!isPiped) return "either";
  if (FILTERS.has(name))
    return WITH_WORDS.has(name) || plain.every((word) => /^\+?\d+$/.test(word))
      ? "passes"
      : "either";
  if (name === "sed")
    return plain.length === 1 && !/[qQ]/.test(plain.join("")) ? "passes" : "either";
  if (name === "awk")
    return plain.length === 1 && !/exit/.test(plain.join("")) ? "passes" : "either";
  return "either";
}

/** `sh -c '…'` ends as its script does. */
function shellEnding(given: readonly string[]): Ending {
  const [flag, text = "", ...more] = given;
  const [, code] = /^(['"])([^]*)\1$/.exec(text)?.slice(1) ?? [];
  if (flag !== "-c" || code === undefined || more.length > 0) return "either";
  const script = parseShell(code);
  return script === undefined ? "either" : scriptEnding(script, false);
}

function gitEnding(given: readonly string[]): Ending {
  const [verb = "", ...rest] = given;
  if (verb === "status" || verb === "log") return "passes";
  const isAsked = rest.some((word) => /^--(?:exit-code|quiet|check|no-index)$/.test(word));
  return verb === "diff" && !isAsked ? "passes" : "either";
}

const isConstant = ({ words }: Part): boolean =>
  /^(?:true|:|echo|printf|sleep)$/.test(words[0] ?? "") && !words.some((word) => /[$`]/.test(word));

function explain({ parts }: Script, command: string): { why: string; fix: string } {
  const last = parts.at(-1) as Part;
  const text = last.words.join(" ");
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  const say = "or say after it what it must print: `…` prints 3";
  if (parts.every(isConstant))
    return {
      why: `\`${shown}\` does the same whether the task is done or not`,
      fix: "Write a command that exits with 0 only when the task is done.",
    };
  if (last.joint === "||")
    return {
      why: `it ends with \`|| ${shown}\`, which passes when the rest fails`,
      fix: `Remove \`|| ${shown}\`, ${say}.`,
    };
  if (last.joint === "|") {
    const isCount = /^wc\b/.test(text);
    return {
      why: `a pipeline exits with the code of its last command, and \`${shown}\` always succeeds`,
      fix: isCount
        ? `Say after it what it must print: \`${command.length > 80 ? "…" : command}\` returns 3; or use grep -q.`
        : `Remove \`| ${shown}\`, ${say}.`,
    };
  }
  if (last.joint === ";")
    return {
      why: `it ends as \`${shown}\` does, which does not fail`,
      fix: `Join the commands with && instead of ; or new lines, ${say}.`,
    };
  return {
    why: `\`${shown}\` does not fail`,
    fix: `Write a command that exits with 0 only when the task is done, ${say}.`,
  };
}
