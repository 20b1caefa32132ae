import { execFile } from "node:child_process";
import { layouts } from "../src/layouts/all.ts";

/** Everything that is checked besides tests. Each prints nothing unless it has something to say. */
const bin = (name: string, ...args: string[]): string[] => [`node_modules/.bin/${name}`, ...args];
const checks: Readonly<Record<string, readonly string[]>> = {
  types: bin("tsc", "-p", "."),
  lint: bin("oxlint", "--quiet"),
  format: bin("oxfmt", "--check"),
  "unused code": bin("knip", "--no-progress"),
  "generated files": [process.execPath, "scripts/run.mjs", "scripts/build.ts", "--check"],
};

interface Result {
  readonly ok: boolean;
  readonly output: string;
}

function run(command: readonly string[]): Promise<Result> {
  const [program, ...args] = command as [string, ...string[]];
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
      // A program that could not be started says so in the error alone.
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() || String(error ?? "") }),
    );
  });
}

/** State, journals and pointers belong to one run on one machine. */
async function trackedStateFiles(): Promise<Result> {
  const patterns = layouts.flatMap(({ stateFile, journalFile, pointer }) =>
    [stateFile, journalFile, pointer].map((name) => `:(glob)**/${name}`),
  );
  const { output } = await run(["git", "ls-files", "--", ...patterns]);
  return {
    ok: output === "",
    output: output === "" ? "" : `these must not be committed:\n${output}`,
  };
}

const running: readonly (readonly [name: string, result: Promise<Result>])[] = [
  ...Object.entries(checks).map(([name, command]) => [name, run(command)] as const),
  ["no state files", trackedStateFiles()],
];
const results = await Promise.all(
  running.map(async ([name, result]) => ({ name, ...(await result) })),
);
for (const { name, ok, output } of results) {
  console.log(`${ok ? "ok  " : "FAIL"} ${name}${ok ? "" : `\n${output}`}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
