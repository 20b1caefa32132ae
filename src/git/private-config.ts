import { namesOf, runGit } from "./run.ts";

/** Settings that would lead back to the repository's own folder, or start programs that outlive a command. */
const LEFT_OUT =
  /^(?:core\.(?:bare|worktree|fsmonitor)|extensions\.(?:worktreeconfig|refstorage)|include\.|includeif\.|gc\.|maintenance\.)/;

/**
 * A copy of the repository's settings for another git folder of the same work tree. The user's name is copied too,
 * because it may depend on where git's folder is.
 */
export function formatPrivateConfig(top: string): string {
  const { out } = runGit(top, ["config", "--list", "--show-scope", "-z"]);
  const fields = namesOf(out);
  const settings = fields.flatMap((scope, i) => {
    if (i % 2 === 1) return [];
    const [key = "", ...value] = (fields[i + 1] ?? "").split("\n");
    const isOwn = scope === "local" || scope === "worktree";
    const isName = scope === "global" && /^(?:user|author|committer)\./.test(key);
    if ((!isOwn && !isName) || LEFT_OUT.test(key)) return [];
    return [formatSetting(key, value.length === 0 ? "true" : value.join("\n"))];
  });
  const own = [
    ["core.bare", "false"],
    ["core.worktree", top],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
  ] as const;
  return [...settings, ...own.map(([key, value]) => formatSetting(key, value))].join("");
}

/** `remote.origin.url` becomes `[remote "origin"] url = "…"`. */
function formatSetting(key: string, value: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const quote = (text: string): string =>
    `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  const below = first === last ? "" : ` ${quote(key.slice(first + 1, last))}`;
  return `[${key.slice(0, first)}${below}]\n\t${key.slice(last + 1)} = ${quote(value)}\n`;
}
