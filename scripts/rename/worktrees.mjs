// Phase 1: src/runner/trees becomes a room of its own, src/worktrees. Moves what it imports from the runner.
import fs from "node:fs";
import path from "node:path";
import { ts } from "./load.mjs";

const parse = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

function importsOf(sf) {
  return sf.statements.filter(ts.isImportDeclaration).map((node) => ({
    node, module: node.moduleSpecifier.text, isType: node.importClause?.isTypeOnly === true,
    names: node.importClause?.namedBindings && ts.isNamedImports(node.importClause.namedBindings)
      ? node.importClause.namedBindings.elements.map((e) => ({ name: e.name.text, from: (e.propertyName ?? e.name).text, isType: e.isTypeOnly || node.importClause.isTypeOnly })) : undefined,
  }));
}
const words = (node) => { const out = new Set(); const visit = (n) => { if (ts.isIdentifier(n)) out.add(n.text); ts.forEachChild(n, visit); }; visit(node); return out; };

export function prepareWorktrees(root, files, report) {
  const rel = (f) => path.relative(root, f);
  const read = (f) => fs.readFileSync(path.join(root, f), "utf8");
  const write = (f, t) => fs.writeFileSync(path.join(root, f), t);
  const has = (f) => fs.existsSync(path.join(root, f));
  const resolve = (from, module) => path.posix.normalize(path.posix.join(path.posix.dirname(from), module));
  const specifier = (from, to) => { const r = path.posix.relative(path.posix.dirname(from), to); return r.startsWith(".") ? r : `./${r}`; };

  function removeName(file, name, module) {
    const text = read(file); const sf = parse(file, text);
    for (const one of importsOf(sf)) {
      if (!one.names || resolve(file, one.module) !== module || !one.names.some((n) => n.name === name)) continue;
      const rest = one.names.filter((n) => n.name !== name);
      const found = one.names.find((n) => n.name === name);
      write(file, text.slice(0, one.node.getStart()) + render(rest, one.module) + text.slice(one.node.end).replace(/^\n/, rest.length || one.node.importClause.name ? "\n" : ""));
      return found;
    }
    return undefined;
  }
  const render = (names, module) => {
    if (names.length === 0) return "";
    names = [...names].sort((a, b) => a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
    const all = names.every((n) => n.isType);
    return `import ${all ? "type " : ""}{ ${names.map((n) => `${n.isType && !all ? "type " : ""}${n.from === n.name ? n.name : `${n.from} as ${n.name}`}`).join(", ")} } from "${module}";`;
  };
  function addName(file, { name, from = name, isType }, target) {
    const text = read(file); const sf = parse(file, text);
    if (target === file) return;
    const module = specifier(file, target);
    const same = importsOf(sf).find((one) => one.names && one.module === module && !one.node.importClause.name);
    if (same) {
      if (same.names.some((n) => n.name === name)) return;
      write(file, text.slice(0, same.node.getStart()) + render([...same.names, { name, from, isType }], module) + text.slice(same.node.end));
    } else {
      const first = sf.statements[0];
      const at = first === undefined ? 0 : first.getStart();
      write(file, text.slice(0, at) + render([{ name, from, isType }], module) + "\n" + text.slice(at));
    }
  }
  /** Moves a top-level declaration, with its comment and the imports it needs. */
  function move(name, from, to) {
    if (!has(from) || !has(to)) return report(`worktrees: ${name}: ${from} or ${to} is gone`);
    const text = read(from); const sf = parse(from, text);
    const node = sf.statements.find((s) => (s.name?.text ?? (ts.isVariableStatement(s) ? s.declarationList.declarations[0]?.name.text : undefined)) === name);
    if (node === undefined) return report(`worktrees: ${name} is not in ${from}`);
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    const needs = words(node); needs.delete(name);
    const imports = importsOf(sf);
    const top = new Set(sf.statements.flatMap((s) => ts.isVariableStatement(s) ? s.declarationList.declarations.map((d) => d.name.text) : s.name ? [s.name.text] : []));
    const own = [...needs].filter((w) => top.has(w));
    const before = text.slice(0, node.getFullStart()); const after = text.slice(node.end);
    write(from, before + after);
    let decl = text.slice(node.getFullStart(), node.end).trim();
    if (!/^export /m.test(decl.slice(decl.indexOf("export") - 0)) && !node.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)) report(`worktrees: ${name} was not exported`);
    write(to, `${read(to).trimEnd()}\n\n${decl}\n`);
    for (const one of imports) for (const n of one.names ?? []) {
      if (!needs.has(n.name)) continue;
      addName(to, n, resolve(from, one.module));
      const rest = parse(from, read(from));
      const used = rest.statements.some((s) => !ts.isImportDeclaration(s) && words(s).has(n.name));
      if (!used) removeName(from, n.name, resolve(from, one.module));
    }
    for (const w of own) addName(to, { name: w, isType: false }, from), report(`worktrees: ${name} uses ${w} of ${from}: check the import`);
    const stays = parse(from, read(from)).statements.some((s) => !ts.isImportDeclaration(s) && words(s).has(name));
    if (stays) addName(from, { name, isType }, to);
    for (const file of files) {
      if (!has(file) || file === from || !/\.ts$/.test(file)) continue;
      if (!read(file).includes(name)) continue;
      const found = removeName(file, name, from);
      if (found && file !== to) addName(file, found, to);
    }
  }
  const T = "src/runner/trees/";
  if (!has(T)) { report("worktrees: there is no src/runner/trees"); return false; }
  move("Aftermath", "src/runner/ground.ts", `${T}aftermath.ts`);
  move("NO_AFTERMATH", "src/runner/ground.ts", `${T}aftermath.ts`);
  move("CheckGround", "src/runner/last-check.ts", `${T}check-out.ts`);
  move("listSpecTrunks", "src/runner/epic/epic-tree.ts", `${T}parts.ts`);
  // Parts of types of the runner, said in words of its own.
  const FIELDS = { id: "string", attempt: "number" };
  for (const file of fs.readdirSync(path.join(root, T)).map((n) => T + n)) {
    let text = read(file);
    const changed = text.replace(/Pick<Job, ((?:"\w+"(?: \| )?)+)>/g, (all, keys) => {
      const names = keys.split(" | ").map((k) => k.slice(1, -1));
      return names.every((n) => n in FIELDS) ? `{ ${names.map((n) => `readonly ${n}: ${FIELDS[n]}`).join("; ")} }` : all;
    }).replace(/Pick<RunOptions, "setup" \| "share">/g, 'Pick<RunSettings, "setup" | "share">');
    if (changed === text) continue;
    write(file, changed);
    const uses = (w) => parse(file, read(file)).statements.some((s) => !ts.isImportDeclaration(s) && words(s).has(w));
    if (!uses("Job")) removeName(file, "Job", "src/runner/jobs.ts");
    if (uses("RunSettings") && !/import[^;]*RunSettings/.test(changed)) {
      addName(file, { name: "RunSettings", isType: true }, "src/run/run-settings.ts");
      if (!uses("RunOptions")) removeName(file, "RunOptions", "src/runner/options.ts");
    }
  }
  // What is left of the runner in there, apart from the one file that stays in the runner.
  for (const file of fs.readdirSync(path.join(root, T)).filter((n) => n.endsWith(".ts") && !n.endsWith(".test.ts")).map((n) => T + n)) {
    if (file.endsWith("/untaken.ts")) continue;
    for (const one of importsOf(parse(file, read(file)))) {
      const to = one.module.startsWith(".") ? resolve(file, one.module) : "";
      if ((to.startsWith("src/runner/") && !to.startsWith(T)) || to.startsWith(`${T}untaken`) || to.startsWith("src/apps/"))
        report(`worktrees: ${file} still imports ${to}`);
    }
  }
  return true;
}
