import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import demoTasks from "./tasks.md";

/** Part of the project, so that a Verify is short enough to read. */
const CHECK = `import { greet } from "./greet.mjs";
const [wanted, ...names] = process.argv.slice(2);
console.log("greet() says", greet(...names));
process.exit(greet(...names) === wanted ? 0 : 1);
`;

export interface DemoProject {
  /** The folder of its spec. */
  readonly place: string;
  /** Why it is not in git, if so. */
  readonly withoutGit: string | undefined;
}

/** Writes the project that the demos work on. */
export function writeDemoProject(folder: string): DemoProject {
  const place = join(folder, "specs", "greeter");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "tasks.md"), demoTasks);
  writeFileSync(join(folder, "check.mjs"), CHECK);
  const failed = runGit(folder, ["init", "--quiet"]) ?? commitAll(folder, "a project to work on");
  return { place, withoutGit: failed };
}

const IDENTITY = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"];

/** Returns why not, if it cannot be done. */
export const commitAll = (folder: string, message: string): string | undefined =>
  runGit(folder, ["add", "--all"]) ??
  runGit(folder, [...IDENTITY, "commit", "--quiet", "--no-gpg-sign", "--message", message]);

function runGit(cwd: string, args: readonly string[]): string | undefined {
  const { status, error } = spawnSync("git", args, { cwd, stdio: "ignore" });
  return status === 0 ? undefined : (error?.message ?? `git ${args[0]} failed`);
}
