import type { LineDiagnostic } from "../text/diagnostic.ts";
import { readMarkdown } from "../text/markdown.ts";

/** The rules that a project has given itself. */
export interface Constitution {
  /** `1.2.0`, if it has a line that says so. */
  readonly version: string | undefined;
  /** When it was last changed, `2026-11-16`. */
  readonly amended: string | undefined;
  /** What its principles are called. */
  readonly principles: readonly string[];
}

/** `[PROJECT_NAME]` and the like, in Spec Kit's template; `<principle name>` in ours. */
const PLACEHOLDER = /\[[A-Z][A-Z0-9_]{2,}\]/;
const UNFILLED = /\[(?:PROJECT_NAME|PRINCIPLE_1_NAME)\]|<(?:project|principle) name>/;

/** Undefined if it says nothing yet: empty, or still the template. */
export function parseConstitution(text: string): Constitution | undefined {
  const shown = shownText(text);
  if (shown.trim() === "" || UNFILLED.test(shown)) return undefined;
  const titlesAt = (wanted: number): string[] =>
    readMarkdown(text)
      .filter(({ level, text: title }) => level === wanted && !PLACEHOLDER.test(title))
      .map(({ text: title }) => title);
  const principles = titlesAt(3);
  return {
    version: VERSION.exec(shown)?.[1],
    amended: VERSION.exec(shown)?.[3],
    principles: principles.length > 0 ? principles : titlesAt(2),
  };
}

/** What a reader sees; code and comments are left out, line for line. */
const shownText = (text: string): string =>
  readMarkdown(text)
    .map(({ kind, text: line }) => (kind === "text" || kind === "heading" ? line : ""))
    .join("\n");

const VERSION =
  /\*\*Version\*\*: *(\d+\.\d+\.\d+) *\| *\*\*Ratified\*\*: *(\d{4}-\d\d-\d\d|TODO\([^)\n]*\)[^|\n]*?) *\| *\*\*Last Amended\*\*: *(\d{4}-\d\d-\d\d)/;

/** What is missing in a new version of a constitution, next to the one before it. */
export function checkAmendment(text: string, before: string | undefined): LineDiagnostic[] {
  const shown = shownText(text);
  const now = parseConstitution(text);
  const old = before === undefined ? undefined : parseConstitution(before);
  const report = /^\s*<!--([\s\S]*?)-->/.exec(text)?.[1] ?? "";
  const error = (line: number, message: string, fix: string): LineDiagnostic[] => [
    { severity: "error", code: "constitution", message, fix, line },
  ];
  const at = (pattern: RegExp): number =>
    shown.split("\n").findIndex((line) => pattern.test(line)) + 1;
  const left = PLACEHOLDER.exec(shown)?.[0];
  return [
    ...(left === undefined || report.includes(left)
      ? []
      : error(
          at(PLACEHOLDER),
          `${left} is still there.`,
          "Fill it in, or say in the report why it stays.",
        )),
    ...(now?.version === undefined
      ? error(
          Math.max(1, at(/\*\*Version\*\*/)),
          "It has no version and dates.",
          "End it with `**Version**: 1.0.0 | **Ratified**: 2026-01-31 | **Last Amended**: 2026-01-31`.",
        )
      : checkVersion(now, old, report, error)),
  ];
}

function checkVersion(
  { version = "", amended = "" }: Constitution,
  old: Constitution | undefined,
  report: string,
  error: (line: number, message: string, fix: string) => LineDiagnostic[],
): LineDiagnostic[] {
  const to = /\S *(?:→|->) *v?(\d+\.\d+\.\d+)/.exec(report)?.[1];
  const change = `Version change: ${old?.version ?? "none"} → ${version}`;
  const isTold = /sync impact report/i.test(report) && to === version;
  return [
    ...(isTold
      ? []
      : error(
          1,
          "It does not begin with its report.",
          `Begin with a comment: Sync Impact Report, then "${change}" and what was changed, added and removed.`,
        )),
    ...(old?.version !== undefined && !isLater(version, old.version)
      ? error(
          1,
          `Its version was ${old.version} before.`,
          "Raise it: major for a rule that is removed or reversed, minor for a new one, patch for wording.",
        )
      : []),
    ...(old?.amended !== undefined && amended < old.amended
      ? error(1, `It was last amended on ${old.amended}.`, "Set Last Amended to today.")
      : []),
  ];
}

function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((one) => one.split(".").map(Number)) as [number[], number[]];
  const i = a.findIndex((part, index) => part !== b[index]);
  return i !== -1 && (a[i] as number) > (b[i] as number);
}
