/** What a source file is for, in the order of the index. */
export const CATEGORIES = [
  "controllers",
  "routes",
  "services",
  "models",
  "migrations",
  "components",
  "hooks",
  "helpers",
  "source",
  "scripts",
  "config",
  "tests",
  "docs",
] as const;

export type Category = (typeof CATEGORIES)[number];

export const isCategory = (name: string): name is Category =>
  (CATEGORIES as readonly string[]).includes(name);

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Third-party code, and build output even if it is committed. */
const FOREIGN = set(
  "node_modules bower_components jspm_packages vendor third_party dist __pycache__ site-packages .git .hg .svn",
);
/** Without a repository that says what is source, these count as output too. */
const OUTPUT = set("build out target obj coverage venv env tmp temp logs DerivedData Pods");

const isForeignFolder = (name: string): boolean => FOREIGN.has(name);
export const isOutputFolder = (name: string): boolean =>
  FOREIGN.has(name) || OUTPUT.has(name) || name.startsWith(".");

const WEB = set("js jsx mjs cjs ts tsx mts cts vue svelte astro");
const SHELL = set("sh bash zsh fish ps1 psm1 bat cmd");
const CODE = set(
  "py pyi go rs java kt kts scala groovy rb rake php cs fs vb c h cc cpp cxx hh hpp hxx m mm swift dart ex exs erl hrl clj cljs cljc hs ml lua pl pm r jl zig nim sql graphql gql proto html css scss sass less tf",
);
const DOCS = set("md mdx markdown rst adoc asciidoc org");
const CONFIG = set("yaml yml toml ini cfg conf properties gradle hcl editorconfig");
const CONFIG_NAMES = set(
  "dockerfile containerfile makefile gnumakefile justfile procfile rakefile gemfile vagrantfile jenkinsfile brewfile cmakelists.txt go.mod pipfile setup.py build.gradle.kts settings.gradle.kts composer.json deno.json angular.json nx.json turbo.json lerna.json vercel.json firebase.json app.json",
);
/** JSON is mostly data; these are read by tools. */
const CONFIG_NAME =
  /^(?:package\.json|[jt]sconfig[\w.-]*\.json|appsettings[\w.-]*\.json|requirements[\w.-]*\.txt|docker-compose[\w.-]*\.ya?ml|\.[\w.-]{1,40}rc(?:\.(?:json|js|cjs|mjs|ya?ml))?|[\w.-]+\.config\.(?:json|[cm]?[jt]s)|\.env\.(?:example|sample|template)|settings\.py)$/;

/** Written by tools, or containing secrets. */
const NEVER =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?)$|\.min\.(?:js|css)$|\.(?:generated|g|designer|pb)\.\w+$|_pb2(?:_grpc)?\.pyi?$/;

const TEST_FOLDERS = set("test tests __tests__ __mocks__ e2e cypress testing testdata");
const TEST_NAME =
  /[._-](?:test|tests|spec|e2e|cy)\.\w+$|^test_[^/]*\.py$|^conftest\.py$|[a-z0-9](?:Test|Tests|IT|Spec)\.(?:java|kt|cs|scala|php|swift|groovy)$/;

/** By the last word of a name: `user.service.ts`, `UsersController.cs`, `string_utils.py`. */
const BY_WORD = new Map<string, Category>(
  Object.entries({
    controllers: "controller controllers handler handlers",
    routes: "route routes router routers routing urls endpoint endpoints",
    services: "service services usecase usecases",
    models: "model models entity entities schema schemas dto",
    migrations: "migration migrations",
    components: "component components widget widgets",
    helpers: "helper helpers util utils utility utilities",
    config: "config configuration",
  } satisfies Partial<Record<Category, string>>).flatMap(([category, words]) =>
    words.split(" ").map((word) => [word, category as Category] as const),
  ),
);

const BY_FOLDER = new Map<string, Category>([
  ...BY_WORD,
  ["migrate", "migrations"],
  ["hooks", "hooks"],
  ["composables", "hooks"],
  ["pages", "routes"],
  ["layouts", "components"],
  ["screens", "components"],
  ["scripts", "scripts"],
  ["script", "scripts"],
  ["bin", "scripts"],
  ["tools", "scripts"],
  ["configs", "config"],
  ["conf", "config"],
]);

/** Components and hooks belong to the web; elsewhere such a folder means something else. */
const WEB_ONLY: ReadonlySet<Category> = new Set(["components", "hooks"]);

/** A path from the project's root, with forward slashes. Undefined: not source, such as data, pictures or lock files. */
export function classify(path: string): Category | undefined {
  const parts = path.split("/");
  const name = parts.pop() as string;
  if (NEVER.test(name) || parts.some(isForeignFolder)) return undefined;
  const folders = parts.map((part) => part.toLowerCase());
  const kind = kindOf(name, folders);
  if (kind === undefined) return undefined;
  if (TEST_NAME.test(name) || folders.some((folder) => TEST_FOLDERS.has(folder))) return "tests";
  if (kind !== "code") return kind;
  const extension = extensionOf(name);
  const isWeb = WEB.has(extension);
  if (isWeb && /^use[A-Z]/.test(name)) return "hooks";
  if (name === "views.py") return "controllers";
  const fits = (category: Category | undefined): category is Category =>
    category !== undefined && (isWeb || !WEB_ONLY.has(category));
  const byName = BY_WORD.get(wordsOf(name).at(-1) ?? "");
  if (fits(byName)) return byName;
  for (let i = folders.length - 1; i >= 0; i--) {
    const byFolder = BY_FOLDER.get(folders[i] as string);
    if (fits(byFolder)) return byFolder;
    if (folders[i] === "api" && /^(?:app|pages)$/.test(folders[i - 1] ?? "")) return "routes";
  }
  if (SHELL.has(extension)) return "scripts";
  return /^(?:tsx|jsx|vue|svelte|astro)$/.test(extension) ? "components" : "source";
}

function kindOf(name: string, folders: readonly string[]): "code" | "docs" | "config" | undefined {
  const extension = extensionOf(name);
  if (CONFIG_NAMES.has(name.toLowerCase()) || CONFIG_NAME.test(name)) return "config";
  if (/^(?:Docker|Container)file\./.test(name)) return "config";
  if (WEB.has(extension) || CODE.has(extension) || SHELL.has(extension)) return "code";
  if (DOCS.has(extension) || (extension === "txt" && /^docs?$/.test(folders[0] ?? "")))
    return "docs";
  return CONFIG.has(extension) ? "config" : undefined;
}

const extensionOf = (name: string): string => /\.(\w{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** `UserProfile.service.ts` is user, profile, service. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/\.\w{1,12}$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
