// npm test: installs what is missing, runs the tests, and closes with one line that a machine can read. With `--full`
// (npm run test:full) also those that take minutes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

const folder = mkdtempSync(join(tmpdir(), "smart-ralph-test-"));
const report = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = process.argv.slice(2).filter((argument) => argument !== "--full");
const isFull = args.length < process.argv.length - 2;
const status = run(
  process.execPath,
  [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
  isFull ? { FULL: "1" } : {},
);
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
rmSync(folder, { recursive: true, force: true });
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exitCode = status;
