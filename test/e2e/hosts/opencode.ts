import { execFile } from "node:child_process";
import { access, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repoRoot } from "../install.ts";
import { type Adapter, binOf, versionOf } from "./adapter.ts";
import { baseEnv, headlessSession } from "./session.ts";

/** A port that nobody listens on: what wants to download something is told so at once. */
const NOWHERE = "http://127.0.0.1:9/";

/** The client, with a model on loopback and without a network. */
export const opencodeEnv = (url: string): Record<string, string> => ({
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  npm_config_registry: NOWHERE,
  npm_config_fetch_retries: "0",
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    model: "test/scripted",
    small_model: "test/scripted",
    autoupdate: false,
    share: "disabled",
    provider: {
      test: {
        npm: "@ai-sdk/openai-compatible",
        name: "test",
        options: { baseURL: `${url}/v1`, apiKey: "not-a-real-key" },
        models: {
          scripted: {
            name: "scripted",
            tool_call: true,
            limit: { context: 200_000, output: 8000 },
          },
        },
      },
    },
  }),
});

/**
 * The platform's own package: the other one only has a script that fetches it from there. Of two, the one for every
 * processor.
 */
async function findProgram(home: string): Promise<string | undefined> {
  const folder = join(home, "node_modules");
  const system = process.platform === "win32" ? "windows" : process.platform;
  const packages = (await readdir(folder).catch(() => [])).filter((name) =>
    name.startsWith(`opencode-${system}-${process.arch}`),
  );
  const name = packages.find((one) => one.includes("-baseline")) ?? packages[0];
  if (name === undefined) return undefined;
  const program = join(folder, name, "bin", system === "windows" ? "opencode.exe" : "opencode");
  return access(program).then(
    () => program,
    () => undefined,
  );
}

/**
 * The client installs its own plugin library into its settings folder before it loads a plugin, and waits for it. It
 * takes these for the installed one; our plugin does not need it.
 */
export async function pretendLibrary(home: string): Promise<void> {
  const version = versionOf(opencode);
  const folder = join(home, ".config", "opencode");
  const dependencies = { "@opencode-ai/plugin": version };
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies }));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
}

export const opencode: Adapter = {
  id: "opencode",
  name: "OpenCode",
  package: "opencode-ai",
  version: "1.18.33",
  find: findProgram,
  worker: "self",
  reports: "message",
  type: ({ plugin }, command) => `/${plugin}:${command}`,
  program: (layout) => binOf(repoRoot, layout),
  shell: (command) => ({ name: "bash", input: { command, description: "work" } }),
  sessionVariable: "OPENCODE_SESSION_ID",
  async install(seat) {
    const { place, client } = seat;
    await pretendLibrary(place.home);
    const folder = join(repoRoot, "plugins", place.layout.plugin, "opencode");
    await promisify(execFile)(client, ["plugin", folder, "--global"], {
      cwd: place.root,
      env: { ...baseEnv(seat), ...opencodeEnv(NOWHERE) },
    });
  },
  async open(table) {
    return headlessSession(table, {
      args: (prompt, session) => [
        "run",
        "--format",
        "json",
        ...(session === undefined ? [] : ["--session", session]),
        prompt,
      ],
      sessionIn: (output) => /"sessionID":"([^"]+)"/.exec(output)?.[1],
      env: opencodeEnv(table.url),
    });
  },
  differences: {},
};
