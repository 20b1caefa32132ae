import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { Edition } from "../layouts/layout.ts";
import { layoutWords } from "../prompts/layout-words.ts";
import { fill, type Values } from "../text/template.ts";
import { PHASE_VERBS, RUN_VERBS } from "./agent-verbs.ts";

/** One set of command files, which every client's commands are made from. */
const SOURCE = "src/hosts/claude/plugin";

export interface Source {
  readonly name: string;
  readonly text: string;
}

/** Files for all plugins, and those in the layout's folder for this one only. */
export const sources = (layout: Edition, folder: string): Source[] =>
  [folder, `${folder}/${layout.id}`].flatMap((from) =>
    (existsSync(from) ? readdirSync(from) : [])
      .filter((name) => name.endsWith(".md"))
      .map((name) => ({ name, text: readFileSync(join(from, name), "utf8") })),
  );

/** Each phase has a command; they differ in only a few words. */
export function commandFiles(layout: Edition): Source[] {
  const words = wordsOf(layout);
  const table = { commandTable: "{{commandTable}}" };
  const written = sources(layout, `${SOURCE}/commands`).map(({ name, text }) => ({
    name,
    text: fill(text, { ...words, ...table }),
  }));
  const phases = layout.phases.map(({ name, document }) => ({
    name: `${name}.md`,
    text: fill(readSource("phase.md"), { ...words, phase: name, document }),
  }));
  return [...written, ...phases].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What users type, as a table. */
export const slashCommands = (layout: Edition): string =>
  commandTable(layout, commandFiles(layout));

/** What users can type, for clients that have their own kind of command file. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** What may follow it: `[spec]`. */
  readonly hint: string;
}

export const commandsOf = (layout: Edition): Command[] => commandFiles(layout).map(asCommand);

const asCommand = ({ name, text }: Source): Command => ({
  name: name.replace(".md", ""),
  description: frontMatter(text, "description"),
  hint: frontMatter(text, "argument-hint").replace(/^"(.*)"$/, "$1"),
});

/** For people: in the order they need them. */
export function commandTable(layout: Edition, files: readonly Source[]): string {
  const phases = layout.phases.map(({ name }) => name);
  const order = ["start", "new", "constitution", ...phases, "implement"];
  const rank = (name: string): number =>
    order.includes(name) ? order.indexOf(name) : order.length;
  const rows = files
    .map(asCommand)
    .sort((a, b) => rank(a.name) - rank(b.name))
    .map(({ name, description }) => `| \`${layout.voice.command(name)}\` | ${description} |`);
  return ["| type | what happens |", "|---|---|", ...rows].join("\n");
}

const frontMatter = (text: string, key: string): string =>
  new RegExp(`^${key}: (.*)$`, "m").exec(text)?.[1] ?? "";

const toolsFor = ({ plugin }: Edition, verbs: readonly string[]): string =>
  verbs.map((verb) => `Bash(${plugin} ${verb}:*)`).join(", ");

export const wordsOf = (layout: Edition): Values => ({
  ...layoutWords(layout),
  repository: manifest.homepage,
  despite: layout.checklists === undefined ? "" : " [--despite-checklists]",
  phaseTools: toolsFor(layout, PHASE_VERBS),
  runTools: toolsFor(layout, RUN_VERBS),
});

export const readSource = (path: string): string => readFileSync(join(SOURCE, path), "utf8");
