#!/usr/bin/env node
// Usage: node rename.mjs <repo root> [--no-worktrees]
import fs from "node:fs";
import path from "node:path";
import { execFileSync } from "node:child_process";
import { load, ts } from "./load.mjs";
import { prepareWorktrees } from "./worktrees.mjs";
import { FILES, LOCALS, LOOSE, PROSE, SOURCE_TEXT, SYMBOLS, TREE_FILES } from "./config.mjs";
import { rewriteDocs } from "./docs.mjs";

const root = path.resolve(process.argv[2] ?? ".");
const isMoved = !process.argv.includes("--no-worktrees");
const began = Date.now();
const reports = [];
const report = (line) => reports.push(line);
const git = (...args) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8", maxBuffer: 1 << 30 });
const listed = () => git("ls-files", "-co", "--exclude-standard").split("\n").filter((f) => f && fs.existsSync(path.join(root, f)));
const read = (f) => fs.readFileSync(path.join(root, f), "utf8");

if (!fs.existsSync(path.join(root, "node_modules/@types/node"))) { console.error("node_modules is missing: run npm ci first, or types are not known"); process.exit(2); }
// ---- 0. Has it run already?
if (fs.existsSync(path.join(root, "src/worktrees")) && !fs.existsSync(path.join(root, "src/runner/trees"))) report("src/worktrees exists already");

// ---- 1. Which mutations quote which text, before anything changes.
const mutationsFile = "scripts/mutations.json";
const mutations = fs.existsSync(path.join(root, mutationsFile)) ? JSON.parse(read(mutationsFile)) : [];
const quoted = mutations.map((one) => {
  if (!fs.existsSync(path.join(root, one.file))) { report(`mutation "${one.what}": ${one.file} is gone`); return undefined; }
  return true;
});

// ---- 2. src/worktrees.
const movedTrees = isMoved && prepareWorktrees(root, listed(), report);

// ---- 3. Which files move.
const all = listed();
const exists = new Set(all);
const moves = new Map();
function addMove(from, to) {
  if (from === to) return;
  if (!exists.has(from)) return report(`file: ${from} is gone`);
  if (exists.has(to) && !moves.has(to)) return report(`file: ${to} exists already, so ${from} stays`);
  moves.set(from, to);
}
const withExt = (name) => (/\.(md|mjs)$/.test(name) ? name : `${name}.ts`);
function addWithTests(from, to) {
  addMove(withExt(from), withExt(to));
  for (const file of all) {
    const rest = file.startsWith(`${from}.`) ? file.slice(from.length) : "";
    if (/^(\.[\w-]+)*\.test\.ts$/.test(rest)) addMove(file, to + rest);
  }
}
for (const [from, to] of Object.entries(FILES)) addWithTests(from, to);
const TREES = "src/runner/trees/";
const trees = movedTrees ? "src/worktrees/" : TREES;
if (all.some((f) => f.startsWith(TREES))) {
  addWithTests(`${TREES}untaken`, movedTrees ? "src/runner/unmerged" : `${TREES}unmerged`);
  for (const file of all.filter((f) => f.startsWith(TREES))) {
    if (moves.has(file) || file.startsWith(`${TREES}untaken.`)) continue;
    const [, base, ext] = /^([^.]+)(\..*)$/.exec(file.slice(TREES.length)) ?? [];
    if (base !== undefined) addMove(file, `${trees}${TREE_FILES[base] ?? base}${ext}`);
  }
  for (const base of Object.keys(TREE_FILES)) if (!all.some((f) => f.startsWith(`${TREES}${base}.`))) report(`file: ${TREES}${base}.ts is gone`);
}
const newPath = (f) => moves.get(f) ?? f;

// ---- 4. The program, and what is renamed in it.
const { files, program, checker } = load(root);
const own = new Map(files.map((f) => [path.join(root, f), f]));
const sources = program.getSourceFiles().filter((sf) => own.has(sf.fileName));
const fileOf = (sf) => own.get(sf.fileName);
const byFile = new Map(sources.map((sf) => [fileOf(sf), sf]));
/** declaration → { from, to } */
const targets = new Map();
const newTop = new Map(); // file → set of new names in its top scope

