import { readSpans } from "../text/spans.ts";

/** A command in a **Verify**, with what is said in front of it and after it. */
export interface Found {
  readonly command: string;
  readonly before: string;
  readonly after: string;
}

interface Findings {
  readonly commands: readonly Found[];
  /** What is there instead of a command, if it is not simply prose. */
  readonly instead?: "manual" | "slash-command";
}

/**
 * The shell commands in a **Verify** field, in order; none if it is prose. Backticks and fences are the author's own
 * mark; bare text has to look like a command. When in doubt it is prose: a sentence run as a command fails for a reason
 * that nobody understands.
 */
export function findCommands(text: string): Findings {
  const { fenced, rest } = takeFences(text);
  if (fenced.length > 0) return { commands: fenced };
  const spans = readSpans(rest);
  const ends = [0, ...spans.map(({ end }) => end)];
  const around = ends.map((end, i) => rest.slice(end, spans[i]?.start));
  const isAlone = JOINED.test(around.join(""));
  if (MANUAL.test(around[0] as string)) return { commands: [], instead: "manual" };
  const marked: { command: string; start: number; end: number }[] = [];
  let instead: Findings["instead"];
  for (const [i, { code: raw, start, end }] of spans.entries()) {
    const code = stripPrompt(raw);
    if (SLASH.test(code)) instead ??= "slash-command";
    else if (BY_HAND.test(around[i + 1] as string)) instead ??= "manual";
    else {
      const isRun = isAlone
        ? !isNone(code) && !/^[A-Z][A-Za-z]*\b(?!=)/.test(code)
        : isMarked(code, around[i] as string, i === 0);
      if (isRun) marked.push({ command: code, start, end });
    }
  }
  if (marked.length > 0) return { commands: withWords(rest, marked) };
  const bare = rest.split("\n").flatMap((line) => readBareCommand(line) ?? []);
  if (bare.length > 0 && instead === undefined)
    return { commands: bare.map((command) => ({ command, before: "", after: "" })) };
  if (instead === undefined && !MANUAL.test(around.join(" "))) return { commands: [] };
  return { commands: [], instead: instead ?? "manual" };
}

/** The commands only. */
export const parseCommands = (text: string): string[] =>
  findCommands(text).commands.map(({ command }) => command);

/** Whether a **Verify** holds something that can be run. */
export const isCommand = (text: string): boolean => parseCommands(text).length > 0;

const MANUAL =
  /(?<![\w/.-])(?:manual(?:ly)?|by hand|visual(?:ly)?|(?:open|in) (?:the|a|your) browser)(?![\w/.-])/i;
/** Right after a command: it is not for us to run. */
const BY_HAND = /^\s*\(?(?:manual(?:ly)?|by hand|visually|in (?:the|a|your) browser)(?![\w/.-])/i;
/** `/plugin:command`, which only a client understands; `/usr/bin/env` is a path. */
const SLASH = /^\/[A-Za-z][\w-]*(?::[\w:-]+)?(?=\s|$)/;

/** What is said between two commands: a new line, or what ends with a colon, is about the second. */
function withWords(
  text: string,
  commands: readonly { command: string; start: number; end: number }[],
): Found[] {
  let before = text.slice(0, commands[0]?.start);
  return commands.map(({ command, end }, i) => {
    const between = text.slice(end, commands[i + 1]?.start);
    const own = { command, before: lastClaim(before), after: between };
    const cut = between.search(/\n[ \t]*(?:[-*+]|\d+[.)])\s/);
    const colon = between.trimEnd().endsWith(":") ? between.slice(0, -1) : undefined;
    before = /(?<!\w)or\s*$/i.test(between) ? "or" : "";
    if (cut !== -1) {
      own.after = between.slice(0, cut);
      before = between.slice(between.lastIndexOf("\n") + 1);
    } else if (colon !== undefined && i + 1 < commands.length) {
      const start = Math.max(...[".", ",", ";", "\n"].map((mark) => colon.lastIndexOf(mark))) + 1;
      own.after = between.slice(0, start);
      before = between.slice(start);
    }
    return own;
  });
}

