// npm test: installs what is missing, runs the tests, and closes with one line that a machine can read. Without words it
// runs what takes a few minutes; `--project program` and the like run a part, `--full` (npm run test:full) everything.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { closingLine } from "./closing-line.mjs";

const root = join(import.meta.dirname, "..");

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    // Of all that is run here only npm is a script on Windows, which needs a shell.
    shell: process.platform === "win32" && command === "npm",
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

/** npm leaves this file behind; it is older than the lock file when the lock file has changed since. */
const installed = join(root, "node_modules", ".package-lock.json");
const lock = join(root, "package-lock.json");
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  const status = run("npm", ["ci", "--no-audit", "--no-fund"]);
  if (status !== 0) process.exit(status);
}

const args = process.argv.slice(2).filter((argument) => argument !== "--full");
const isFull = args.length < process.argv.length - 2;
const full = isFull ? { FULL: "1" } : args.length === 0 ? { QUICK: "1" } : {};
const problems = [];

/** Programs that some tests need. `unshare` and `bwrap` may be there and not be allowed to do anything. */
const OPTIONAL = ["bwrap", "script", "unshare", "bash", "zsh", "fish"];
const isOnPath = (name) =>
  (process.env.PATH ?? "").split(delimiter).some((one) => existsSync(join(one, name)));
const absent = OPTIONAL.filter((name) => !isOnPath(name));
if (absent.length > 0)
  console.log(`not on this machine: ${absent.join(", ")}; tests that need them are skipped`);

/** What cannot be downloaded is not tested. A machine that checks everybody's changes must not pass without it. */
const paths = args.filter((one) => one.includes("/"));
const needsClients = paths.length === 0 || paths.some((one) => one.includes("e2e"));
const missing = needsClients ? downloadClients() : {};
for (const [id, why] of Object.entries(missing)) {
  console.log(`skipped: the tests in ${id}, which cannot be downloaded: ${why}`);
  if (process.env.CI) problems.push(`${id} was not tested`);
}

function downloadClients() {
  const script = ["scripts/run.mjs", "test/e2e/download.ts"];
  const { status, stdout } = spawnSync(process.execPath, script, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    env: { ...process.env, ...full },
  });
  return status === 0 ? JSON.parse(stdout) : {};
}

const folder = mkdtempSync(join(tmpdir(), "smart-ralph-test-"));
const report = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const status = run(
  process.execPath,
  [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
  { ...full, MISSING_CLIENTS: Object.keys(missing).join(",") },
);
const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
rmSync(folder, { recursive: true, force: true });
const { lines, exitCode } = closingLine(found, status, problems);
for (const line of lines) console.log(line);
process.exitCode = exitCode;
