import { parseShell } from "./shell.ts";
import type { Check } from "./verify.ts";

/** Their failure is what one looks for: `! grep -q old src` and `! test -e old` pass once the work is done. */
const LOOKS = /^(?:[efz]?grep|rg|test|\[\[?|ls|find|fd|which|type|command|cmp|diff)$/;

/**
 * Whether a check passes only while something is broken, as the step that writes a failing test needs it. The absence of
 * something, which a search finds, is not broken.
 */
export function isInverted({ command, expects }: Pick<Check, "command" | "expects">): boolean {
  const parts = parseShell(command)?.parts ?? [];
  const isFailing = expects.kind === "fails" || (expects.kind === "exit" && expects.code !== 0);
  const words = parts.map((part) => part.words.filter((word) => !/^[A-Za-z_]\w*=/.test(word)));
  const looks = ([name = "", given]: readonly string[]): boolean =>
    LOOKS.test(name) || (name === "git" && /^(?:grep|diff|ls-files|show-ref)$/.test(given ?? ""));
  if (isFailing) return !words.some(looks);
  return words.some(([first, ...rest]) => first === "!" && !looks(rest));
}
