import { CATEGORIES } from "../../codemap/classify.ts";
import { countCategories, type IndexedFile } from "../../codemap/code-index.ts";
import { localTime } from "../../engine/local-time.ts";
import { isEmpty, type MadeIndex } from "../../engine/make-index.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import type { Paint } from "./paint.ts";

/** A first run would list every file of the project. */
const MAX_PATHS = 200;

export function reportOf({ index: { files, specs, updated }, changes, ...made }: MadeIndex) {
  const paths = (list: readonly IndexedFile[]) => ({
    count: list.length,
    paths: list.slice(0, MAX_PATHS).map(({ path }) => path),
  });
  const { added, changed, gone } = changes;
  return {
    at: updated,
    before: made.before ?? null,
    files: files.length,
    specs: specs.length,
    specsChanged: made.specsChanged,
    categories: countCategories(files),
    added: paths(added),
    changed: paths(changed),
    gone: paths(gone),
    listedBy: made.by,
    noSource: made.other,
    cut: made.cut,
  };
}

/** What a person reads: counts by category, what differs from last time, and where the index is. */
export function renderMade(
  made: MadeIndex,
  page: string,
  written: readonly string[],
  isDry: boolean,
  { bold, dim, good, warn }: Paint,
): string {
  const { index: made_, changes, before, other, cut } = made;
  const kept = written.find((path) => /\.before[-\d]*\.md$/.test(path));
  const said = before === undefined ? "" : ` since ${localTime(before, made_.updated)}`;
  if (written.length === 0 && before === undefined && isEmpty(made_))
    return "there is no source and no spec to index here; nothing was written";
  const verdict =
    written.length === 0
      ? `nothing changed${said}; ${page} stays as it is`
      : isDry
        ? `would write ${written.join(", ")}`
        : `wrote ${written.join(", ")}`;
  return [
    ...table(made, bold, dim),
    `${counted(made_.specs.length, "spec")}${made.specsChanged ? ", changed" : ""}; ${counted(other, "file")} left out that ${other === 1 ? "is" : "are"} not source`,
    ...(cut
      ? [warn("there are more files than the index can hold; narrow it with --path or --exclude")]
      : []),
    ...(isDry ? pathLines(changes, dim) : []),
    ...(kept === undefined ? [] : [`the index.md that was there before is kept as ${kept}`]),
    written.length === 0 ? verdict : good(verdict),
  ].join("\n");
}

function table(
  { index: { files }, changes, before }: MadeIndex,
  bold: (text: string) => string,
  dim: (text: string) => string,
): string[] {
  const now = countCategories(files);
  const lists = before === undefined ? [] : [changes.added, changes.changed, changes.gone];
  const columns = lists.map(countCategories);
  const cells = (values: readonly (number | string)[]): string =>
    values.map((value) => String(value === 0 ? "-" : value).padStart(9)).join("");
  const rows = CATEGORIES.filter(
    (category) => now[category] > 0 || columns.some((column) => column[category] > 0),
  ).map(
    (category) =>
      `${category.padEnd(12)}${cells([now[category], ...columns.map((column) => column[category])])}`,
  );
  const head = ["files", ...(before === undefined ? [] : ["new", "changed", "gone"])];
  const sums = [files.length, ...lists.map((list) => list.length)];
  return [
    dim(`${"".padEnd(12)}${cells(head)}`),
    ...rows,
    bold(`${"all".padEnd(12)}${cells(sums)}`),
  ];
}

const MAX_SHOWN = 20;

function pathLines(changes: MadeIndex["changes"], dim: (text: string) => string): string[] {
  const lines = (["added", "changed", "gone"] as const).flatMap((kind) =>
    changes[kind].map(({ path }) => `${MARKS[kind]} ${oneLine(path, 200)}`),
  );
  const more = lines.length - MAX_SHOWN;
  return [...lines.slice(0, MAX_SHOWN), ...(more > 0 ? [dim(`… and ${more} more`)] : [])];
}

const MARKS = { added: "+", changed: "~", gone: "-" } as const;
