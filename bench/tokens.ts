import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { layouts } from "../test/support/editions.ts";
import { readDetails } from "./details.ts";
import { cleanEnv } from "./measure.ts";
import { progress, type Section, tableOf } from "./report.ts";
import { begin, makeScene, type Scene, taskList } from "./scene.ts";

/** Tokens, by the usual rule of thumb: four characters each. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

const LIMITS = { commands: 800, agents: 1500 } as const;
/** What a plugin adds to every session: the names and descriptions of its commands and agents. */
const ALWAYS_ON: Readonly<Record<string, number>> = { "ralph-specum": 900 };

interface Row {
  readonly what: string;
  readonly tokens: number;
  readonly client: string;
  readonly limit?: number | undefined;
}

/** What a prompt or a file costs the agent that reads it. */
export async function benchTokens(home: string, withClient: boolean): Promise<Section> {
  progress("tokens", 0, 1);
  const files = await Promise.all(
    layouts.map(async ({ plugin }) => ({
      plugin,
      files: pluginFiles(plugin),
      details: withClient ? await readDetails(plugin) : undefined,
    })),
  );
  progress("tokens", 1, 1);
  const rows: Row[] = [
    ...promptRows(home),
    ...files.flatMap(({ plugin, files: found, details }) => [
      {
        what: `${plugin}, in every session`,
        tokens: tokensOf(found.map(({ text, name }) => name + descriptionOf(text)).join("")),
        client: details?.get("") ?? "",
        limit: ALWAYS_ON[plugin],
      },
      ...found.map(({ kind, name, text }) => ({
        what: `${plugin}, ${kind}/${name}.md`,
        tokens: tokensOf(text),
        client: details?.get(name) ?? "",
        limit: LIMITS[kind],
      })),
    ]),
  ];
  const by = withClient ? " or `claude plugin details`, whichever is more," : "";
  return {
    title: "Tokens",
    text: `Characters / 4; the limits hold for that${by} exactly.

${tableOf(
  ["what", "tokens", "limit", "by the client"],
  rows.map(({ what, tokens, limit, client }) => [what, `${tokens}`, `${limit ?? ""}`, client]),
)}
`,
    over: rows.flatMap(({ what, tokens, client, limit }) => {
      const most = Math.max(tokens, Number(/\d+/.exec(client)?.[0] ?? 0));
      return limit !== undefined && most > limit
        ? [`${what}: ${most} tokens, the limit is ${limit}`]
        : [];
    }),
  };
}

/** Of all prompts those that come again and again, as our programs print them. */
function promptRows(home: string): Row[] {
  const scene = makeScene(home, "tokens", taskList(60));
  const start = begin(home, scene.root);
  return [
    { what: "start prompt", tokens: tokensOf(start), client: "", limit: 600 },
    // It only names the task: the agent's orders are written when it is started.
    { what: "continuation", tokens: tokensOf(reasonOf(scene, {})), client: "", limit: 100 },
    {
      what: "sent back, with 60 open tasks",
      tokens: tokensOf(reasonOf(scene, { last_assistant_message: "ALL_TASKS_COMPLETE" })),
      client: "",
      limit: 300,
    },
  ];
}

function reasonOf(scene: Scene, event: object): string {
  const { file, args, cwd, input, env } = scene.stop("tokens", /./, event);
  const { stdout } = spawnSync(file, args, {
    cwd,
    ...(input === undefined ? {} : { input }),
    env: { ...cleanEnv(scene.home), ...env },
    encoding: "utf8",
  });
  return (JSON.parse(stdout) as { reason: string }).reason;
}

interface PluginFile {
  readonly kind: keyof typeof LIMITS;
  readonly name: string;
  readonly text: string;
}

function pluginFiles(plugin: string): PluginFile[] {
  return (["commands", "agents"] as const).flatMap((kind) => {
    const folder = resolve("plugins", plugin, kind);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((file) => file.endsWith(".md"))
      .sort()
      .map((file) => ({
        kind,
        name: file.slice(0, -".md".length),
        text: readFileSync(join(folder, file), "utf8"),
      }));
  });
}

const descriptionOf = (text: string): string => /^description: *(.*)$/m.exec(text)?.[1] ?? "";