/** Of what is said in front of a command, its last line without a bullet. */
const lastClaim = (before: string): string =>
  before.slice(before.lastIndexOf("\n") + 1).replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "");

function takeFences(text: string): { fenced: Found[]; rest: string } {
  const fenced: Found[] = [];
  const rest: string[] = [];
  let said: string[] = [];
  let open: { mark: string; language: string; body: string[] } | undefined;
  const close = ({ language, body }: { language: string; body: readonly string[] }): void => {
    const code = body.map(stripPrompt).join("\n").trim();
    const isShell = /^(?:|sh|bash|shell|zsh|console|terminal)$/i.test(language);
    if (isShell && code !== "") {
      fenced.push({ command: code, before: said.join("\n"), after: "" });
      said = [];
    }
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const [, mark, language = ""] = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\w*)/.exec(line) ?? [];
    if (open !== undefined && line.startsWith(open.mark)) close(open);
    else if (open !== undefined) open.body.push(line);
    else if (mark !== undefined) open = { mark, language, body: [] };
    else {
      rest.push(line);
      said.push(line);
    }
  }
  if (open !== undefined) close(open);
  const last = fenced.pop();
  if (last !== undefined) fenced.push({ ...last, after: said.join("\n") });
  return { fenced, rest: rest.join("\n") };
}

const stripPrompt = (code: string): string => code.trim().replace(/^[$%>] (?=\S)/, "");

/** Only joining words around the spans. */
const JOINED = /^(?:\s|[,;.:&+*-]|\b(?:and|then|run|execute|command)\b)*$/i;

const isNone = (code: string): boolean =>
  /^(?:n\/?a|none|manual(?:ly)?|tbd|todo|-|—)\.?$/i.test(code.trim());

/** A span within a sentence: in "`npm test` passes" it is a command, in "`user.name` is shown" it is not. */
function isMarked(code: string, before: string, isFirst: boolean): boolean {
  if (/[\w/]$/.test(before) || (!isFirst && VALUE_FOLLOWS.test(before))) return false;
  if (looksLikeCommand(code)) return /[\s/]/.test(code) || LONE.test(code);
  const said = before.trimEnd();
  const isOrder =
    (isFirst && said === "") || /\b(?:run|runs|running|execute|via|using|with)\b:?$/i.test(said);
  return isOrder && /^[a-z][\w.+-]*\s+\S/.test(code) && !/[(){}]/.test(code);
}

/** In "`jq .ok a` returns `true`" the second span is what the first prints. */
const VALUE_FOLLOWS =
  /(?:\b(?:returns?|prints?|outputs?|shows?|equals?|is|be|contains?|expect(?:s|ed)?):?|→|[=-]>|=)\s*$/i;

/** Programs that do something without arguments; "`npm` is used" is not an order to run it. */
const LONE =
  /^(?:tsc|vitest|jest|mocha|ava|eslint|oxlint|biome|knip|pytest|tox|nox|mypy|pyright|gradle|rake|rspec|rubocop|phpunit|phpstan|ctest|ninja|make|true|golangci-lint|staticcheck|actionlint)$/;

function readBareCommand(line: string): string | undefined {
  const text = stripPrompt(line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ""))
    .replace(/^(?:run|execute|command)\b:?\s+/i, "")
    .replace(/(?<=\w)\.$/, "");
  return isNone(text) || !looksLikeCommand(text) || isSentence(text) ? undefined : text;
}

/** Words that are common in sentences about commands and rare in commands. */
const PROSE =
  /(?<=^|\s)(?:the|that|is|are|be|it|this|should|must|shows?|works?|pass(?:es)?|succeeds?|returns?|exists?|fails?|without|and|then|when|sure|to|of|in|an?|errors?|correctly)(?=[\s,.;:!?]|$)/gi;
