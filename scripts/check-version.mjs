// On a pull request that changes what users install: the version must be higher than the base branch's.
// Usage: node scripts/check-version.mjs <path to the base branch's package.json>
import { readFileSync } from "node:fs";

const versionIn = (path) => JSON.parse(readFileSync(path, "utf8")).version.split(".").map(Number);
const [base, head] = [versionIn(process.argv[2]), versionIn("package.json")];
const at = head.findIndex((part, i) => part !== base[i]);
if (at !== -1 && head[at] > base[at]) {
  console.log(`version ${base.join(".")} → ${head.join(".")}`);
} else {
  console.error(
    `package.json says ${head.join(".")}, the base branch ${base.join(".")}: raise it, then npm run build`,
  );
  process.exitCode = 1;
}
