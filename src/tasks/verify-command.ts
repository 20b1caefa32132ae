import { readSpans } from "../text/spans.ts";

/**
 * The shell commands in a **Verify** field, in order; none if it is prose. Backticks and fences are the author's own
 * mark; bare text has to look like a command. When in doubt it is prose: a sentence run as a command fails for a reason
 * that nobody understands.
 */
export function parseCommands(text: string): string[] {
  const { fenced, rest } = takeFences(text);
  if (fenced.length > 0) return fenced;
  const spans = readSpans(rest);
  const ends = [0, ...spans.map(({ end }) => end)];
  const around = ends.map((end, i) => rest.slice(end, spans[i]?.start));
  const isAlone = JOINED.test(around.join(""));
  const marked: string[] = [];
  for (const [i, span] of spans.entries()) {
    const code = stripPrompt(span.code);
    const isRun = isAlone
      ? !isNone(code) && !/^[A-Z][A-Za-z]*\b(?!=)/.test(code)
      : isMarked(code, around[i] as string, i === 0);
    if (isRun) marked.push(code);
  }
  if (marked.length > 0) return marked;
  return rest.split("\n").flatMap((line) => readBareCommand(line) ?? []);
}

/** Whether a **Verify** holds something that can be run. */
export const isCommand = (text: string): boolean => parseCommands(text).length > 0;

function takeFences(text: string): { fenced: string[]; rest: string } {
  const fenced: string[] = [];
  const rest: string[] = [];
  let open: { mark: string; language: string; body: string[] } | undefined;
  const close = ({ language, body }: { language: string; body: readonly string[] }): void => {
    const code = body.map(stripPrompt).join("\n").trim();
    const isShell = /^(?:|sh|bash|shell|zsh|console|terminal)$/i.test(language);
    if (isShell && code !== "") fenced.push(code);
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const [, mark, language = ""] = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\w*)/.exec(line) ?? [];
    if (open !== undefined && line.startsWith(open.mark)) close(open);
    else if (open !== undefined) open.body.push(line);
    else if (mark !== undefined) open = { mark, language, body: [] };
    else rest.push(line);
  }
  if (open !== undefined) close(open);
  return { fenced, rest: rest.join("\n") };
}

const stripPrompt = (code: string): string => code.trim().replace(/^[$%>] (?=\S)/, "");

/** Only joining words around the spans. */
const JOINED = /^(?:\s|[,;.:&+*-]|\b(?:and|then|run|execute|command)\b)*$/i;

const isNone = (code: string): boolean =>
  /^(?:n\/?a|none|manual(?:ly)?|tbd|todo|-|—)\.?$/i.test(code.trim());

/** A span within a sentence: in "`npm test` passes" it is a command, in "`user.name` is shown" it is not. */
function isMarked(code: string, before: string, isFirst: boolean): boolean {
  if (looksLikeCommand(code)) return /[\s/]/.test(code) || LONE.test(code);
  const said = before.trimEnd();
  const isOrder =
    (isFirst && said === "") || /\b(?:run|runs|running|execute|via|using|with)\b:?$/i.test(said);
  return isOrder && /^[a-z][\w.+-]*\s+\S/.test(code) && !/[(){}]/.test(code);
}

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
