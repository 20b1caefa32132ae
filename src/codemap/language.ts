import { extensionOf, isTestName } from "./classify.ts";

/** How comments are written: which one stands at the head of a file says what it is for. */
export type CommentStyle = "slash" | "hash" | "dash" | "docstring" | "heading" | "json" | "none";

/** What to look for in one line of a file. Every pattern begins at the line's start and has its name as group 1. */
export interface Language {
  readonly comments: CommentStyle;
  /** What others can use. */
  readonly exported: readonly RegExp[];
  /** What stands at the top level, for files that export nothing. */
  readonly topLevel: readonly RegExp[];
  /** `export { a, b }` and `module.exports = { a, b }`, which may go over several lines. */
  readonly lists?: RegExp;
}

const JS_DECLARATION =
  "(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(?:function\\s*\\*\\s*|(?:const\\s+enum|function|class|const|let|var|interface|type|enum|namespace)\\s+)([\\w$]+)";

const javascript: Language = {
  comments: "slash",
  exported: [
    new RegExp(`^export\\s+(?:default\\s+)?${JS_DECLARATION}`),
    /^export\s+default\s+(?!async\b|function\b|class\b|abstract\b)([\w$]+)\s*(?:;\s*)?$/,
    /^(?:module\.)?exports\.([\w$]+)\s*=/,
    /^module\.exports\s*=\s*(?:(?:async\s+)?function\s*(?:\*\s*)?|class\s+)?(?!(?:async|function|class|require|new)\b)([\w$]+)/,
  ],
  topLevel: [new RegExp(`^${JS_DECLARATION}`)],
  lists: /^(?:export\s+(?:type\s+)?|module\.exports\s*=\s*)\{/,
};

/** What a test is about stands in its titles; what it declares is its own affair. */
const javascriptTest: Language = {
  ...javascript,
  topLevel: [/^describe(?:\.\w+)*\(\s*["'`]([^"'`]+)/],
};

const python: Language = {
  comments: "docstring",
  exported: [
    /^(?:async\s+)?def\s+([A-Za-z]\w*)/,
    /^class\s+([A-Za-z]\w*)/,
    /^([A-Z][A-Z0-9_]*)\s*(?::[^=]*)?=/,
  ],
  topLevel: [/^(?:async\s+)?(?:def|class)\s+(\w+)/],
};

const go: Language = {
  comments: "slash",
  exported: [/^func\s+(?:\([^)]*\)\s*)?([A-Z]\w*)/, /^(?:type|var|const)\s+([A-Z]\w*)/],
  topLevel: [/^func\s+(?:\([^)]*\)\s*)?(\w+)/, /^(?:type|var|const)\s+(\w+)/],
};

const RUST_ITEM =
  '(?:(?:async|unsafe|const|default|extern(?:\\s+"[^"]*")?)\\s+)*(?:fn|struct|enum|trait|type|mod|union|const|static)\\s+(?:mut\\s+)?(\\w+)';

const rust: Language = {
  comments: "slash",
  exported: [new RegExp(`^pub(?:\\([^)]*\\))?\\s+${RUST_ITEM}`), /^macro_rules!\s*(\w+)/],
  topLevel: [new RegExp(`^${RUST_ITEM}`)],
};

const java: Language = {
  comments: "slash",
  exported: [
    /^(?:(?:public|protected|static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)/,
  ],
  topLevel: [],
};

const ruby: Language = {
  comments: "hash",
  exported: [/^[ \t]{0,8}(?:class|module)\s+([A-Z][\w:]*)/, /^def\s+(?:self\.)?(\w+[?!]?)/],
  topLevel: [],
};

const php: Language = {
  comments: "slash",
  exported: [
    /^[ \t]{0,4}(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)/,
    /^function\s+&?(\w+)/,
  ],
  topLevel: [],
};

const csharp: Language = {
  comments: "slash",
  exported: [
    /^[ \t]{0,4}(?:(?:public|internal|protected|static|sealed|abstract|partial|readonly|ref|unsafe|file)\s+)*(?:class|interface|struct|enum|record\s+struct|record\s+class|record)\s+(\w+)/,
  ],
  topLevel: [],
};

/** Only what its head says: names in these would need more than a look at each line. */
const headOf = (comments: CommentStyle): Language => ({ comments, exported: [], topLevel: [] });

const LANGUAGES = new Map<string, Language>(
  (
    [
      ["js jsx mjs cjs ts tsx mts cts vue svelte astro", javascript],
      ["py pyi", python],
      ["go", go],
      ["rs", rust],
      ["java", java],
      ["rb rake", ruby],
      ["php", php],
      ["cs", csharp],
      [
        "kt kts scala groovy gradle swift dart c h cc cpp cxx hh hpp hxx m mm fs proto css scss sass less zig",
        headOf("slash"),
      ],
      [
        "sh bash zsh fish ps1 psm1 yaml yml toml ini cfg conf properties tf hcl r jl pl pm ex exs nim graphql gql",
        headOf("hash"),
      ],
      ["sql lua hs", headOf("dash")],
      ["md mdx markdown rst adoc asciidoc org txt", headOf("heading")],
      ["json", headOf("json")],
    ] as const
  ).flatMap(([extensions, language]) =>
    extensions.split(" ").map((extension) => [extension, language] as const),
  ),
);

/** Files without an extension that we know are such as `Dockerfile` and `Makefile`. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = extensionOf(name);
  const language = LANGUAGES.get(extension);
  if (language === javascript && isTestName(name)) return javascriptTest;
  const byName = extension === "" || /^(?:Docker|Container)file\./.test(name) ? "hash" : "none";
  return language ?? headOf(byName);
}
