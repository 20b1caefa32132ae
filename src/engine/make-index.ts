import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import {
  type CodeIndex,
  compareFiles,
  formatIndex,
  type IndexChanges,
  isInScope,
  mergeFiles,
  parseIndex,
  type Scope,
} from "../codemap/code-index.ts";
import {
  indexFolder,
  indexPage,
  indexState,
  readExternal,
  readIndexText,
  writeIndexFile,
} from "../codemap/index-files.ts";
import { PAGE_MARK, renderIndexPage } from "../codemap/page.ts";
import { type Effort, readEntries } from "../codemap/scan-files.ts";
import { listSourceFiles } from "../codemap/source-files.ts";
import { SCANNER } from "../codemap/summary.ts";
import type { Project } from "../store/project.ts";
import { listSpecs, shownPath } from "../store/spec.ts";
import { readSpecFacts } from "./indexed-specs.ts";

/** Shows the progress of a long job. */
export interface Ticker {
  readonly tick: (done: number) => void;
  readonly end: () => void;
}

export interface MadeIndex {
  readonly index: CodeIndex;
  /** When the previous index was written, if there was one. */
  readonly before: string | undefined;
  readonly changes: IndexChanges;
  readonly specsChanged: boolean;
  readonly by: "git" | "walk";
  /** Files that are not source. */
  readonly other: number;
  readonly cut: boolean;
}

/** Looks at the project. Nothing is written. */
export function makeIndex(
  project: Project,
  scope: Scope,
  effort: Effort,
  at: string,
  tickerOf: (total: number) => Ticker,
): MadeIndex {
  const old = parseIndex(readIndexText(project, indexState(project)));
  const listing = listSourceFiles(
    project.root,
    ownFolders(project),
    (path, category) => isInScope(scope, path, category) && !scope.isExcluded(path),
  );
  const ticker = tickerOf(listing.files.length);
  const found = readEntries(project.root, listing.files, old, effort, ticker.tick);
  ticker.end();
  const files = mergeFiles(old?.files ?? [], found, scope);
  const index: CodeIndex = {
    updated: at,
    scanner: SCANNER,
    directories: project.specsDirs.map((folder) => shownPath(project, folder)),
    specs: listSpecs(project).map(readSpecFacts),
    files,
  };
  const { by, other, cut } = listing;
  return {
    index,
    before: old?.updated,
    changes: compareFiles(old?.files ?? [], files),
    specsChanged: old !== undefined && JSON.stringify(old.specs) !== JSON.stringify(index.specs),
    by,
    other,
    cut,
  };
}

/** Specs have their own entry; listing them as documents too would say everything twice. */
function ownFolders(project: Project): (path: string) => boolean {
  const folders = [...project.specsDirs, indexFolder(project)]
    .map((folder) => relative(project.root, folder).split(sep).join("/"))
    .filter((folder) => folder !== "" && folder !== ".." && !folder.startsWith("../"));
  return (path) => folders.some((folder) => path.startsWith(`${folder}/`));
}

/** The files that are out of date, with the text they should have. */
export function planIndexFiles(
  project: Project,
  index: CodeIndex,
  isForced: boolean,
): { path: string; text: string }[] {
  const [state, page] = [indexState(project), indexPage(project)];
  const old = { state: readIndexText(project, state), page: readIndexText(project, page) };
  const external = readExternal(project);
  if (!isForced && old.state === "" && isEmpty(index) && external.length === 0) return [];
  const textsOf = (one: CodeIndex) => ({
    state: formatIndex(one, old.state),
    page: renderIndexPage(one, external),
  });
  // A new time alone is not a reason to write.
  const same = textsOf({ ...index, updated: parseIndex(old.state)?.updated ?? "" });
  if (!isForced && same.state === old.state && same.page === old.page) return [];
  const texts = textsOf(index);
  return [
    ...(isWritten(old.page) ? [{ path: freeName(page), text: old.page }] : []),
    { path: page, text: texts.page },
    // The state comes last: without it, an interrupted run looks as if it had never happened.
    { path: state, text: texts.state },
  ];
}

/** Whether there is nothing to map yet. */
export const isEmpty = ({ files, specs }: CodeIndex): boolean =>
  files.length === 0 && specs.length === 0;

/** Written by somebody else: neither by us nor by an older version. */
const isWritten = (page: string): boolean =>
  page !== "" && !page.includes(PAGE_MARK) && !/^Auto-generated /m.test(page);

/** Where to move a page that is in our way. */
function freeName(page: string): string {
  for (let n = 1; ; n++) {
    const path = page.replace(/\.md$/, `.before${n === 1 ? "" : `-${n}`}.md`);
    if (!existsSync(path)) return path;
  }
}

export function writeIndexFiles(
  project: Project,
  files: readonly { readonly path: string; readonly text: string }[],
): void {
  for (const { path, text } of files) writeIndexFile(project, path, text);
}
