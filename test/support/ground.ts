import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { layouts } from "./editions.ts";
import { FILE_FOLDER, GROUND, HOME, MEMORY } from "./places.ts";
import { type Process, processesIn } from "./processes.ts";

/**
 * Vitest's global setup: every folder that a test creates is in one folder of this run. The program searches upwards
 * for a project, so nothing above that folder may look like one. When the run ends, nothing may be left of it.
 */
export default function setup({ vitest }: TestProject): () => Promise<void> {
  const shared = globalThis as { testGround?: Ground };
  // Each project calls this once; they all share one ground, and whoever ends last looks at it.
  const ground = (shared.testGround ??= lay());
  ground.users++;
  return async () => {
    if (--ground.users > 0) return;
    delete shared.testGround;
    const left = vitest.config.watch ? [] : await leftovers(ground);
    for (const folder of ground.folders) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
    for (const [name, value] of Object.entries(ground.before)) setEnv(name, value);
    if (left.length === 0) return;
    console.error(`\nThe tests leave behind:\n  ${left.join("\n  ")}\n`);
    process.exitCode = 1;
  };
}

interface Ground {
  users: number;
  readonly folders: readonly string[];
  /** The environment as it was. */
  readonly before: Readonly<Record<string, string | undefined>>;
  /** As git sees it. */
  readonly checkout: readonly string[];
}

function lay(): Ground {
  const folder = makeRunFolder([tmpdir(), "/tmp", "/var/tmp"]);
  const memory = makeRunFolder(["/dev/shm", folder]);
  // Workers inherit these. The last three are what `os.tmpdir` goes by, here and on Windows.
  const env = { [GROUND]: folder, [MEMORY]: memory, TMPDIR: folder, TMP: folder, TEMP: folder };
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, env);
  // The inner one first, where there is no memory to be had.
  return { users: 0, folders: [memory, folder], before, checkout: checkoutStatus() };
}

function setEnv(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** A folder in the first of these places with nothing above it that a test could stumble over. */
export function makeRunFolder(places: readonly string[]): string {
  const problems: string[] = [];
  for (const place of [...new Set(places)].filter((one) => existsSync(one))) {
    const real = realpathSync(place);
    const problem = whyNot(real);
    if (problem === undefined) {
      try {
        const folder = mkdtempSync(join(real, "smart-ralph-test-"));
        chmodSync(folder, 0o755);
        return folder;
      } catch (error) {
        problems.push(String(error));
      }
    } else problems.push(problem);
  }
  throw new Error(
    `there is no place for the tests' folders:\n  ${problems.join("\n  ")}\nset TMPDIR to another folder`,
  );
}

/** What git or the program takes for the top of a project. */
const MARKS = [
  ".git",
  ...layouts.flatMap(({ specsDirs, settingsFile }) => [...specsDirs, settingsFile]),
];

function whyNot(place: string): string | undefined {
  for (let folder = place; ; folder = dirname(folder)) {
    const mark = MARKS.find((name) => existsSync(join(folder, name)));
    if (mark !== undefined) return `${join(folder, mark)} is above ${place}`;
    // As root, some tests run the program as another user.
    const isClosed = process.getuid?.() === 0 && (statSync(folder).mode & 0o001) === 0;
    if (isClosed) return `other users cannot enter ${folder}`;
    if (dirname(folder) === folder) return undefined;
  }
}

async function leftovers({ folders, checkout }: Ground): Promise<string[]> {
  const files = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => !folders.includes(path) && !isUnused(path));
  const processes = (await strays(folders)).map(({ pid, command }) => `process ${pid}: ${command}`);
  const now = checkoutStatus();
  const changed = [...now, ...checkout]
    .filter((line) => now.includes(line) !== checkout.includes(line))
    .map((line) => `in the checkout: ${line}`);
  return [...files, ...processes, ...changed];
}

/** The folder of a test file whose tests were all skipped: then nothing runs that would remove it. */
export function isUnused(path: string): boolean {
  if (!basename(path).startsWith(FILE_FOLDER)) return false;
  const [home, ...others] = readdirSync(path);
  return home === HOME && others.length === 0 && readdirSync(join(path, HOME)).length === 0;
}

/** What lives on although its worker has ended. What a worker still has running ends with it, a moment later. */
async function strays(folders: readonly string[]): Promise<Process[]> {
  for (let attempt = 0; ; attempt++) {
    const found = [...new Map(folders.flatMap(processesIn).map((one) => [one.pid, one])).values()];
    const isOurs = ({ parent }: Process): boolean =>
      parent === process.pid || found.some((one) => one.pid === parent && isOurs(one));
    const left = found.filter((one) => !isOurs(one));
    if (left.length === 0 || attempt === 20) return left;
    await delay(100);
  }
}

function checkoutStatus(): string[] {
  const git = spawnSync("git", ["status", "--porcelain"], { encoding: "utf8" });
  return git.status === 0 ? git.stdout.split("\n").filter(Boolean) : [];
}
