import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { benchHook } from "./hook.ts";
import { benchTasks } from "./tasks.ts";

/** Ratios and growth, not promises of milliseconds. `--quick` is for CI: fewer rounds, and nothing is written. */
const quick = process.argv.includes("--quick");
const results = [benchHook(quick ? 15 : 60), benchTasks()];
const text = `# Measurements

Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}. Written by \`npm run bench\`.

${results.map((result) => result.text.trim()).join("\n\n")}
`;
console.log(text);
if (!quick) writeFileSync("bench/results.md", text);
const over = results.flatMap((result) => result.over);
for (const line of over) console.error(`over its bound: ${line}`);
process.exitCode = over.length > 0 ? 1 : 0;
