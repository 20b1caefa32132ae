import { parseShell, type Part } from "./shell.ts";
import type { Check } from "./verify.ts";

/** Their failure is what one looks for: `! grep -q old src` and `! test -e old` pass once the work is done. */
const LOOKS = /^(?:[efz]?grep|rg|test|\[\[?|ls|find|fd|which|type|command|cmp|diff)$/;
/** `test $? -ne 0`, after a command that should have failed. */
const FAILED = /^(?:test|\[\[?) "?\$\?"? (?:(?:-ne|-gt|!=) 0|(?:-eq|={1,2}) [1-9])/;
const GIVES_UP = /^(?:false|exit [1-9]\d*)$/;
const SHELL = /^(?:ba|da|z)?sh$/;

/**
 * Whether a check passes only while something is broken, as the step that writes a failing test needs it. The absence of
 * something, which a search finds, is not broken.
 */
export function isInverted({ command, expects }: Pick<Check, "command" | "expects">): boolean {
  const isFailing = expects.kind === "fails" || (expects.kind === "exit" && expects.code !== 0);
  return isFailing
    ? !(parseShell(command)?.parts ?? []).some((part) => looks(wordsOf(part)))
    : isTurned(command);
}

const wordsOf = ({ words }: Part): string[] => words.filter((word) => !/^[A-Za-z_]\w*=/.test(word));

const looks = ([name = "", given]: readonly string[]): boolean =>
  LOOKS.test(name) || (name === "git" && /^(?:grep|diff|ls-files|show-ref)$/.test(given ?? ""));

/** Whether the script turns a failure into a success: with `!`, with `$?`, or by giving up if a command passes. */
function isTurned(command: string): boolean {
  const script = parseShell(command);
  if (script === undefined) return isTurnedIf(command);
  return script.parts.some((part, i) => {
    const words = wordsOf(part);
    const [first = "", ...rest] = words;
    const before = i === 0 ? undefined : wordsOf(script.parts[i - 1] as Part);
    const isAfter = before !== undefined && !looks(before);
    if (first === "!") return !looks(rest);
    if (first.startsWith("(") && first.endsWith(")")) return isTurned(first.slice(1, -1));
    if (SHELL.test(first) && rest[0] === "-c") return isTurned((rest[1] ?? "").slice(1, -1));
    if (FAILED.test(words.join(" "))) return isAfter && before[0] !== "!";
    return part.joint === "&&" && GIVES_UP.test(words.join(" ")) && isAfter;
  });
}

/** `if node repro.js; then exit 1; fi` */
function isTurnedIf(command: string): boolean {
  const [head = "", then = ""] = command.split(";").map((one) => one.trim());
  const [first, ...tried] = head.split(/\s+/);
  const gives = then.replace(/^then\s+/, "");
  return first === "if" && tried[0] !== "!" && !looks(tried) && GIVES_UP.test(gives);
}
