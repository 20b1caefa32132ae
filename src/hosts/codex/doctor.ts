import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../../store/read.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { isObject } from "../../text/schema.ts";
import type { HostChecks } from "../checks.ts";
import { checkVersion, type ClientProgram, readVersion } from "../client-version.ts";
import type { Environment } from "../host.ts";
import { list, text } from "../json.ts";
import { askClient } from "./ask-client.ts";
import { codexHome } from "./install.ts";
import { allowsCommit, programsIn, RULES_FILE } from "./sandbox-rules.ts";

const CODEX: ClientProgram = {
  name: "codex",
  oldest: "0.166.0",
  install: "npm install -g @openai/codex",
  update: "codex update",
};

const SET_UP = "smart-ralph init --client codex --yes";

type Fields = Readonly<Record<string, unknown>>;

/** What the client says about our hooks: it skips those that are not trusted, and says nothing in a headless run. */
export function checkHooks(plugin: string, answer: Fields | undefined): Diagnostic {
  const code = "codex-plugin";
  if (answer === undefined)
    return {
      severity: "info",
      code,
      message: `codex does not say whether it has ${plugin}`,
      fix: "codex plugin list",
    };
  const hooks = list(answer["data"])
    .flatMap((place) => (isObject(place) ? list(place["hooks"]) : []))
    .filter(
      (hook) => isObject(hook) && text(hook["pluginId"])?.startsWith(`${plugin}@`),
    ) as Fields[];
  const id = text(hooks[0]?.["pluginId"]);
  if (id === undefined)
    return {
      severity: "info",
      code,
      message: `${plugin} is not installed in codex, or is disabled there`,
      fix: SET_UP,
    };
  const missing = hooks.filter(
    ({ trustStatus }) => !["trusted", "managed"].includes(text(trustStatus) ?? ""),
  );
  const isChanged = missing.some(({ trustStatus }) => trustStatus === "modified");
  if (missing.length > 0)
    return {
      severity: "warning",
      code,
      message: isChanged
        ? `${id} has changed since you trusted its hooks, so codex runs none of them`
        : `${id} is installed, but codex runs its hooks only after you have trusted them`,
      fix: "start codex in the project and choose to trust the hooks, or type /hooks",
    };
  const off = hooks.filter(({ enabled }) => enabled !== true);
  return off.length > 0
    ? {
        severity: "warning",
        code,
        message: `some hooks of ${id} are disabled`,
        fix: "type /hooks in codex",
      }
    : { severity: "ok", code, message: `${id} is installed in codex, and its hooks are trusted` };
}

/** Whether an agent can commit there, with nobody to ask. */
export function checkSandbox(root: string, settings: Fields, rules: readonly string[]): Diagnostic {
  const code = "codex-sandbox";
  if (settings["sandbox_mode"] === "danger-full-access")
    return { severity: "ok", code, message: "codex runs commands without a sandbox" };
  const project = isObject(settings["projects"]) ? settings["projects"][root] : undefined;
  if (!isObject(project) || project["trust_level"] !== "trusted")
    return {
      severity: "info",
      code,
      message:
        "codex does not trust this project yet: its agents can only read, and its rules are not read",
      fix: "start codex there and say that you trust the folder",
    };
  const write = settings["sandbox_workspace_write"];
  const roots = isObject(write) ? list(write["writable_roots"]) : [];
  if (roots.includes(join(root, ".git")) || rules.some(allowsCommit))
    return {
      severity: "ok",
      code,
      message: "agents can commit, though codex runs them in its sandbox",
    };
  return {
    severity: "warning",
    code,
    message:
      "in its sandbox codex keeps .git read-only: agents cannot commit unless you allow each commit, and uncommitted work does not count",
    fix: SET_UP,
  };
}

const checkOld = (path: string): Diagnostic => ({
  severity: "warning",
  code: "codex-sandbox",
  message: `${RULES_FILE} is from before an update: ${path} is not there any more`,
  fix: SET_UP,
});

const readRules = (path: string): string[] => {
  const file = readText(path, 1 << 20);
  return file.kind === "ok" ? [file.text] : [];
};

export const checks: HostChecks = {
  name: "codex",
  checkClient: (env) => checkVersion(CODEX, readVersion("codex", env)),
  async checkOthers(root, env) {
    const { settings } = await askOnce(root, env);
    const ours = readRules(join(root, RULES_FILE));
    const theirs = readRules(join(codexHome(env), "rules", "default.rules"));
    const old = ours.flatMap(programsIn).filter((path) => !existsSync(path));
    return [
      ...(isObject(settings) ? [checkSandbox(root, settings, [...ours, ...theirs])] : []),
      ...old.map(checkOld),
    ];
  },
  checkPlugin: async (plugin, root, env) => checkHooks(plugin, (await askOnce(root, env)).hooks),
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
