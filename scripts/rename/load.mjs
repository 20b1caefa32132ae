import { createRequire } from "node:module";
import path from "node:path";
import { execFileSync } from "node:child_process";
const require = createRequire(import.meta.url);
export const ts = require("typescript");
export function load(root) {
  const files = execFileSync("git", ["-C", root, "ls-files", "-co", "--exclude-standard", "*.ts", "*.mts", "*.mjs"], { encoding: "utf8", maxBuffer: 1e9 })
    .split("\n").filter((f) => f && /^(src|test|bench|scripts|[^/]*\.ts$)/.test(f)).filter((f)=>ts.sys.fileExists(path.join(root,f)));
  const program = ts.createProgram(files.map((f) => path.join(root, f)), {
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts"], types: ["node"], strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true, resolveJsonModule: true, allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true, allowJs: true,
    typeRoots: [path.join(root, "node_modules/@types")],
  });
  return { files, program, checker: program.getTypeChecker() };
}