const nameOf = (node) => (node.name !== undefined && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)) ? node.name.text : undefined);
function topLevel(sf) {
  return sf.statements.flatMap((s) => ts.isVariableStatement(s) ? [...s.declarationList.declarations]
    : ts.isImportDeclaration(s) && s.importClause?.name ? [s.importClause] : nameOf(s) !== undefined ? [s] : []);
}
function membersOf(decl) {
  if (ts.isInterfaceDeclaration(decl) || ts.isClassDeclaration(decl)) return [...decl.members];
  const out = [];
  const visit = (n) => { if (ts.isTypeLiteralNode(n)) out.push(...n.members); ts.forEachChild(n, visit); };
  if (ts.isTypeAliasDeclaration(decl)) visit(decl.type);
  return out;
}
const declared = new Map(); // name → declarations in src
for (const sf of sources) if (fileOf(sf).startsWith("src/") && !/\.test\.ts$/.test(fileOf(sf))) for (const d of topLevel(sf)) {
  const n = nameOf(d); if (n) declared.set(n, [...(declared.get(n) ?? []), d]);
}
/** A name that only one row has, with one of the old words in it, is looked for everywhere; `Step` or `Part` is not. */
const OLD_WORDS = /ground|apart|aside|surround|crew|teller|doubt|held|beside|equip|bringHome|comeBack|halfDone|untaken|standing|hear|weigh|goOn/i;
const isDistinct = (owner) => OLD_WORDS.test(owner) && new Set(SYMBOLS.filter(([, f]) => f.split(".")[0] === owner).map(([file]) => file)).size === 1;
for (const [file, from, to, isOptional] of SYMBOLS) {
  const [owner, member] = from.split(".");
  const sf = byFile.get(`${file}.ts`);
  let found = sf ? topLevel(sf).filter((d) => nameOf(d) === owner) : [];
  if (found.length === 0 && isDistinct(owner)) {
    // Only in the same room, and only if it is not done already.
    const room = file.split("/").slice(0, 2).join("/");
    const elsewhere = declared.has(to) ? [] : (declared.get(owner) ?? []).filter((d) => fileOf(d.getSourceFile()).startsWith(`${room}/`));
    const places = new Set(elsewhere.map((d) => d.getSourceFile()));
    if (places.size === 1) { found = elsewhere; report(`symbol: ${from} is not in ${file}.ts any more; taken from ${fileOf([...places][0])}`); }
  }
  const decls = member === undefined ? found : found.flatMap(membersOf).filter((m) => nameOf(m) === member);
  if (decls.length === 0) { if (!isOptional) report(`symbol: ${file}.ts ${from} is gone`); continue; }
  for (const d of decls) targets.set(d, { from: member ?? owner, to, isMember: member !== undefined });
}

for (const sf of sources) {
  const rows = LOOSE.filter(([where]) => where.test(fileOf(sf)));
  if (rows.length === 0) continue;
  const visit = (n) => {
    if (ts.isPropertyAssignment(n) || ts.isShorthandPropertyAssignment(n) || ts.isPropertySignature(n) || (ts.isMethodDeclaration(n) && ts.isObjectLiteralExpression(n.parent))) {
      const row = rows.find(([, from, , value]) => from === nameOf(n) && (!value || (n.initializer && value.test(n.initializer.getText()))));
      if (row && !targets.has(n)) targets.set(n, { from: row[1], to: row[2], isMember: true });
    }
    ts.forEachChild(n, visit);
  };
  visit(sf);
}

