import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A line of the source, broken on purpose, and the tests that must notice. */
interface Mutation {
  /** The promise that it breaks, by its name in docs/guarantees.md. */
  readonly promise: string;
  readonly what: string;
  readonly file: string;
  /** Text that occurs in the file once. */
  readonly find: string;
  readonly replace: string;
  /** Files of tests, each with the title of a test or a group in it, as its source has it. */
  readonly tests: readonly (readonly [file: string, name: string])[];
}

/**
 * Breaks each promise of docs/guarantees.md on purpose, in a copy of the repository, and sees whether its tests notice.
 * `npm run mutate` for all, `npm run mutate -- <words>` for those whose promise or change has these words in it.
 */
const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), "smart-ralph-mutate-"));

function copyRepository(): void {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { encoding: "utf8", maxBuffer: 64 << 20 });
  for (const name of files.split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    try {
      copyFileSync(join(root, name), join(copy, name));
    } catch {
      // Removed from the disk and not yet from the index, or no file at all.
    }
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

const node = (args: readonly string[], env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(process.execPath, args, { cwd: copy, stdio: "ignore", env: { ...process.env, ...env } })
    .status === 0;

const build = (): boolean => node(["scripts/run.mjs", "scripts/build.ts"]);

/** Vitest fills in what a title takes from its table. */
const patternOf = (title: string): string =>
  title
    .split(/%[a-z]|\$\w+/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

type Outcome = "passed" | "failed" | "not run";

/** What becomes of the named tests. */
function runTests(tests: Mutation["tests"]): Outcome[] {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const files = [...new Set(tests.map(([file]) => file))];
  const names = tests.map(([, name]) => patternOf(name)).join("|");
  // Whatever else the machine is busy with: a test that takes too long has noticed nothing.
  const how = ["--testTimeout=300000", "--reporter=json", `--outputFile.json=${report}`];
  const projects = ["--project", "unit", "--project", "program"];
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...projects,
    ...files,
    "-t",
    names,
    ...how,
  ];
  node(args, files.some((file) => file.endsWith(".full.test.ts")) ? { FULL: "1" } : {});
  if (!existsSync(report)) return tests.map(() => "not run");
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.map(([, name]) => {
    const own = ran.filter(({ fullName }) => new RegExp(patternOf(name), "s").test(fullName));
    if (own.some(({ status }) => status === "failed")) return "failed";
    return own.some(({ status }) => status === "passed") ? "passed" : "not run";
  });
}

/** Every listed test has to notice on its own. */
function tryOut({ file, find, replace, tests }: Mutation): string {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2) return `NO: ${file} has not just one such place`;
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    if (!build()) return "NO: it does not build any more";
    const outcomes = runTests(tests);
    const missed = tests.filter((_, i) => outcomes[i] !== "failed").map(([, name]) => name);
    return missed.length === 0 ? "caught" : `NO: not by "${missed.join('", "')}"`;
  } finally {
    writeFileSync(path, text);
  }
}

try {
  copyRepository();
  const file = join(root, "scripts/mutations.json");
  const words = process.argv.slice(2).join(" ").toLowerCase();
  const chosen = (JSON.parse(readFileSync(file, "utf8")) as Mutation[]).filter(
    ({ promise, what }) => `${promise} ${what}`.toLowerCase().includes(words),
  );
  build();
  const named = chosen.flatMap(({ tests }) => tests);
  const sound = runTests(named);
  const unsound = named.filter((_, i) => sound[i] !== "passed").map(([, name]) => name);
  if (unsound.length > 0) throw new Error(`these do not pass as it is: ${unsound.join(", ")}`);
  console.log("| promise | broken on purpose | outcome |\n|---|---|---|");
  for (const mutation of chosen) {
    const outcome = tryOut(mutation);
    console.log(`| ${mutation.promise} | ${mutation.what} (\`${mutation.file}\`) | ${outcome} |`);
    if (outcome !== "caught") process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
