import { GLOBAL_OPTIONS } from "./arguments.ts";
import type { NamedCommand, Option } from "./command.ts";
import { underAgent } from "./help.ts";

/** A command as a shell completes it. */
interface Completed {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly (readonly [name: string, option: Option])[];
}

/**
 * Scripts that complete commands and options. They know nothing but this program's own list: no name from a project
 * gets into a shell, and no key press starts node.
 */
export const COMPLETIONS = { bash, zsh, fish } as const;

const visible = (commands: readonly NamedCommand[]): Completed[] =>
  commands
    .filter(({ group }) => group !== "hook")
    // Two words are as many as are completed: `epic add` stays with the others of its family.
    .map((one) => (one.name.includes(" ") ? one : underAgent(one)))
    .map(({ name, summary, options = {} }) => ({
      words: name.split(" "),
      summary,
      options: Object.entries({ ...options, ...GLOBAL_OPTIONS }),
    }));

/** First words, each once, with what it does. */
function firstWords(commands: readonly Completed[]): [word: string, summary: string][] {
  const found = new Map<string, string>();
  for (const { words, summary } of commands) {
    const [first = "", second] = words;
    if (second === undefined) found.set(first, summary);
    else if (!found.has(first)) found.set(first, namesBelow(commands, first).join(", "));
  }
  return [...found];
}

const secondWords = (commands: readonly Completed[], word: string): Completed[] =>
  commands.filter(({ words: [first, second] }) => first === word && second !== undefined);

const namesBelow = (commands: readonly Completed[], word: string): string[] =>
  secondWords(commands, word).map(({ words }) => words[1] ?? "");

const flags = ([name, { short }]: readonly [string, Option]): string[] =>
  short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];

const isFolder = ({ value = "" }: Option): boolean => ["dir", "folder"].includes(value);

/** In single quotes, for every shell: fish knows a backslash there, so there must be none in what it quotes. */
const quote = (text: string): string => `'${text.replaceAll("'", "’")}'`;

const idOf = (program: string): string => `_${program.replaceAll("-", "_")}`;

function bash(all: readonly NamedCommand[], program: string): string {
  const commands = visible(all);
  const values = new Map(commands.flatMap((one) => one.options));
  const taking = [...values].filter(([, { value }]) => value !== undefined);
  const cases = commands
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(({ words, options }) => {
      const more = words.length > 1 ? [] : namesBelow(commands, words[0] ?? "");
      const found = [...more, ...options.flatMap(flags)].join(" ");
      return `    "${words.join(" ")}${words.length > 1 ? '"' : ' "*'}) words="${found}" ;;`;
    });
  const families = firstWords(commands)
    .filter(([word]) => !commands.some(({ words }) => words.join(" ") === word))
    .map(([word]) => `    "${word} "*) words="${namesBelow(commands, word).join(" ")}" ;;`);
  const isKnown = ([, option]: readonly [string, Option]): boolean =>
    option.choices !== undefined || isFolder(option);
  const known = taking.filter(isKnown).map((option) => {
    const words = option[1].choices?.join(" ");
    const reply = words === undefined ? "compgen -d --" : `compgen -W "${words}" --`;
    return `    ${flags(option).join("|")}) COMPREPLY=($(${reply} "$current")); return ;;`;
  });
  const free = taking.filter((option) => !isKnown(option)).flatMap(flags);
  return `${idOf(program)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="" second="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
    ${taking.flatMap(flags).join("|")}) ((i++)) ;;
    -*) ;;
    *) if [ -z "$first" ]; then first="\${COMP_WORDS[i]}"; elif [ -z "$second" ]; then second="\${COMP_WORDS[i]}"; fi ;;
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
${known.join("\n")}
    ${free.join("|")}) return ;;
  esac
  case "$first $second" in
    " ") words="${[...firstWords(commands).map(([word]) => word), "help", "--help", "--version"].join(" ")}" ;;
${[...cases, ...families].join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F ${idOf(program)} ${program}
`;
}

function zsh(all: readonly NamedCommand[], program: string): string {
  const commands = visible(all);
  const described = (rows: readonly (readonly [string, string])[]): string =>
    rows.map(([word, says]) => quote(`${word}:${says}`)).join(" ");
  const optionsOf = ({ options }: Completed): string =>
    described(
      options.flatMap((option) => flags(option).map((flag) => [flag, option[1].summary] as const)),
    );
  const cases = commands
    .toSorted((a, b) => b.words.length - a.words.length)
    .map(
      (one) =>
        `    ${quote(one.words.join(" "))}${one.words.length > 1 ? "" : "*"}) options=(${optionsOf(one)}) ;;`,
    );
  const families = firstWords(commands).flatMap(([word]) => {
    const rows = secondWords(commands, word).map(
      ({ words, summary }) => [words[1] ?? "", summary] as const,
    );
    return rows.length === 0 ? [] : [`    ${quote(`${word} `)}) names=(${described(rows)}) ;;`];
  });
  return `#compdef ${program}
${idOf(program)}() {
  local -a names options plain
  plain=(\${\${words[2,CURRENT-1]}:#-*})
  case "\${plain[1]} \${plain[2]}" in
    ' ') names=(${described(firstWords(commands))}) ;;
${families.join("\n")}
  esac
  case "\${plain[1]} \${plain[2]}" in
${cases.join("\n")}
  esac
  (( \${#names} )) && _describe -t commands command names
  if [[ "$PREFIX" == -* ]]; then
    _describe -o -t options option options
  elif (( \${#plain} )); then
    _files
  fi
}
if [ "\${funcstack[1]}" = ${quote(idOf(program))} ]; then
  ${idOf(program)} "$@"
else
  compdef ${idOf(program)} ${program}
fi
`;
}

function fish(all: readonly NamedCommand[], program: string): string {
  const commands = visible(all);
  const line = (condition: string, ...rest: string[]): string =>
    `complete -c ${program} -n ${quote(condition)} ${rest.join(" ")}`;
  const first = firstWords(commands).map(([word, says]) =>
    line("__fish_use_subcommand", `-f -a ${word}`, `-d ${quote(says)}`),
  );
  const rest = commands.flatMap(({ words: [word = "", second], summary, options }) => {
    const seen = `__fish_seen_subcommand_from ${word}`;
    const within =
      second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
    const own = options.map(([name, option]) => line(within, ...fishOption(name, option)));
    if (second === undefined) return own;
    const others = namesBelow(commands, word).join(" ");
    const none = `${seen}; and not __fish_seen_subcommand_from ${others}`;
    return [line(none, `-a ${second}`, `-d ${quote(summary)}`), ...own];
  });
  return `${[...first, ...rest].join("\n")}\n`;
}

const fishOption = (name: string, option: Option): string[] => [
  ...(option.short === undefined ? [] : [`-s ${option.short}`]),
  `-l ${name}`,
  ...(option.choices === undefined ? [] : [`-x -a ${quote(option.choices.join(" "))}`]),
  ...(option.value !== undefined && option.choices === undefined ? ["-r"] : []),
  `-d ${quote(option.summary)}`,
];
