import { spawnSync } from "node:child_process";
import { layouts } from "../src/layouts/layout.ts";

/** Everything that is checked besides tests. Each prints nothing unless it has something to say. */
const bin = (name: string, ...args: string[]): string[] => [`node_modules/.bin/${name}`, ...args];
const checks: Readonly<Record<string, readonly string[]>> = {
  types: bin("tsc", "-p", "."),
  lint: bin("oxlint", "--quiet"),
  format: bin("oxfmt", "--check"),
  "unused code": bin("knip", "--no-progress"),
  "generated files": [process.execPath, "scripts/run.mjs", "scripts/build.ts", "--check"],
};

function run(command: readonly string[]): { ok: boolean; output: string } {
  const [program, ...args] = command as [string, ...string[]];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return { ok: status === 0, output: `${stdout}${stderr}`.trim() };
}

/** State, journals and pointers belong to one run on one machine. */
function trackedStateFiles(): { ok: boolean; output: string } {
  const patterns = layouts.flatMap(({ stateFile, journalFile, pointer }) =>
    [stateFile, journalFile, pointer].map((name) => `:(glob)**/${name}`),
  );
  const { output } = run(["git", "ls-files", "--", ...patterns]);
  return {
    ok: output === "",
    output: output === "" ? "" : `these must not be committed:\n${output}`,
  };
}

const results = [
  ...Object.entries(checks).map(([name, command]) => ({ name, ...run(command) })),
  { name: "no state files", ...trackedStateFiles() },
];
for (const { name, ok, output } of results) {
  console.log(`${ok ? "ok  " : "FAIL"} ${name}${ok ? "" : `\n${output}`}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