// ---- 5. Every identifier that means one of them.
const edits = new Map(); // file → Map(start → edit)
const edit = (file, start, end, text, extra = {}) => {
  const list = edits.get(file) ?? new Map(); edits.set(file, list);
  list.set(start, { start, end, text, ...extra });
};
const aliased = (symbol) => {
  let s = symbol;
  try { while (s && s.flags & ts.SymbolFlags.Alias) { const next = checker.getAliasedSymbol(s); if (next === s) break; s = next; } } catch {}
  return s;
};
const targetOf = (symbol, text) => {
  for (const s of [symbol, aliased(symbol)]) for (const d of s?.declarations ?? []) { const t = targets.get(d); if (t && t.from === text) return t; }
  return undefined;
};
const parts = (type) => (type?.isUnionOrIntersection?.() ? type.types.flatMap(parts) : type ? [type] : []);
function propTarget(type, text) {
  if (!type) return undefined;
  for (const t of [type, checker.getApparentType(type), ...parts(type), ...parts(checker.getNonNullableType(type))]) {
    const found = targetOf(checker.getPropertyOfType(t, text), text);
    if (found) return found;
  }
  return undefined;
}
/** The type of a parameter of a function that is an argument. */
function contextOf(param) {
  const fn = param.parent;
  if (!ts.isParameter(param) || !(ts.isArrowFunction(fn) || ts.isFunctionExpression(fn))) return undefined;
  if (ts.isCallExpression(fn.parent)) checker.getResolvedSignature(fn.parent);
  const found = checker.getContextualType(fn)?.getCallSignatures()[0]?.getParameters()[fn.parameters.indexOf(param)];
  return found && checker.getTypeOfSymbolAtLocation(found, fn);
}
const isTaken = (name, node, ignore) => {
  const s = checker.resolveName(name, node, ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Alias, true);
  if (!s) return false;
  return !(s.declarations ?? []).every((d) => targets.has(d) && targets.get(d).from === name && targets.get(d).to !== name);
};

/** Per file: references to renamed names in scope, so that a clash can be handled. */
const scoped = []; // { file, node, target, kind }
const members = [];
function classify(sf) {
  const file = fileOf(sf);
  const visit = (n) => {
    if (ts.isIdentifier(n)) see(n);
    else if (ts.isStringLiteral(n) && n.parent && ts.isLiteralTypeNode(n.parent)) seeKey(n);
    ts.forEachChild(n, visit);
  };
  const seeKey = (n) => {
    // Pick<T, "key">, Omit<T, "key">, T["key"]
    let p = n.parent.parent;
    while (p && ts.isUnionTypeNode(p)) p = p.parent;
    let type;
    if (p && ts.isIndexedAccessTypeNode(p)) type = checker.getTypeFromTypeNode(p.objectType);
    else if (p && (ts.isTypeReferenceNode(p) || ts.isExpressionWithTypeArguments(p)) && p.typeArguments?.length === 2) type = checker.getTypeFromTypeNode(p.typeArguments[0]);
    const t = propTarget(type, n.text);
    if (t) edit(file, n.getStart() + 1, n.end - 1, t.to, { from: n.text });
  };
  const see = (n) => {
    const p = n.parent;
    if (ts.isShorthandPropertyAssignment(p) && p.name === n) {
      const value = checker.getShorthandAssignmentValueSymbol(p);
      const prop = propTarget(checker.getContextualType(p.parent), n.text) ?? targets.get(p);
      members.push({ file, node: n, kind: "shorthand", prop: prop?.isMember ? prop : undefined, value });
      return;
    }
    if (ts.isBindingElement(p) && ts.isObjectBindingPattern(p.parent)) {
      if (p.propertyName === n || (p.name === n && !p.propertyName && !p.dotDotDotToken)) {
        const prop = propTarget(checker.getTypeAtLocation(p.parent), n.text) ?? propTarget(checker.getTypeAtLocation(p.parent.parent), n.text) ?? propTarget(contextOf(p.parent.parent), n.text);
        if (p.propertyName === n) { if (prop?.isMember) edit(file, n.getStart(), n.end, prop.to, { from: n.text }); return; }
        members.push({ file, node: n, kind: "binding", prop: prop?.isMember ? prop : undefined, value: checker.getSymbolAtLocation(n) });
        return;
      }
    }
    if (ts.isPropertyAssignment(p) && p.name === n || ts.isMethodDeclaration(p) && p.name === n && ts.isObjectLiteralExpression(p.parent)) {
      const t = propTarget(checker.getContextualType(p.parent), n.text) ?? targets.get(p);
      if (t?.isMember) edit(file, n.getStart(), n.end, t.to, { from: n.text });
      return;
    }
    const symbol = checker.getSymbolAtLocation(n);
    const t = targetOf(symbol, n.text);
    if (!t) return;
    if (t.isMember) edit(file, n.getStart(), n.end, t.to, { from: n.text });
    else scoped.push({ file, node: n, target: t, symbol });
  };
  visit(sf);
}
for (const sf of sources) classify(sf);

