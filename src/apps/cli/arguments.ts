import { parseArgs } from "node:util";
import { Refusal } from "../../engine/refusal.ts";
import { layouts } from "../../layouts/all.ts";
import { suggest } from "../../text/suggest.ts";
import type { Command, Input, NamedCommand, Option } from "./command.ts";

const LAYOUTS = layouts.map(({ id }) => id);

type Options = Readonly<Record<string, Option>>;

export const GLOBAL_OPTIONS: Options = {
  layout: {
    value: LAYOUTS.join("|"),
    choices: LAYOUTS,
    summary: "the layout, if the project has several",
  },
  spec: { value: "name", summary: "a spec other than the active one" },
  directory: { short: "C", value: "dir", summary: "work there" },
  json: { summary: "print one JSON object" },
  help: { short: "h", summary: "show this" },
};

export function parseArguments(
  command: Pick<NamedCommand, "name"> & Command,
  argv: readonly string[],
  program: string,
): Input {
  const options = optionsOf(command);
  const shown = command.args ?? [];
  const takesRest = takesAll(command);
  const usage = `see ${program} ${command.name} --help`;
  let parsed;
  try {
    parsed = parseArgs({
      args: joined(argv, options),
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value, multiple = false, short }]) => [
          name,
          { type: value === undefined ? "boolean" : "string", multiple, ...(short && { short }) },
        ]),
      ),
      allowPositionals: true,
    });
  } catch (error) {
    const quotes = takesRest ? "if it is part of a goal, put that in quotes; " : "";
    const { fact, meant } = explain(error, options);
    throw new Refusal("usage", fact, meant ?? `${quotes}${usage}`);
  }
  const { positionals, values } = parsed;
  if (positionals.length > shown.length && !takesRest) {
    throw new Refusal("usage", `unexpected argument "${positionals[shown.length]}"`, usage);
  }
  const missing = shown.slice(positionals.length).find((name) => name.startsWith("<"));
  if (missing !== undefined && values["help"] !== true) {
    throw new Refusal("usage", `${command.name} needs ${missing}`, usage);
  }
  return { args: positionals, options: values as Input["options"] };
}

const optionsOf = (command: Command): Options => ({ ...GLOBAL_OPTIONS, ...command.options });

/** The name of the option that a word begins, `--spec`, `--spec=demo` or `-C`. */
export function optionIn(word: string, options: Options): string | undefined {
  const [, long = "", short] = /^(?:--([a-z-]+)(?:=.*)?|-([A-Za-z]))$/s.exec(word) ?? [];
  if (short !== undefined) return Object.keys(options).find((key) => options[key]?.short === short);
  return Object.hasOwn(options, long) ? long : undefined;
}

/** Whether the last argument takes all remaining words: a goal. */
const takesAll = ({ args = [] }: Command): boolean => args.at(-1)?.includes("…") === true;

/**
 * A report often begins with a dash, as lists do. Node takes such a value for an option, unless it is joined to its
 * name.
 */
function joined(argv: readonly string[], options: Options): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const value = argv[i + 1] === "--" ? undefined : argv[i + 1];
    const takesValue = word.startsWith("--") && options[word.slice(2)]?.value !== undefined;
    const isOption = value?.startsWith("--") === true && Object.hasOwn(options, value.slice(2));
    if (word === "--") return [...words, ...argv.slice(i)];
    if (takesValue && value !== undefined && !isOption) {
      words.push(`${word}=${value}`);
      i++;
    } else words.push(word);
  }
  return words;
}

/** Node's message, in our words where we know what it means; otherwise its first sentence. */
function explain(
  error: unknown,
  options: Options,
): { readonly fact: string; readonly meant?: string } {
  const { message } = error as Error;
  const unknown = /^Unknown option '(--?[\w-]+)/.exec(message)?.[1];
  if (unknown !== undefined) {
    const meant = suggest(unknown.replace(/^-+/, ""), Object.keys(options));
    const fact = `unknown option ${unknown}`;
    return meant === undefined ? { fact } : { fact, meant: `did you mean --${meant}?` };
  }
  const empty = /^Option '(?:-\w, )?--([\w-]+) <value>' argument missing/.exec(message)?.[1];
  if (empty !== undefined)
    return { fact: `--${empty} needs <${options[empty]?.value ?? "value"}>` };
  return { fact: message.split(/\. |\n/, 1)[0]?.replace(/\.$/, "") ?? "the arguments are wrong" };
}

