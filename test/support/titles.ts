import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAst } from "vitest/node";

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Whether a file has a test or a group of exactly this title, as its source has it, with `%s` and `$name`, or a row of
 * this name in a table. A title may be in a module next to it whose suite it runs, and a row in a JSON file in the
 * folder of its name. What is skipped on every machine is not there.
 */
export function hasTitle(file: string, title: string, asked = new Set<string>()): boolean {
  if (asked.has(file)) return false;
  asked.add(file);
  const { titles, near } = readTitles(file);
  return titles.has(title) || near.some((one) => hasTitle(join(dirname(file), one), title, asked));
}

interface Module {
  readonly titles: Set<string>;
  /** What it imports from its own folder. */
  readonly near: string[];
}

const known = new Map<string, Module>();

function readTitles(path: string): Module {
  const before = known.get(path);
  if (before !== undefined) return before;
  const module: Module = { titles: new Set(), near: [] };
  known.set(path, module);
  collect(parseAst(readFileSync(path, "utf8"), { lang: "ts" }) as unknown as Node, module);
  const tables = path.replace(/(?:\.test)?\.ts$/, "");
  for (const name of existsSync(tables) ? readdirSync(tables) : []) {
    if (name.endsWith(".json"))
      collectRows(readFileSync(join(tables, name), "utf8"), module.titles);
  }
  return module;
}

function collectRows(json: string, into: Set<string>): void {
  JSON.parse(json, (key, value: unknown) => {
    if (key === "name" && typeof value === "string") into.add(value);
    return value;
  });
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function collect(node: Node, module: Module): void {
  const { titles: into, near } = module;
  if (node.type === "ImportDeclaration") {
    const from = (node["source"] as Node)["value"] as string;
    if (from.startsWith("./")) near.push(from);
  }
  if (node.type === "Property" && (node["key"] as Node)["name"] === "name")
    addText(node["value"], into);
  if (node.type === "CallExpression") {
    const words = wordsOf(node["callee"] as Node);
    if (words.some((word) => word === "skip" || word === "todo")) return;
    const given = node["arguments"] as Node[];
    if (given.some(({ type }) => type.endsWith("FunctionExpression"))) addText(given[0], into);
    if (words[0] === "each") for (const one of given) addRows(one, into);
  }
  for (const child of childrenOf(node)) collect(child, module);
}

/** Of `it.skipIf(…).each(…)`: each, skipIf, it. */
function wordsOf(callee: Node): string[] {
  if (callee.type === "CallExpression") return wordsOf(callee["callee"] as Node);
  if (callee.type !== "MemberExpression") return [String(callee["name"])];
  return [...wordsOf(callee["property"] as Node), ...wordsOf(callee["object"] as Node)];
}

function addRows(node: Node, into: Set<string>): void {
  addText(node, into);
  for (const child of childrenOf(node)) addRows(child, into);
}

function addText(node: unknown, into: Set<string>): void {
  if (!isNode(node)) return;
  if (node.type === "Literal" && typeof node["value"] === "string") into.add(node["value"]);
  if (node.type !== "TemplateLiteral") return;
  const parts = (node["quasis"] as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
  into.add(parts.join("%s"));
}
