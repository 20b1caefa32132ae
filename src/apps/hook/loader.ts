import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { isAbsolute, normalize, sep } from "node:path";
import { Script } from "node:vm";
import { DATA_FOLDER } from "../../hosts/data-folder.ts";

/** Several times the actual size. */
const MAX_BYTES = 2 << 20;

/** Inserted by the build: changes whenever the hook's code does. */
declare const BUILD: string;
declare const __dirname: string;

type Body = { readonly answered: boolean };
type Wrapped = (
  require: (name: string) => unknown,
  module: { exports: Body },
  exports: object,
) => void;

/**
 * The entry of the hook. A hook runs once, cold, and a third of its own time goes into compiling; so the compiled code
 * is kept in the plugin's data folder. Without such a folder it just runs.
 */
function run(): void {
  const file = `${__dirname}/hook-body.cjs`;
  const folder = process.env[DATA_FOLDER];
  if (folder === undefined || folder === "" || !isTrusted(folder) || !isFolderOurs(folder)) {
    require(file);
    return;
  }
  const name = `hook-${BUILD}-${process.version}-${process.arch}.cache`;
  const cachedData = readCache(`${folder}/${name}`);
  const source = `(function (require, module, exports) {${readFileSync(file, "utf8")}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Body };
  (script.runInThisContext() as Wrapped)(requireOnce, module, module.exports);
  // A stop that was answered has run nearly all of the code; any other would cache too little of it.
  const isNew = cachedData === undefined || script.cachedDataRejected === true;
  if (isNew && module.exports.answered) writeCache(folder, name, script.createCachedData());
}

const loaded = new Map<string, unknown>();

/** The bundle asks for `node:fs` once per source file, and every answer of node is slow. */
function requireOnce(name: string): unknown {
  if (!loaded.has(name)) loaded.set(name, require(name));
  return loaded.get(name);
}

/**
 * The engine runs whatever is in the cache, so nobody else may have written it: it must belong to the user, and no one
 * else may write to it. Windows has no such flags, and keeps the folder in the user's profile.
 */
const isOurs = ({ uid, mode }: Stats, others: number): boolean =>
  process.geteuid === undefined || (uid === process.geteuid() && (mode & others) === 0);

/**
 * Only the first client sets the variable for its hooks; in another client it may come from a file of the project. Whatever
 * the client, what lies in the project is not ours.
 */
function isTrusted(folder: string): boolean {
  const isOtherClient = process.argv[4] !== undefined;
  if (isOtherClient) return false;
  try {
    return isOutside(realpathSync.native(folder));
  } catch {
    // It is made later, by this path.
    return isAbsolute(folder) && isOutside(normalize(folder)) && !/^\/+proc\//.test(folder);
  }
}

const isOutside = (path: string): boolean => !`${path}${sep}`.startsWith(`${process.cwd()}${sep}`);

/**
 * In a folder that others may write to, they could replace the cache with another file of the user's. Group write
 * access is allowed: many systems create every folder that way, and the group is the user alone.
 */
function isFolderOurs(folder: string): boolean {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false });
    return stat === undefined || isOurs(stat, 0o002);
  } catch {
    return false;
  }
}

/**
 * The engine trusts what it is given: one wrong bit, say after a power failure, and every stop would crash. So the
 * cache is written twice, which is faster to compare than any checksum is to compute.
 */
function readCache(path: string): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    if (!isOurs(fstatSync(fd), 0o022)) return undefined;
    // A view of fresh memory and one read are fastest. Memory is used only as far as it is filled.
    const { buffer } = new Uint8Array(MAX_BYTES);
    const half = readSync(fd, new Uint8Array(buffer)) / 2;
    if (half === 0 || !Number.isInteger(half) || half === MAX_BYTES / 2) return undefined;
    const first = new Uint8Array(buffer, 0, half);
    return Buffer.compare(first, new Uint8Array(buffer, half, half)) === 0 ? first : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** Whole or not at all, and never a reason to fail: the next stop would just compile again. */
function writeCache(folder: string, name: string, data: Buffer): void {
  try {
    mkdirSync(folder, { recursive: true });
    const temporary = `${folder}/${name}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600, flag: "wx" });
    renameSync(temporary, `${folder}/${name}`);
    const others = readdirSync(folder).filter(
      (other) => other.startsWith("hook-") && !other.startsWith(`hook-${BUILD}-`),
    );
    for (const other of others) unlinkSync(`${folder}/${other}`);
  } catch {
    // Read-only, full, or another hook was faster.
  }
}

try {
  run();
} catch (error) {
  // Only a damaged plugin gets here: the hook handles its own errors.
  const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  writeSync(2, `[smart-ralph] the hook could not start: ${why}; install the plugin again\n`);
}
// Everything is written; an orderly shutdown of the engine would only take time. The first call is what the second ends
// in.
(process as { reallyExit?: (code: number) => void }).reallyExit?.(0);
process.exit(0);
