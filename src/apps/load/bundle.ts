import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Script } from "node:vm";
import { findCodeFolder, mayWrite, readCode, writeCode } from "./code-cache.ts";

type Wrapped = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  exports: unknown,
  __dirname: string,
) => void;

interface Compiled {
  readonly bundle: string;
  readonly build: string;
  readonly script: Script;
  /** What has been done with it, and thus is compiled. */
  readonly uses: readonly string[];
}

const folder = findCodeFolder();
const loaded = new Map<string, unknown>();
const compiled: Compiled[] = [];

/**
 * Loads a bundle of ours. It runs once in a process, cold, and much of its time would go into compiling; so compiled code
 * is kept in the user's folder. Without such a folder it just runs.
 */
export function load(file: string): unknown {
  if (folder === undefined) return require(file);
  const text = readFileSync(file, "latin1");
  const bundle = basename(file, ".cjs");
  // The engine compares no more of the source than its length.
  const build = text.slice(0, text.indexOf("\n")).slice(-12);
  const cached = readCode(folder, bundle, build);
  const source = `(function (require, module, exports, __dirname) {${text}\n})`;
  const script = new Script(source, { filename: file, ...(cached && { cachedData: cached.data }) });
  const uses = script.cachedDataRejected === false ? (cached?.uses ?? []) : [];
  compiled.push({ bundle, build, script, uses });
  const module = { exports: {} };
  const at = dirname(file);
  (script.runInThisContext() as Wrapped)(
    (name) => requireOnce(name, at),
    module,
    module.exports,
    at,
  );
  return module.exports;
}

/** Slow to load, and most hooks and commands do without. */
const SLOW = new Set(["node:child_process", "node:crypto", "node:readline"]);

/** A bundle asks for `node:fs` once per source file, and every answer of node is slow. */
function requireOnce(name: string, at: string): unknown {
  if (loaded.has(name)) return loaded.get(name);
  const answer = name.endsWith(".cjs")
    ? load(name.startsWith("./") ? `${at}${name.slice(1)}` : name)
    : SLOW.has(name)
      ? requireLate(name)
      : require(name);
  loaded.set(name, answer);
  return answer;
}

const requireLate = (name: string): unknown =>
  new Proxy({}, { get: (_, key) => (require(name) as Record<PropertyKey, unknown>)[key] });

/** Keeps what is compiled by now, unless what is kept already is from the same use. */
export function keepCompiled(use: string): void {
  if (folder === undefined || !mayWrite(folder)) return;
  for (const { bundle, build, script, uses } of compiled)
    if (!uses.includes(use))
      writeCode(folder, bundle, build, { data: script.createCachedData(), uses: [...uses, use] });
}
