import * as s from "../text/schema.ts";
import { CATEGORIES, type Category } from "./classify.ts";

const fileFields = {
  path: s.field(s.string, "From the project's root, with forward slashes."),
  category: s.field(s.oneOf(...CATEGORIES), "What the file is for."),
  size: s.field(s.integer(0), "Bytes."),
  mtime: s.field(s.integer(0), "Milliseconds. With the size, shows that nothing has changed."),
  hash: s.field(s.string, "First 8 characters of the content's SHA-256; empty if it was not read."),
  summary: s.field(s.string, "The first line of the file's own description."),
};
export type IndexedFile = s.ValuesOf<typeof fileFields>;

/** `phase` to `totalTasks` are as older versions write them: a spec whose boxes are all ticked is `completed`. */
const specFields = {
  name: s.field(s.string, "The spec's name."),
  path: s.field(s.string, "Its folder, from the project's root."),
  phase: s.field(s.string, "The last phase that was begun."),
  taskIndex: s.field(s.integer(0), "How many tasks are done."),
  totalTasks: s.field(s.integer(0), "How many there are."),
  standing: s.field(s.string, "Its progress, in words."),
  goal: s.field(s.string, "What it is for."),
};
export type IndexedSpec = s.ValuesOf<typeof specFields>;

export interface CodeIndex {
  /** When it was written, ISO 8601. */
  readonly updated: string;
  /** Which scanner wrote the entries: those of another one are redone. */
  readonly scanner: number;
  /** The specs folders, the default one first. */
  readonly directories: readonly string[];
  readonly specs: readonly IndexedSpec[];
  readonly files: readonly IndexedFile[];
}

const readList = (raw: s.Raw, name: string): readonly unknown[] =>
  Array.isArray(raw[name]) ? (raw[name] as unknown[]) : [];

/** Undefined if it is not an index of files: older versions kept only specs in a file of this name. */
export function parseIndex(text: string): CodeIndex | undefined {
  const file = s.parseRaw(text);
  if (file.kind === "corrupt" || !Array.isArray(file.raw["files"])) return undefined;
  const { raw } = file;
  const { updated, scanner } = raw;
  return {
    updated: typeof updated === "string" ? updated : "",
    scanner: typeof scanner === "number" ? scanner : 0,
    directories: readList(raw, "directories").flatMap((one) =>
      s.isObject(one) && typeof one["path"] === "string" ? [one["path"]] : [],
    ),
    specs: readList(raw, "specs").filter(s.objectOf(specFields).is),
    files: readList(raw, "files").filter(s.objectOf(fileFields).is),
  };
}

/** One line per entry, so that a change of one file changes one line. Anything else in the file stays. */
export function formatIndex(index: CodeIndex, old = ""): string {
  const { files, specs, directories, ...rest } = index;
  const before = s.parseRaw(old);
  const head: s.Raw = {
    ...(before.kind === "ok" ? before.raw : {}),
    version: "1.0",
    ...rest,
    directories: directories.map((path, i) => ({
      path,
      specsCount: specs.filter((spec) => folderOf(spec.path) === path).length,
      isDefault: i === 0,
    })),
    specs: undefined,
    files: undefined,
  };
  const fields = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${fields.join("")}${formatRows("specs", specs)},\n${formatRows("files", files)}\n}\n`;
}

const formatRows = (name: string, entries: readonly object[]): string =>
  entries.length === 0
    ? `  "${name}": []`
    : `  "${name}": [\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n")}\n  ]`;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const countCategories = (files: readonly IndexedFile[]): Record<Category, number> =>
  Object.fromEntries(
    CATEGORIES.map((category) => [
      category,
      files.filter((one) => one.category === category).length,
    ]),
  ) as Record<Category, number>;

export interface IndexChanges {
  readonly added: readonly IndexedFile[];
  readonly changed: readonly IndexedFile[];
  readonly gone: readonly IndexedFile[];
}

/** What differs; a file that was only touched does not. */
export function compareFiles(
  old: readonly IndexedFile[],
  files: readonly IndexedFile[],
): IndexChanges {
  const before = new Map(old.map((file) => [file.path, file]));
  const now = new Set(files.map(({ path }) => path));
  return {
    added: files.filter(({ path }) => !before.has(path)),
    changed: files.filter((file) => {
      const was = before.get(file.path);
      return was !== undefined && !isSame(was, file);
    }),
    gone: old.filter(({ path }) => !now.has(path)),
  };
}

const isSame = (a: IndexedFile, b: IndexedFile): boolean =>
  a.hash === b.hash && a.size === b.size && a.category === b.category;

/** Which part of the project a run looks at. The rest of an earlier index stays as it is. */
export interface Scope {
  /** A folder from the project's root, without a trailing slash; empty: everything. */
  readonly folder: string;
  /** Empty: all of them. */
  readonly types: readonly Category[];
  readonly isExcluded: (path: string) => boolean;
}

export const isInScope = ({ folder, types }: Scope, path: string, category: Category): boolean =>
  (folder === "" || path.startsWith(`${folder}/`)) &&
  (types.length === 0 || types.includes(category));

/** What is indexed after a run that found `found` in its scope, sorted by path. */
export function mergeFiles(
  old: readonly IndexedFile[],
  found: readonly IndexedFile[],
  scope: Scope,
): IndexedFile[] {
  const now = new Set(found.map(({ path }) => path));
  const kept = old.filter(
    ({ path, category }) => !now.has(path) && !isInScope(scope, path, category),
  );
  return [...kept, ...found].sort((a, b) => (a.path < b.path ? -1 : 1));
}
