import { parseShell } from "./shell.ts";

/**
 * What a number after a command is about: a program that counts prints it, one that lists things prints that many
 * lines, one that prints nothing ends with it; "fetch" may mean a status of HTTP. A negated command (`! grep x a`) says
 * "no" itself.
 */
export type CommandKind = "count" | "list" | "prints" | "quiet" | "negated" | "fetch" | "other";

export function kindOf(command: string): CommandKind {
  const parts = parseShell(command)?.parts ?? [];
  // `grep -c x a || echo 0` still counts.
  const part = parts.findLast(
    ({ joint, words }) => joint !== "||" || !/^(?:echo|true|:)$/.test(words[0] ?? ""),
  );
  const words = part?.words.filter((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? [];
  const pipe = parts.findLast(({ joint }) => joint !== "|");
  if (pipe?.words[0] === "!" || (/^(?:test|\[\[?)$/.test(words[0] ?? "") && words[1] === "!"))
    return "negated";
  const [name = "", ...given] = words;
  const has = (flag: RegExp): boolean => given.some((word) => flag.test(word));
  if (/^(?:e|f|z)?grep$|^rg$/.test(name)) {
    if (has(/^-[a-zA-Z]*q|^--quiet$/)) return "quiet";
    return has(/^-[a-zA-Z]*c|^--count$/) ? "count" : "list";
  }
  if (name === "git" && (given[0] === "grep" || given[0] === "rev-list"))
    return has(/^-[a-zA-Z]*c$|^--count$/) ? "count" : "list";
  if (/^(?:wc|bc|expr)$/.test(name)) return "count";
  if (/^(?:test|\[|\[\[|true|false|cmp)$/.test(name) || (/^(?:ba|z)?sh$/.test(name) && has(/^-n$/)))
    return "quiet";
  if (
    (/^(?:ls|find|fd|sort|uniq|comm)$/.test(name) && !has(/^-exec/)) ||
    (name === "git" && /^(?:diff|log|ls-files|branch|status|tag|worktree)$/.test(given[0] ?? ""))
  )
    return "list";
  if (/^(?:curl|wget|http)$/.test(name))
    return has(/%\{(?:http|response)_code\}/) ? "prints" : "fetch";
  if (
    /^(?:jq|yq|awk|sed|echo|printf|cat|head|tail|tr|cut|xargs|stat|psql|sqlite3|date|du|gh|docker|kubectl)$/.test(
      name,
    )
  )
    return "prints";
  if (
    /^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/.test(name.slice(name.lastIndexOf("/") + 1)) &&
    has(/^-(?:c|e|p|r|pe)$/)
  )
    return "prints";
  return "other";
}

/** Whether a command prints one count for each of several files, as `grep -c x a b` does. */
export function countsEachFile(command: string): boolean {
  const [name = "", ...given] = parseShell(command)?.parts.at(-1)?.words ?? [];
  if (name === "wc") {
    const named = given.filter((word) => !word.startsWith("-"));
    return named.length > 1 || named.some((word) => /[*?{]/.test(word));
  }
  if (!/^(?:e|f)?grep$|^rg$/.test(name) || kindOf(command) !== "count") return false;
  const flags = given.filter((word) => word.startsWith("-"));
  if (flags.some((word) => /^-[a-zA-Z]*h|^--no-filename$/.test(word))) return false;
  const files = given.filter((word) => !word.startsWith("-")).slice(flags.includes("-e") ? 0 : 1);
  const isDeep =
    name === "rg" ? files.length === 0 : flags.some((word) => /^-[a-zA-Z]*[rR]/.test(word));
  return isDeep || files.length > 1 || files.some((word) => /[*?{]/.test(word));
}
