import { readNotMine } from "../signal.ts";

/**
 * Those of these uncommitted files of which a report says that they are not its task's: after `NOT_MINE:`, or, if it was
 * `asked` about them, in a line that says so. A path may be a folder, or just the end of one.
 */
export function listDisowned(
  report: string,
  names: readonly string[],
  asked: ReadonlySet<string>,
): string[] {
  if (names.length === 0) return [];
  const said = readNotMine(report).flatMap((line) => [line, ...line.split(",")].map(plain));
  const lines = report.split(/\r?\n/).filter((line) => DISOWNS.test(line));
  return names.filter(
    (name) =>
      said.some((path) => path !== "" && isAt(name, path)) ||
      (asked.has(name) && lines.some((line) => mentions(line, name))),
  );
}

const DISOWNS = /\b(?:not (?:mine|ours|my\b|part of)|left|leave|leaving)\b/i;

const plain = (path: string): string => path.replace(/["'`]/g, "").trim().replace(/^\.\//, "");

const isAt = (name: string, path: string): boolean =>
  name === path ||
  name.endsWith(`/${path}`) ||
  name.startsWith(path.endsWith("/") ? path : `${path}/`);

/** As a whole path: `a.txt` is not in `data.txt`. */
function mentions(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const after = line.slice(at + name.length, at + name.length + 2);
    if (!/[\w./-]/.test(line.charAt(at - 1)) && !/^(?:[\w/-]|\.\w)/.test(after)) return true;
  }
  return false;
}