// Clashes of top-level names: in a file where the new name is taken, the import gets an alias.
const groups = Map.groupBy ? Map.groupBy(scoped, (one) => `${one.file}\0${one.target.from}\0${one.target.to}`) : (() => { const m = new Map(); for (const one of scoped) { const k = `${one.file}\0${one.target.from}\0${one.target.to}`; m.set(k, [...(m.get(k) ?? []), one]); } return m; })();
for (const list of groups.values()) {
  const [{ file, target }] = list;
  const clash = list.find(({ node }) => !ts.isPropertyAccessExpression(node.parent) && !ts.isImportSpecifier(node.parent) && !ts.isQualifiedName(node.parent) && isTaken(target.to, node));
  const isImport = (node) => ts.isImportSpecifier(node.parent);
  if (clash) {
    report(`clash: ${target.to} is taken in ${file} (was ${target.from})${list.some(({ node }) => isImport(node)) ? "; imported under its old name" : "; RENAMED ANYWAY, look"}`);
    if (list.some(({ node }) => isImport(node))) {
      for (const { node } of list) if (isImport(node)) edit(file, node.getStart(), node.end, node.parent.propertyName === node ? target.to : node.parent.propertyName ? node.text : `${target.to} as ${node.text}`, { from: node.text });
      continue;
    }
  }
  newTop.set(file, (newTop.get(file) ?? new Set()).add(target.to));
  for (const { node, symbol } of list) {
    // import { X as Y }: Y stays.
    if (ts.isImportSpecifier(node.parent) && node.parent.propertyName && node.parent.name === node) continue;
    edit(file, node.getStart(), node.end, target.to, { from: node.text });
  }
}