export function wholeNumber(input: Input, name: string, max = 10_000): number | undefined {
  const text = input.options[name];
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(String(text)) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new Refusal(
    "usage",
    `--${name} takes a whole number from 1 to ${max}, not "${String(text)}"`,
  );
}

export function stringOption(input: Input, name: string): string | undefined {
  const value = input.options[name];
  return typeof value === "string" ? value : undefined;
}

export function stringOptions(input: Input, name: string): readonly string[] {
  const value = input.options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/**
 * Splits a line as a shell would, but runs and expands nothing. Quotes count only around a whole word or an option's
 * value: people type text, in which an apostrophe is just that.
 */
export const splitWords = (line: string): string[] => wordsIn(line).map(({ text }) => text);

interface Word {
  readonly text: string;
  /** As typed, and where. */
  readonly raw: string;
  readonly index: number;
}

const wordsIn = (line: string): Word[] =>
  [...line.matchAll(/(--[a-z-]+=)?(?:"([^"]*)"|'([^']*)')(?!\S)|\S+/g)].map((match) => {
    const { 0: raw, 1: option = "", 2: double, 3: single, index } = match;
    const quoted = double ?? single;
    return { text: quoted === undefined ? raw : option + quoted, raw, index };
  });

/**
 * The arguments in what the user typed after a slash command. A goal is often pasted, and its text may mention options:
 * they count only before its first word, or at the very end of a single line, where people put them.
 */
export function separateTyped(command: Command, typed: string): string[] {
  if (!takesAll(command)) return splitWords(typed);
  const line = typed.trim();
  const words = wordsIn(line);
  const options = optionsOf(command);
  const end = line.search(/[\n\r]/);
  const first = end === -1 ? words : words.filter(({ index }) => index < end);
  const front = skipOptions(first, options);
  const isOpen = end === -1 && words[front]?.raw !== "--";
  const back = isOpen ? lastOptions(words, front, options) : words.length;
  const goal = words.slice(words[front]?.raw === "--" ? front + 1 : front, back);
  const others = [...words.slice(0, front), ...words.slice(back)];
  return [...others, ...(goal.length === 0 ? [] : [DASHES, ...goal])].map(({ text }) => text);
}

const DASHES: Word = { text: "--", raw: "--", index: 0 };

/** How many leading words are options. Unknown ones count, so that they are refused as typos. */
function skipOptions(words: readonly Word[], options: Options): number {
  let at = 0;
  while (/^--?[A-Za-z]/.test(words[at]?.raw ?? "")) at += lengthAt(words, at, options) ?? 1;
  return Math.min(at, words.length);
}

/** More than anybody types: a line of a million words is scanned only once. */
const MAX_LAST = 50;

/** Where the trailing run of known options begins. */
function lastOptions(words: readonly Word[], from: number, options: Options): number {
  for (let start = Math.max(from, words.length - MAX_LAST); start < words.length; start++) {
    let at = start;
    // A goal may well end with `-C dir`, which only means something in a shell.
    const lengthOf = (): number | undefined =>
      /^-[^-h]/.test(words[at]?.raw ?? "") ? undefined : lengthAt(words, at, options);
    for (let length = lengthOf(); length !== undefined; length = lengthOf()) at += length;
    if (at === words.length) return start;
  }
  return words.length;
}

/** How many words the known option at this position takes. */
function lengthAt(words: readonly Word[], at: number, options: Options): number | undefined {
  const raw = words[at]?.raw ?? "";
  const name = optionIn(raw, options);
  if (name === undefined) return undefined;
  if (options[name]?.value === undefined) return raw.includes("=") ? undefined : 1;
  return raw.includes("=") ? 1 : 2;
}
