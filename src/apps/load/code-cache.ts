import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, sep } from "node:path";
import { planVault } from "../../store/vault-place.ts";
import { hash } from "../../text/hash.ts";

/** Several times the actual size. */
const MAX_BYTES = 32 << 20;

/** Of one bundle: versions that are installed side by side, for several versions of node. */
const MAX_FILES = 6;

export interface Code {
  readonly data: Uint8Array;
  /** What was done when it was compiled. Of what was not done, nothing is in it. */
  readonly uses: readonly string[];
}

/**
 * The engine runs whatever is in the cache, so its place must be the user's own. Only the home says where it is: any other
 * variable may come from a file of the project, which some clients read. What lies in the project is not ours either.
 */
export function findCodeFolder(): string | undefined {
  const { HOME, LOCALAPPDATA } = process.env;
  const vault = planVault({ HOME, LOCALAPPDATA }, process.platform);
  if (vault === undefined) return undefined;
  try {
    const real = realpathSync.native(vault);
    if (`${real}${sep}`.startsWith(`${process.cwd()}${sep}`)) return undefined;
    const folder = `${real}/code`;
    // In a folder that others may write to, they could replace the cache with another file of the user's.
    const stat = statSync(folder, { throwIfNoEntry: false }) ?? statSync(real);
    return isOurs(stat) ? folder : undefined;
  } catch {
    // Nothing was ever started on this machine.
    return undefined;
  }
}

/** Windows has no such flags, and keeps the folder in the user's profile. */
const isOurs = ({ uid, mode }: Stats): boolean =>
  process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);

/** The engine takes nothing that was compiled with other flags. */
function fileOf(folder: string, bundle: string, build: string): string {
  const flags = hash(`${process.execArgv.join(" ")} ${process.env["NODE_OPTIONS"]}`);
  return `${folder}/${bundle}-${build}-${process.version}-${process.arch}-${flags}.cache`;
}

/**
 * The engine trusts what it is given: one wrong bit, say after a power failure, and every stop would crash. So
 * everything is written twice, which is faster to compare than any checksum is to compute.
 */
export function readCode(folder: string, bundle: string, build: string): Code | undefined {
  let fd: number;
  try {
    fd = openSync(fileOf(folder, bundle, build), "r");
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!isOurs(stat) || stat.size > MAX_BYTES) return undefined;
    // A view of fresh memory and one read are fastest.
    const { buffer } = new Uint8Array(stat.size);
    const half = readSync(fd, new Uint8Array(buffer)) / 2;
    if (half === 0 || half !== stat.size / 2 || !Number.isInteger(half)) return undefined;
    const [first, second] = [Buffer.from(buffer, 0, half), Buffer.from(buffer, half)];
    if (Buffer.compare(first, second) !== 0) return undefined;
    const end = first.lastIndexOf("\n");
    return { data: first.subarray(0, end), uses: first.toString("utf8", end + 1).split(",") };
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** Not in a sandbox: then what would be written need not be made. */
export function mayWrite(folder: string): boolean {
  try {
    accessSync(dirname(folder), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whole or not at all, and never a reason to fail: next time, we would just compile again. */
export function writeCode(folder: string, bundle: string, build: string, code: Code): void {
  const file = fileOf(folder, bundle, build);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const half = [code.data, Buffer.from(`\n${code.uses.join(",")}`)];
    writeFileSync(temporary, Buffer.concat([...half, ...half]), { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
    const [, ...others] = readdirSync(folder)
      .filter((name) => name.startsWith(`${bundle}-`))
      .map((name) => ({ path: `${folder}/${name}`, at: statSync(`${folder}/${name}`).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { path } of others.slice(MAX_FILES - 1)) unlinkSync(path);
  } catch {
    // Read-only, full, or another process was faster.
    rmSync(temporary, { force: true });
  }
}
