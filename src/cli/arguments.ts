import { parseArgs } from "node:util";
import { CliError, type Command, EXIT, type Input, type Option } from "./command.ts";

export const GLOBAL_OPTIONS: Readonly<Record<string, Option>> = {
  layout: {
    type: "string",
    value: "specum|speckit",
    summary: "the layout, if the project has both",
  },
  spec: { type: "string", value: "name", summary: "a spec other than the active one" },
  json: { type: "boolean", summary: "print one JSON object" },
  help: { type: "boolean", summary: "show this" },
};

export function parseArguments(command: Command, argv: readonly string[], program: string): Input {
  const options = { ...GLOBAL_OPTIONS, ...command.options };
  const shown = command.args ?? [];
  const takesRest = shown.at(-1)?.includes("…") === true;
  const usage = `see ${program} ${command.name} --help`;
  let parsed;
  try {
    parsed = parseArgs({
      args: joined(argv, options),
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, multiple = false }]) => [
          name,
          { type, multiple },
        ]),
      ),
      allowPositionals: true,
    });
  } catch (error) {
    const quotes = takesRest ? "if it is part of a goal, put that in quotes; " : "";
    throw new CliError(EXIT.usage, sentence(error), `${quotes}${usage}`);
  }
  const { positionals, values } = parsed;
  if (positionals.length > shown.length && !takesRest) {
    throw new CliError(
      EXIT.usage,
      `"${positionals[shown.length]}" is one argument too many`,
      usage,
    );
  }
  const missing = shown.slice(positionals.length).find((name) => name.startsWith("<"));
  if (missing !== undefined && values["help"] !== true) {
    throw new CliError(EXIT.usage, `${command.name} needs ${missing}`, usage);
  }
  return { args: positionals, options: values as Input["options"] };
}

/**
 * A report often begins with a dash, as lists do. Node takes such a value for an option, unless it is
 * joined to its name.
 */
function joined(argv: readonly string[], options: Readonly<Record<string, Option>>): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const value = argv[i + 1];
    const takesValue = word.startsWith("--") && options[word.slice(2)]?.type === "string";
    const isOption = value?.startsWith("--") === true && Object.hasOwn(options, value.slice(2));
    if (word === "--") return [...words, ...argv.slice(i)];
    if (takesValue && value !== undefined && !isOption) {
      words.push(`${word}=${value}`);
      i++;
    } else words.push(word);
  }
  return words;
}

/** Node's message says more than we want to show: the first sentence is the fact. */
const sentence = (error: unknown): string =>
  (error as Error).message.split(/\. |\n/, 1)[0]?.replace(/\.$/, "") ?? "the arguments are wrong";

export function wholeNumber(input: Input, name: string): number | undefined {
  const text = input.options[name];
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(String(text)) ? Number(text) : 0;
  if (value >= 1 && value <= 10_000) return value;
  throw new CliError(
    EXIT.usage,
    `--${name} takes a whole number from 1 to 10000, not "${String(text)}"`,
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

/** Splits a line as a shell would, quotes included, but runs and expands nothing. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*'|["'])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ""),
  );
}
