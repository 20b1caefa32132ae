import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { Script } from "node:vm";

/** Put in by the build: changes whenever the hook's code does. */
declare const BUILD: string;
declare const __dirname: string;

type Body = { readonly answered: boolean };
type Wrapped = (require: NodeJS.Require, module: { exports: Body }, exports: object) => void;

/**
 * The entry of the hook. A hook runs once, cold, and a third of its own time goes into compiling; so what the engine
 * compiled is kept in the folder that the client gives the plugin for its data. Without such a folder it just runs.
 */
function run(): void {
  const file = `${__dirname}/hook-body.cjs`;
  const folder = process.env["CLAUDE_PLUGIN_DATA"];
  if (folder === undefined || folder === "") {
    require(file);
    return;
  }
  const name = `hook-${BUILD}-${process.version}-${process.arch}.cache`;
  const cachedData = readCache(`${folder}/${name}`);
  const source = `(function (require, module, exports) {${readFileSync(file, "latin1")}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as Body };
  (script.runInThisContext() as Wrapped)(require, module, module.exports);
  // A stop that was answered has run through nearly all of the code; any other would keep too little of it.
  const isNew = cachedData === undefined || script.cachedDataRejected === true;
  if (isNew && module.exports.answered) writeCache(folder, name, script.createCachedData());
}

/**
 * The engine believes what it is given: one wrong bit, say after a power failure, and every stop would end in a crash.
 * So the cache is written twice over, which is quicker to compare than any checksum is to compute.
 */
function readCache(path: string): Buffer | undefined {
  try {
    const both = readFileSync(path);
    const half = both.subarray(0, both.length / 2);
    return half.length > 0 && half.equals(both.subarray(half.length)) ? half : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and never a reason to fail: the next stop would only compile again. */
function writeCache(folder: string, name: string, data: Buffer): void {
  try {
    mkdirSync(folder, { recursive: true });
    const temporary = `${folder}/${name}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600 });
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
  // Only a damaged plugin gets here: the hook itself answers for its own faults.
  const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  writeSync(2, `[smart-ralph] the hook could not start, ${why}; install the plugin anew\n`);
}
// All is written; taking the engine apart in an orderly way would only take time.
process.exit(0);
