import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Fields, fieldsOf, listOf, textOf, valuesOf } from "../../agents/json.ts";
import { readText } from "../../store/read.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { isObject } from "../../text/schema.ts";
import { PHASE_VERBS, RUN_VERBS } from "../agent-verbs.ts";
import type { Environment } from "../host.ts";
import { readJson } from "../settings-file.ts";
import { type HostSetup, runStep, setUp } from "../setup.ts";
import { askClient } from "./ask-client.ts";
import { codex } from "./host.ts";

/** In the project, where the client's sandbox lets no agent write. It reads such files in projects that the user trusts. */
const RULES_FILE = ".codex/rules/smart-ralph.rules";

/** Where the client keeps its settings and plugins. */
const homeOf = (env: Environment): string =>
  env["CODEX_HOME"] || join(env["HOME"] ?? homedir(), ".codex");

export const setup: HostSetup = {
  ...codex,
  oldest: "0.166.0",
  update: "codex update",

  async checkOthers(root, env) {
    const { settings } = await askOnce(root, env);
    const ours = readRules(join(root, RULES_FILE));
    const theirs = readRules(join(homeOf(env), "rules", "default.rules"));
    const old = ours.flatMap(programsIn).filter((path) => !existsSync(path));
    return [
      ...(isObject(settings) ? [checkSandbox(root, settings, [...ours, ...theirs])] : []),
      ...old.map(checkOld),
    ];
  },

  checkPlugin: async (plugin, root, env) => checkHooks(plugin, (await askOnce(root, env)).hooks),

  steps: ({ package: folder, plugin, env }) => [
    runStep(["codex", "plugin", "marketplace", "add", folder], "the plugins are there"),
    runStep(
      ["codex", "plugin", "add", `${plugin}@smart-ralph`],
      "for all your projects; it copies the plugin, so run this again after an update",
    ),
    {
      kind: "file",
      path: RULES_FILE,
      text: sandboxRules(programIn(env, folder, plugin)),
      why: "agents may commit, which the sandbox prevents otherwise",
      isLocal: true,
    },
  ],

  afterwards: (plugin) => [
    "start codex in this project, and when it says that hooks need review, choose to trust them: until then it runs none of them; after each update it asks again",
    `type $${plugin}:help; where our program says /${plugin}:…, type $${plugin}:… in Codex`,
  ],
};

/** The client copies a plugin into a folder with its version. */
function programIn(env: Environment, folder: string, plugin: string): string {
  const manifest = readJson(join(folder, "plugins", plugin, ".codex-plugin", "plugin.json"));
  const version = textOf(fieldsOf(manifest)["version"]) ?? "";
  return join(homeOf(env), "plugins", "cache", "smart-ralph", plugin, version, "bin", plugin);
}

const VERBS = [...new Set([...RUN_VERBS, ...PHASE_VERBS].map((verb) => verb.split(" ")[0]))];

/**
 * What may run outside the sandbox, where `.git` and our own records are read-only: without the first rule no agent can
 * commit, and uncommitted work does not count. Whoever runs our program is still only an agent to it.
 */
export const sandboxRules = (program: string): string => `\
# For Codex, written by \`smart-ralph init --client codex\`: what agents run here without its sandbox.
# In the sandbox .git is read-only, and work that is not committed does not count as done.
# A commit runs the project's own git hooks, outside the sandbox too.
prefix_rule(pattern = ["git", ["add", "commit"]], decision = "allow")
# The run's own commands, on this machine: they note what they do in your own folder.
prefix_rule(pattern = [${JSON.stringify(program)}, ${JSON.stringify(VERBS)}], decision = "allow")
`;