// ---- 6. Local names.
const locals = new Map(); // symbol → new name
function localCandidates(sf, visitor) {
  const visit = (n) => {
    if (ts.isIdentifier(n) && n.parent.name === n && (ts.isVariableDeclaration(n.parent) || ts.isParameter(n.parent) || ts.isBindingElement(n.parent) || ts.isFunctionDeclaration(n.parent))) visitor(n);
    ts.forEachChild(n, visit);
  };
  visit(sf);
}
const refs = new Map(); // symbol → identifiers, for names that matter
const wanted = new Set([...LOCALS.map(([, from]) => from), ...members.filter((m) => m.kind === "binding" && m.prop).map((m) => m.node.text)]);
for (const sf of sources) {
  const visit = (n) => {
    if (ts.isIdentifier(n) && wanted.has(n.text)) {
      const p = n.parent;
      let s;
      if (ts.isShorthandPropertyAssignment(p) && p.name === n) s = checker.getShorthandAssignmentValueSymbol(p);
      else if ((ts.isPropertyAccessExpression(p) && p.name === n) || (ts.isPropertyAssignment(p) && p.name === n) || (ts.isBindingElement(p) && p.propertyName === n)) s = undefined;
      else s = checker.getSymbolAtLocation(n);
      if (s) refs.set(s, [...(refs.get(s) ?? []), n]);
    }
    ts.forEachChild(n, visit);
  };
  visit(sf);
}
function tryLocal(symbol, names) {
  if (!symbol || locals.has(symbol)) return locals.get(symbol);
  const nodes = refs.get(symbol) ?? [];
  if (nodes.length === 0) return undefined;
  const file = fileOf(nodes[0].getSourceFile());
  for (const to of names) {
    const isFree = nodes.every((n) => !isTaken(to, n)) && newTop.get(file)?.has(to) !== true;
    // Another name in the same function that gets the same new one.
    const clash = [...locals].some(([other, name]) => name === to && other !== symbol && overlaps(other, symbol));
    if (isFree && !clash) { locals.set(symbol, to); return to; }
  }
  return undefined;
}
const scopeOf = (symbol) => { let n = symbol.declarations?.[0]; while (n && !ts.isFunctionLike(n) && !ts.isSourceFile(n) && !ts.isBlock(n)) n = n.parent; return n; };
const overlaps = (a, b) => { const [x, y] = [scopeOf(a), scopeOf(b)]; if (!x || !y || x.getSourceFile() !== y.getSourceFile()) return false; return (x.pos <= y.pos && y.end <= x.end) || (y.pos <= x.pos && x.end <= y.end); };
// Bindings of renamed properties first.
for (const one of members) if (one.kind === "binding" && one.prop) tryLocal(one.value, [one.prop.to]);
for (const sf of sources) localCandidates(sf, (n) => {
  const file = fileOf(sf);
  const symbol = checker.getSymbolAtLocation(n);
  if (!symbol || locals.has(symbol) || (symbol.declarations ?? []).some((d) => targets.has(d))) return;
  for (const [where, from, to, type] of LOCALS) {
    if (from !== n.text || !where.test(file)) continue;
    if (type && !type.test(checker.typeToString(checker.getTypeAtLocation(n), undefined, ts.TypeFormatFlags.NoTruncation) + " " + (n.parent.type?.getText() ?? ""))) continue;
    if (tryLocal(symbol, to) === undefined) report(`local: ${from} in ${file}: ${to.join(", ")} is taken`);
    return;
  }
});
for (const [symbol, to] of locals) for (const n of refs.get(symbol) ?? []) {
  const p = n.parent;
  if (ts.isShorthandPropertyAssignment(p) || (ts.isBindingElement(p) && !p.propertyName && ts.isObjectBindingPattern(p.parent))) continue;
  edit(fileOf(n.getSourceFile()), n.getStart(), n.end, to, { from: n.text });
}
for (const { file, node, kind, prop, value } of members) {
  const key = prop?.to ?? node.text;
  const local = locals.get(value) ?? targetOf(value, node.text)?.to ?? node.text;
  if (key === node.text && local === node.text) continue;
  edit(file, node.getStart(), node.end, key === local ? key : `${key}: ${local}`, { from: node.text, to: local });
}

