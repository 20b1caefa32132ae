import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Layout, layouts, type Phase } from "../src/core/layout.ts";
import { fill, type Values } from "../src/prompts/template.ts";
import manifest from "../package.json" with { type: "json" };

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

const SOURCE = "src/plugin";
const AUTHOR = { name: "Smart Ralph contributors" };

/** Everything a plugin folder holds besides its bundles, for one layout, from the one source in `src/plugin`. */
export function pluginFiles(layout: Layout): GeneratedFile[] {
  const words = wordsOf(layout);
  const at = (path: string): string => `plugins/${layout.plugin}/${path}`;
  const markdown = ["commands", "agents"].flatMap((folder) =>
    readdirSync(join(SOURCE, folder)).map((name) => ({
      path: at(`${folder}/${name}`),
      text: fill(read(`${folder}/${name}`), words),
    })),
  );
  return [
    { path: at(".claude-plugin/plugin.json"), text: json(pluginManifest(layout)) },
    { path: at("hooks/hooks.json"), text: json(hooks) },
    { path: at("hooks/gate"), text: fill(read("hooks/gate.sh"), words) },
    { path: at(`bin/${layout.plugin}`), text: fill(read("bin.sh"), words), executable: true },
    { path: at("README.md"), text: fill(read("README.md"), words) },
    { path: at("LICENSE"), text: readFileSync("LICENSE", "utf8") },
    ...markdown,
  ];
}

export const marketplaceFile = (): GeneratedFile => ({
  path: ".claude-plugin/marketplace.json",
  text: json({
    name: "smart-ralph",
    description: "Plugins that work through a written spec until every task is done and proven.",
    owner: AUTHOR,
    plugins: layouts.map((layout) => ({
      name: layout.plugin,
      source: `./plugins/${layout.plugin}`,
      description: descriptionOf(layout),
      version: manifest.version,
      license: manifest.license,
      category: "workflow",
    })),
  }),
});

/**
 * Read, not run: a second shell would cost a millisecond. `command` keeps a missing file from ending the shell with
 * code 2, which would hold the agent. The line is short because the client shows it to the model with every continuation.
 */
const hook = (event: string, timeout = 30) => [
  {
    hooks: [
      {
        type: "command",
        command: `set ${event}; command . "\${CLAUDE_PLUGIN_ROOT}/hooks/gate"; :`,
        timeout,
      },
    ],
  },
];

const hooks = {
  description: "Hands out the next task at the end of a turn, until all are done",
  hooks: {
    Stop: hook("stop"),
    // It runs the task's Verify.
    SubagentStop: hook("subagent-stop", 900),
    StopFailure: hook("stop-failure"),
    SessionEnd: hook("session-end"),
    SessionStart: hook("session-start"),
    UserPromptSubmit: hook("prompt"),
  },
};

const pluginManifest = (layout: Layout) => ({
  name: layout.plugin,
  version: manifest.version,
  description: descriptionOf(layout),
  author: AUTHOR,
  license: manifest.license,
  keywords: ["spec", "loop", "tasks", "stop-hook"],
});

const descriptionOf = (layout: Layout): string =>
  layout.id === "specum"
    ? "Works through specs/<name>/tasks.md until every task is done and proven."
    : "Works through a Spec Kit feature's tasks.md until every task is done and proven.";

const wordsOf = (layout: Layout): Values => ({
  layout: layout.id,
  plugin: layout.plugin,
  unit: layout.unit,
  pointer:
    layout.pointerIn === "specs-dir"
      ? `${layout.specsDirs[0]}/${layout.pointer}`
      : `${layout.pointerIn}/${layout.pointer}`,
  specsDirs: layout.specsDirs.join(" "),
  specsDir: layout.specsDirs[0],
  stateFile: layout.stateFile,
  journalFile: layout.journalFile,
  settingsFile: layout.settingsFile,
  requirements: layout.requirements,
  design: designOf(layout).document,
  designPhase: designOf(layout).name,
});

/** What the tasks are made from: the phase before theirs. */
const designOf = (layout: Layout) => layout.phases.at(-2) as Phase;

const read = (path: string): string => readFileSync(join(SOURCE, path), "utf8");

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