/** The programs in such a file. */
export const programsIn = (rules: string): string[] =>
  [...rules.matchAll(/^prefix_rule\(pattern = \[("[^"]*[/\\]bin[/\\][^"]*")/gm)].map(
    ([, program = '""']) => JSON.parse(program) as string,
  );

/** Longer than any rule about git. */
const MAX_RULE = 300;

/** Whether rules let an agent commit, as far as that is certain. */
const allowsCommit = (rules: string): boolean =>
  rules
    .split("\n")
    .some((line) =>
      /^\s*prefix_rule\(.*"git",\s*(?:"commit"|\[[^\]]*"commit"[^\]]*\])\s*\].*"allow"/.test(
        line.slice(0, MAX_RULE),
      ),
    );

/** What the client says about our hooks: it skips those that are not trusted, and says nothing in a headless run. */
export function checkHooks(plugin: string, answer: Fields | undefined): Diagnostic {
  const { ok, info, warning } = findingsAbout("codex-plugin");
  if (answer === undefined)
    return info(`codex does not say whether it has ${plugin}`, "codex plugin list");
  const hooks = listOf(answer["data"])
    .flatMap((place) => listOf(place["hooks"]))
    .filter(({ pluginId }) => textOf(pluginId)?.startsWith(`${plugin}@`));
  const id = textOf(hooks[0]?.["pluginId"]);
  if (id === undefined)
    return info(`${plugin} is not installed in codex, or is disabled there`, setUp("codex"));
  const missing = hooks.filter(
    ({ trustStatus }) => !["trusted", "managed"].includes(textOf(trustStatus) ?? ""),
  );
  if (missing.length > 0)
    return warning(
      missing.some(({ trustStatus }) => trustStatus === "modified")
        ? `${id} has changed since you trusted its hooks, so codex runs none of them`
        : `${id} is installed, but codex runs its hooks only after you have trusted them`,
      "start codex in the project and choose to trust the hooks, or type /hooks",
    );
  return hooks.every(({ enabled }) => enabled === true)
    ? ok(`${id} is installed in codex, and its hooks are trusted`)
    : warning(`some hooks of ${id} are disabled`, "type /hooks in codex");
}

const sandbox = findingsAbout("codex-sandbox");

/** Whether an agent can commit there, with nobody to ask. */
export function checkSandbox(root: string, settings: Fields, rules: readonly string[]): Diagnostic {
  if (settings["sandbox_mode"] === "danger-full-access")
    return sandbox.ok("codex runs commands without a sandbox");
  const project = fieldsOf(fieldsOf(settings["projects"])[root]);
  if (project["trust_level"] !== "trusted")
    return sandbox.info(
      "codex does not trust this project yet: its agents can only read, and its rules are not read",
      "start codex there and say that you trust the folder",
    );
  const roots = valuesOf(fieldsOf(settings["sandbox_workspace_write"])["writable_roots"]);
  return roots.includes(join(root, ".git")) || rules.some(allowsCommit)
    ? sandbox.ok("agents can commit, though codex runs them in its sandbox")
    : sandbox.warning(
        "in its sandbox codex keeps .git read-only: agents cannot commit unless you allow each commit, and uncommitted work does not count",
        setUp("codex"),
      );
}

const checkOld = (path: string): Diagnostic =>
  sandbox.warning(
    `${RULES_FILE} is from before an update: ${path} is not there any more`,
    setUp("codex"),
  );

const readRules = (path: string): string[] => {
  const file = readText(path, 1 << 20);
  return file.kind === "ok" ? [file.text] : [];
};

interface State {
  readonly hooks: Fields | undefined;
  readonly settings: unknown;
}

const asked = new Map<string, Promise<State>>();

/** Two of its servers that begin at the same time in a new home get in each other's way. */
function askOnce(root: string, env: Environment): Promise<State> {
  const known = asked.get(root);
  if (known !== undefined) return known;
  const state = askClient(root, env, [
    { method: "hooks/list", params: { cwds: [root] } },
    { method: "config/read", params: { includeLayers: false, cwd: root } },
  ]).then(([hooks, config]) => ({ hooks, settings: config?.["config"] }));
  asked.set(root, state);
  return state;
}
