/** What a task changed, compared with what it said it would change. All paths are relative to the project. */
export interface TouchedFiles {
  /** The task's **Files**: names, folders and patterns. */
  readonly files: readonly string[];
  readonly changed: readonly string[];
  /** The spec's own folder: progress, boxes and documents are written there all the time. */
  readonly spec?: string;
}

/** The changed files that no declared one covers. A task that declares nothing has no boundary. */
export function planBoundary({ files, changed, spec }: TouchedFiles): { outside: string[] } {
  const patterns = parsePatterns(files);
  if (patterns.length === 0) return { outside: [] };
  const own = spec === undefined ? "" : plainPath(spec);
  const covers = (name: string): boolean => patterns.some((pattern) => isCovered(pattern, name));
  const isInside = (name: string): boolean =>
    (own !== "" && isBelow(name, own)) || covers(name) || isLockOf(name, patterns, covers);
  return { outside: [...new Set(changed)].filter((name) => !isInside(plainPath(name))).sort() };
}

/** Whether a path matches one of these names, folders and patterns. */
export function planCover(files: readonly string[]): (name: string) => boolean {
  const patterns = parsePatterns(files);
  return (name) => patterns.some((pattern) => isCovered(pattern, name));
}

const parsePatterns = (files: readonly string[]): Pattern[] =>
  files
    .map(declaredPath)
    .filter((path) => path !== "")
    .flatMap(expandBraces)
    .map(parsePattern);

/** With a trailing slash, a pattern matches everything in those folders, as a folder's name does. */
function declaredPath(path: string): string {
  const plain = plainPath(path);
  return path.endsWith("/") && plain.includes("*") ? `${plain}/**` : plain;
}

/** Normalizes: `./src\api/` is `src/api`, and so is `/src/api`. */
function plainPath(path: string): string {
  let plain = path.replaceAll("\\", "/");
  while (plain.startsWith("./") || plain.startsWith("/"))
    plain = plain.slice(plain.indexOf("/") + 1);
  while (plain.endsWith("/")) plain = plain.slice(0, -1);
  return plain;
}

interface Pattern {
  readonly text: string;
  readonly parts: readonly string[];
  readonly isGlob: boolean;
  /** Without a folder: matches a file of that name anywhere. */
  readonly isBare: boolean;
}

const parsePattern = (text: string): Pattern => ({
  text,
  parts: text.split("/"),
  isGlob: /[*?]/.test(text),
  isBare: !text.includes("/"),
});

function isCovered({ text, parts, isGlob, isBare }: Pattern, name: string): boolean {
  // A literal match first: `what?.md` may be a name. A name can also be a folder, with everything below it.
  if (isBelow(name, text)) return true;
  if (isBare) return matchText(text, name.slice(name.lastIndexOf("/") + 1));
  return isGlob && matchParts(parts, name.split("/"));
}

const isBelow = (name: string, folder: string): boolean =>
  name === folder || name.startsWith(`${folder}/`);

const matchParts = (pattern: readonly string[], name: readonly string[]): boolean =>
  matchWild(pattern, name, "**", matchText);

/** Brackets are literal: `app/[id]/page.tsx` is a common file name. */
const matchText = (pattern: string, text: string): boolean =>
  matchWild(
    [...pattern.replace(/\*+/g, "*")],
    [...text],
    "*",
    (one, other) => one === "?" || one === other,
  );

/**
 * Matches with a single point to backtrack to, the last wildcard: a pattern with many of them would keep a regular
 * expression busy forever, and anyone may have written the text.
 */
function matchWild(
  pattern: readonly string[],
  items: readonly string[],
  wild: string,
  matches: (one: string, item: string) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let i = 0; i < items.length;) {
    const one = pattern[at];
    if (one === wild) {
      star = at++;
      retry = i;
    } else if (one !== undefined && matches(one, items[i] as string)) {
      at++;
      i++;
    } else if (star !== -1) {
      at = star + 1;
      i = ++retry;
    } else return false;
  }
  while (pattern[at] === wild) at++;
  return at === pattern.length;
}

const MAX_ALTERNATIVES = 100;

/** `src/{a,b}.ts` is two files. Without a comma it is a name: `src/{id}.ts`. */
function expandBraces(text: string): string[] {
  let texts = [text];
  while (texts.length <= MAX_ALTERNATIVES) {
    const next = texts.flatMap(expandOnce);
    if (next.length === texts.length) return next;
    texts = next;
  }
  return texts.slice(0, MAX_ALTERNATIVES);
}

function expandOnce(text: string): string[] {
  const [whole, list] = /\{([^{}]*,[^{}]*)\}/.exec(text) ?? [];
  if (whole === undefined || list === undefined) return [text];
  const start = text.indexOf(whole);
  return list
    .split(",")
    .map((part) => text.slice(0, start) + part.trim() + text.slice(start + whole.length));
}

/** What package managers write when one of these is edited. */
const LOCKS: Readonly<Record<string, readonly string[]>> = {
  "package.json": [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
  ],
  "deno.json": ["deno.lock"],
  "Cargo.toml": ["Cargo.lock"],
  "go.mod": ["go.sum"],
  "pyproject.toml": ["poetry.lock", "uv.lock", "pdm.lock"],
  Pipfile: ["Pipfile.lock"],
  Gemfile: ["Gemfile.lock"],
  "composer.json": ["composer.lock"],
  "mix.exs": ["mix.lock"],
  "pubspec.yaml": ["pubspec.lock"],
  "Package.swift": ["Package.resolved"],
  Podfile: ["Podfile.lock"],
  "flake.nix": ["flake.lock"],
};

/** In the folder of the declared file or above it: a workspace has one lock file at its root. */
function isLockOf(
  name: string,
  patterns: readonly Pattern[],
  covers: (name: string) => boolean,
): boolean {
  const file = name.slice(name.lastIndexOf("/") + 1);
  const folder = name.slice(0, name.length - file.length);
  return Object.entries(LOCKS).some(
    ([manifest, locks]) =>
      locks.includes(file) &&
      (covers(folder + manifest) ||
        patterns.some(({ text }) => text.startsWith(folder) && text.endsWith(`/${manifest}`))),
  );
}
