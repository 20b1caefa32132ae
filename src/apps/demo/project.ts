import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "../../exec/run-to-end.ts";
import demoTasks from "./tasks.md";

export const LIMIT_MS = 30_000;

/** Part of the project, so that a Verify is short enough to read. */
const CHECK = `import { greet } from "./greet.mjs";
const [wanted, ...names] = process.argv.slice(2);
console.log("greet() says", greet(...names));
process.exit(greet(...names) === wanted ? 0 : 1);
`;

/** Writes the project that the demos work on. Returns the folder of its spec, and why it is not in git, if so. */
export function writeDemoProject(folder: string) {
  const place = join(folder, "specs", "greeter");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "tasks.md"), demoTasks);
  writeFileSync(join(folder, "check.mjs"), CHECK);
  const begun = runGit(folder, ["init", "--quiet"]);
  return { place, withoutGit: begun ?? commitAll(folder, "a project to work on") };
}

const IDENTITY = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"];

/** Returns why not, if it cannot be done. */
export const commitAll = (folder: string, message: string): string | undefined =>
  runGit(folder, ["add", "--all"]) ??
  runGit(folder, [...IDENTITY, "commit", "--quiet", "--no-gpg-sign", "--message", message]);

function runGit(cwd: string, args: readonly string[]): string | undefined {
  const { ok, error } = runToEnd(["git", ...args], { cwd, limitMs: LIMIT_MS });
  return ok ? undefined : (error?.message ?? `git ${args[0]} failed`);
}