// ---- 7. Import paths, paths in strings and comments, names in comments.
const resolveFrom = (file, spec) => path.posix.normalize(path.posix.join(path.posix.dirname(file), spec));
const specifier = (from, to) => { const r = path.posix.relative(path.posix.dirname(from), to); return r.startsWith(".") ? r : `./${r}`; };
const fullPaths = [...moves].flatMap(([a, b]) => a.startsWith("src/") ? [[a, b], [a.slice(4), b.startsWith("src/") ? b.slice(4) : b]] : [[a, b]]).filter(([a]) => a.includes("/"));
const pathMap = new Map(fullPaths);
const pathRe = /(?<![\w./-])((?:\.{1,2}\/)*)((?:[\w-]+\/)+[\w.-]+\.(?:ts|md|mjs))\b/g;
const replacePaths = (text) => text.replace(pathRe, (all, up, p) => (pathMap.has(p) ? up + pathMap.get(p) : all)).replaceAll("src/runner/trees", movedTrees ? "src/worktrees" : "src/runner/trees");
for (const sf of sources) {
  const file = fileOf(sf); const text = sf.text;
  const renamed = new Map();
  for (const e of edits.get(file)?.values() ?? []) if (e.from) renamed.set(e.from, renamed.has(e.from) && renamed.get(e.from) !== (e.to ?? e.text) ? undefined : (e.to ?? e.text));
  const trivia = (start, end) => {
    const old = text.slice(start, end);
    if (!old.trim()) return;
    let now = replacePaths(old).replace(/`([A-Za-z_$][\w$]*)((?:\([^`]*\)|\.[^`]*)?)`/g, (m, w, rest) => renamed.get(w) ? `\`${renamed.get(w)}${rest}\`` : m);
    for (const [re, to] of PROSE) now = now.replace(re, to);
    if (now !== old) edit(file, start, end, now);
  };
  const visit = (n) => {
    if ((ts.isStringLiteral(n) || ts.isNoSubstitutionTemplateLiteral(n)) && !ts.isJsxText?.(n)) {
      const isModule = (ts.isImportDeclaration(n.parent) || ts.isExportDeclaration(n.parent) || (ts.isCallExpression(n.parent) && (n.parent.expression.kind === ts.SyntaxKind.ImportKeyword || /^vi\.|^import/.test(n.parent.expression.getText()))) || (ts.isLiteralTypeNode(n.parent) && ts.isImportTypeNode(n.parent.parent)));
      if (/^\.\.?\//.test(n.text) && (isModule || /\.(ts|md)$/.test(n.text))) {
        const target = resolveFrom(file, n.text);
        if (exists.has(target)) { const now = specifier(newPath(file), newPath(target)); if (now !== n.text) edit(file, n.getStart() + 1, n.end - 1, now); }
        else if (isModule && newPath(file) !== file && fs.existsSync(path.join(root, target))) edit(file, n.getStart() + 1, n.end - 1, specifier(newPath(file), target));
        else if (path.posix.dirname(newPath(file)) !== path.posix.dirname(file)) report(`path: ${file}: ${n.text} is relative to a file that moves`);
      } else if (n.text.includes("/")) {
        const raw = text.slice(n.getStart() + 1, n.end - 1); const now = replacePaths(raw);
        if (now !== raw) edit(file, n.getStart() + 1, n.end - 1, now);
      }
    }
    if (ts.isTemplateHead(n) || ts.isTemplateMiddle(n) || ts.isTemplateTail(n)) {
      const raw = text.slice(n.getStart(), n.end); const now = replacePaths(raw);
      if (now !== raw) edit(file, n.getStart(), n.end, now);
    }
    if (n.getChildCount(sf) === 0 || n.kind === ts.SyntaxKind.EndOfFileToken) {
      const start = n.getFullStart(); const begin = n.getStart(sf);
      if (begin > start) trivia(start, begin);
    }
    for (const c of n.getChildren(sf)) if (c.kind < ts.SyntaxKind.FirstJSDocNode || c.kind > ts.SyntaxKind.LastJSDocNode) visit(c);
  };
  visit(sf);
}

// ---- 8. The mutations, with the texts as they will be.
const applyAll = (text, list) => {
  let out = ""; let at = 0;
  for (const e of [...list].sort((a, b) => a.start - b.start)) { if (e.start < at) { report(`overlap at ${e.start}: ${e.text}`); continue; } out += text.slice(at, e.start) + e.text; at = e.end; }
  return out + text.slice(at);
};
const escape = (w) => w.replace(/[$]/g, "\\$&");
mutations.forEach((one, i) => {
  one.tests = one.tests.map(([file, name]) => [newPath(file), name]);
  if (!quoted[i]) return;
  const sf = byFile.get(one.file);
  const text = sf?.text ?? read(one.file);
  const at = text.indexOf(one.find);
  if (at < 0) { report(`mutation "${one.what}": its text is not in ${one.file}${movedTrees ? " (or it is where a declaration moved away)" : ""}`); one.file = newPath(one.file); return; }
  const end = at + one.find.length;
  const list = [...(edits.get(one.file)?.values() ?? [])];
  const inside = list.filter((e) => e.start >= at && e.end <= end);
  const map = new Map();
  const note = (e) => { if (!e.from) return; const to = e.to ?? e.text; map.set(e.from, map.has(e.from) && map.get(e.from) !== to ? undefined : to); };
  inside.forEach(note);
  const first = new Set(map.keys());
  for (const e of list) if (!inside.includes(e) && e.from && !first.has(e.from)) note(e);
  let replace = one.replace;
  const find = applyAll(one.find, inside.map((e) => ({ ...e, start: e.start - at, end: e.end - at })));
  // What both have in common stays in common: whole pieces first, then words.
  for (const [from, to] of map) if (to) replace = replace.replace(new RegExp(`(?<![\\w$])${escape(from)}(?![\\w$])`, "g"), () => to);
  else if (new RegExp(`(?<![\\w$])${escape(from)}(?![\\w$])`).test(replace)) report(`mutation "${one.what}": ${from} has two new names, look at its replacement`);
  one.find = find; one.replace = replacePaths(replace);
  one.file = newPath(one.file);
});

