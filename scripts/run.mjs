// Runs a TypeScript file of this repository: node scripts/run.mjs <file> [arguments]. Node 20 knows neither types
// nor Markdown imports; esbuild, which we have anyway, knows both.
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [file, ...rest] = process.argv.slice(2);
const outfile = `node_modules/.cache/run-${process.pid}.mjs`;
await build({
  entryPoints: [file],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  // Loaded by the built hook from beside it; what runs here brings its own.
  external: ["./on-demand.cjs", "./demo.cjs"],
  loader: { ".md": "text" },
  logLevel: "warning",
});
process.argv = [process.argv[0], file, ...rest];
try {
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(outfile, { force: true });
}