const VERDICT =
  /\s(?:(?:still\s+)?(?:pass(?:es)?|works?|succeeds?|fails?|exists?)|exits?(?:\s+with)?(?:\s+code)?\s+0|(?:returns?|is|are)\s+\S+)[.!]?$/i;

/** "npm test passes and the log is clean" begins like a command. Flags and pipes weigh against it. */
function isSentence(text: string): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '""');
  if (/;\s*(?:then|do|fi|done)\b/.test(bare)) return false;
  return VERDICT.test(bare) || (bare.match(PROSE) ?? []).length > (SIGNS.test(bare) ? 2 : 0);
}

/** Programs that no sentence begins with. */
const PROGRAM =
  /^(?:npm|npx|pnpm|yarn|bunx?|deno|tsc|tsx|ts-node|vitest|jest|mocha|ava|tap|eslint|oxlint|oxfmt|biome|prettier|knip|playwright|cypress|vite|esbuild|webpack|turbo|nx|lerna|pytest|python[\d.]*|pip3?|pipx|uvx?|poetry|tox|nox|ruff|mypy|pyright|coverage|cargo|rustc|gradle|mvn|mvnw|dotnet|bundle|rake|rspec|rubocop|rails|php|composer|phpunit|phpstan|mix|docker|docker-compose|podman|kubectl|helm|terraform|ansible[\w-]*|git|gh|glab|curl|wget|httpie|jq|yq|e?grep|rg|awk|sed|xargs|bash|zsh|sh|bats|shellcheck|shfmt|psql|mysql|sqlite3|redis-cli|ls|cmake|ctest|ninja|bazel|buck2|swift|xcodebuild|flutter|dart|sbt|lein|clojure|stack|cabal|ghc|ocaml|dune|zig|nim|gcc|clang|golangci-lint|gofmt|staticcheck|actionlint|hadolint|nc|lsof|chmod|mkdir|rm|cp|mv|cd|env|timeout|smart-ralph|claude|\[\[?|!)(?=\s|$)/;

/** Programs whose names are words: what follows decides. */
const WORD_PROGRAM =
  /^(?:(?:make|just|task)(?:\s+(?:-\S+|[\w./:-]+(?:=\S*)?)){0,3}$|go\s+(?:test|build|run|vet|fmt|mod|generate|tool|install|list|version|work)\b|node\s+(?:-|\S*[./])|test\s+-|(?:cat|head|tail|find|sort|wc|diff|file|stat|source|time|open|which|echo|printf|true|false|export|set)\s+(?:-|\S*[/.$"'])|(?:true|false|make)$|(?:if|for|while|until)\s.*;\s*(?:then|do)\b|command\s+-v\b)/;

const SIGNS = /\s--?[A-Za-z]|\s(?:&&|\|\|?|>>?|2>)\s|\s2>&1|\$[({A-Za-z]/;

function looksLikeCommand(text: string): boolean {
  // VAR=value command
  const bare = text.replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+(?=\S)/, "");
  if (bare !== text) return true;
  if (/^(?:\.{1,2}|~)?\/[\w.-]+/.test(text))
    return /^[^\s/]*\/[^\s\w)]*[\w)]/.test(text) && !/^\/\w+$/.test(text);
  if (/^(?:\.?\w[\w.-]*\/)+[\w.-]+(?=\s|$)/.test(text))
    return isScript(text.split(/\s/, 1)[0] as string);
  if (PROGRAM.test(text) || WORD_PROGRAM.test(text)) return true;
  return /^[a-z][\w.+-]*\s/.test(text) && SIGNS.test(text);
}

const isScript = (path: string): boolean =>
  /\.(?:sh|bash|py|rb|pl|[cm]?js|bats|ps1|bat|cmd|exe)$/.test(path) ||
  /^(?:bin|scripts?|tools?|node_modules|vendor|target|build|dist|hack|ci|\.?venv)\/(?:[\w.-]+\/)*[\w-]+$/.test(
    path,
  );
