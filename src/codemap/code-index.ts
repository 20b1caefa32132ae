import { CATEGORIES, type Category, isCategory } from "./classify.ts";
import { isObject } from "../text/schema.ts";
import type { Raw } from "../run/state.ts";

/** One source file, as the index knows it. The path is from the project's root, with forward slashes. */
export interface IndexedFile {
  readonly path: string;
  readonly category: Category;
  readonly size: number;
  /** Milliseconds. With the size it tells, without opening the file, that nothing has changed. */
  readonly mtime: number;
  /** The first 8 characters of the content's SHA-256; empty where the content has not been looked at. */
  readonly hash: string;
  readonly summary: string;
  readonly names: readonly string[];
}

/** `phase` to `totalTasks` are as older versions write them: a spec whose boxes are all ticked is `completed`. */
export interface IndexedSpec {
  readonly name: string;
  readonly path: string;
  readonly phase: string;
  readonly taskIndex: number;
  readonly totalTasks: number;
  readonly standing: string;
  readonly goal: string;
}

export interface CodeIndex {
  /** When it was written, ISO 8601. */
  readonly updated: string;
  /** Which scanner made the entries: those of another one are made anew. */
  readonly scanner: number;
  /** The folders that hold specs, the default one first. */
  readonly directories: readonly string[];
  readonly specs: readonly IndexedSpec[];
  readonly files: readonly IndexedFile[];
}

const isFile = (value: unknown): value is IndexedFile =>
  isObject(value) &&
  isCategory(String(value["category"])) &&
  hasOnly(value, "string", ["path", "hash", "summary"]) &&
  hasOnly(value, "number", ["size", "mtime"]) &&
  isTexts(value["names"]);

const isSpec = (value: unknown): value is IndexedSpec =>
  isObject(value) &&
  hasOnly(value, "string", ["name", "path", "phase", "standing", "goal"]) &&
  hasOnly(value, "number", ["taskIndex", "totalTasks"]);

const hasOnly = (value: Raw, type: string, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === type);

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const listAt = (raw: Raw, name: string): readonly unknown[] =>
  Array.isArray(raw[name]) ? (raw[name] as unknown[]) : [];

/** Undefined for what is no index of files: older versions kept only specs in a file of this name. */
export function parseIndex(text: string): CodeIndex | undefined {
  const raw = parseObject(text);
  if (raw === undefined || !Array.isArray(raw["files"])) return undefined;
  const { updated, scanner } = raw;
  return {
    updated: typeof updated === "string" ? updated : "",
    scanner: typeof scanner === "number" ? scanner : 0,
    directories: listAt(raw, "directories").flatMap((one) =>
      isObject(one) && typeof one["path"] === "string" ? [one["path"]] : [],
    ),
    specs: listAt(raw, "specs").filter(isSpec),
    files: listAt(raw, "files").filter(isFile),
  };
}

/** One line an entry, so that a change of one file changes one line. What others keep in the file stays in it. */
export function formatIndex(index: CodeIndex, old = ""): string {
  const { files, specs, directories, ...rest } = index;
  const head: Raw = {
    ...parseObject(old),
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
  return `{\n${fields.join("")}${rows("specs", specs)},\n${rows("files", files)}\n}\n`;
}

const rows = (name: string, entries: readonly object[]): string =>
  entries.length === 0
    ? `  "${name}": []`
    : `  "${name}": [\n${entries.map((entry) => `    ${JSON.stringify(entry)}`).join(",\n")}\n  ]`;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function parseObject(text: string): Raw | undefined {
  try {
    const raw: unknown = JSON.parse(text);
    return isObject(raw) ? raw : undefined;
  } catch {
    return undefined;
  }
}

export const countCategories = (files: readonly IndexedFile[]): Record<Category, number> => {
  const counts = Object.fromEntries(CATEGORIES.map((category) => [category, 0]));
  for (const { category } of files) counts[category] = (counts[category] as number) + 1;
  return counts as Record<Category, number>;
};

export interface IndexChanges {
  readonly added: readonly IndexedFile[];
  readonly changed: readonly IndexedFile[];
  readonly gone: readonly IndexedFile[];
}

/** Names what differs; that a file was only touched is no difference. */
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
  /** A folder from the project's root, without a slash at its end; empty: all of it. */
  readonly folder: string;
  /** Empty: all of them. */
  readonly types: readonly Category[];
  readonly isExcluded: (path: string) => boolean;
}

export const isInScope = ({ folder, types }: Scope, path: string, category: Category): boolean =>
  (folder === "" || path.startsWith(`${folder}/`)) &&
  (types.length === 0 || types.includes(category));

/** What is indexed after a run that found `found` in its scope, in the order of the paths. */
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
