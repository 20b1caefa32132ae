import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import demoTasks from "./tasks.md";

/** Part of the project, so that a Verify is short enough to read. */
const CHECK = `import { greet } from "./greet.mjs";
const [wanted, ...names] = process.argv.slice(2);
console.log("greet() says", greet(...names));
process.exit(greet(...names) === wanted ? 0 : 1);
`;

/** Writes the project that the demos work on. Returns the folder of its spec. */
export function writeDemoProject(folder: string): string {
  const place = join(folder, "specs", "greeter");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "tasks.md"), demoTasks);
  writeFileSync(join(folder, "check.mjs"), CHECK);
  return place;
}