for (const [file, from, to] of SOURCE_TEXT) {
  const at = byFile.get(file)?.text.indexOf(from) ?? -1;
  if (at < 0) report(`text: no more "${from}" in ${file}`);
  else edit(file, at, at + from.length, to);
}

// ---- 9. Write.
const changed = new Set();
for (const [file, list] of edits) {
  const text = byFile.get(file).text;
  let now = applyAll(text, list.values());
  // Named imports are in alphabetical order.
  now = now.replace(/^(import (?:type )?\{ )([^}]*?)( \} from )/gm, (all, a, names, b) => {
    const list = names.split(",").map((s) => s.trim()).filter(Boolean);
    const key = (s) => s.replace(/^type /, "").split(" as ").at(-1).toLowerCase();
    return a + [...list].sort((x, y) => (key(x) < key(y) ? -1 : 1)).join(", ") + b;
  }).replace(/^(import (?:type )?\{)\n((?:  [^\n]*,\n)+)(\} from )/gm, (all, a, names, b) => {
    const list = names.split("\n").filter(Boolean);
    const key = (s) => s.trim().replace(/,$/, "").replace(/^type /, "").split(" as ").at(-1).toLowerCase();
    return `${a}\n${[...list].sort((x, y) => (key(x) < key(y) ? -1 : 1)).join("\n")}\n${b}`;
  });
  fs.writeFileSync(path.join(root, file), now); changed.add(file);
}
for (const [from, to] of moves) {
  fs.mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
}
// Through names of their own, because some new names are others' old ones.
for (const [from] of moves) fs.renameSync(path.join(root, from), path.join(root, `${from}.moving`));
for (const [from, to] of moves) fs.renameSync(path.join(root, `${from}.moving`), path.join(root, to));
if (movedTrees) try { fs.rmdirSync(path.join(root, "src/runner/trees")); } catch {}
if (mutations.length) fs.writeFileSync(path.join(root, mutationsFile), `${JSON.stringify(mutations, null, 2)}\n`);
rewriteDocs({ root, moves, exists, movedTrees, replacePaths, report, all });

// ---- 10. Format; then find again what the mutations quote.
const quiet = { cwd: root, stdio: ["ignore", "ignore", "inherit"] };
try { execFileSync("node", ["node_modules/oxfmt/bin/oxfmt"], quiet); } catch { try { execFileSync("npx", ["--no-install", "oxfmt"], quiet); } catch { report("oxfmt could not run: run npm run fix"); } }
let refound = 0;
for (const one of mutations) {
  if (!fs.existsSync(path.join(root, one.file))) continue;
  const text = read(one.file);
  if (text.split(one.find).length === 2) continue;
  const loose = new RegExp(one.find.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s*").replace(/\\\(/g, "\\(\\s*").replace(/\\\)/g, ",?\\s*\\)"), "g");
  const hits = [...text.matchAll(loose)];
  if (hits.length === 1) { one.find = hits[0][0]; refound++; }
  else report(`mutation "${one.what}": its text occurs ${text.split(one.find).length - 1} times in ${one.file}: ${JSON.stringify(one.find)}`);
}
if (mutations.length) { fs.writeFileSync(path.join(root, mutationsFile), `${JSON.stringify(mutations, null, 2)}\n`); try { execFileSync("node", ["node_modules/oxfmt/bin/oxfmt", mutationsFile], quiet); } catch {} }

console.log(`${moves.size} files moved, ${changed.size} files changed, ${[...edits.values()].reduce((n, l) => n + l.size, 0)} places, ${targets.size} symbols, ${locals.size} local names, ${refound} mutations refitted, ${((Date.now() - began) / 1000).toFixed(0)} s`);
console.log(reports.length ? `\nTo look at:\n${[...new Set(reports)].map((r) => `- ${r}`).join("\n")}` : "Nothing was skipped.");
