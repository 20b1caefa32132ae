import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { editionsOf } from "../all.ts";
import { gemini } from "./host.ts";
import { packageFiles } from "./package.ts";
import { wire } from "./wire.ts";

const editions = editionsOf(gemini);
const files = new Map(packageFiles(editions).map(({ path, text }) => [path, text]));

interface Hook {
  readonly name: string;
  readonly command: string;
  readonly timeout: number;
}
const { hooks } = JSON.parse(files.get("hooks/hooks.json") ?? "{}") as {
  hooks: Record<string, readonly { readonly hooks: readonly Hook[] }[]>;
};

describe.each(editions)("the extension, for $plugin", ({ plugin, id, phases }) => {
  it("has a command for each phase, which the hook understands", () => {
    for (const name of [...phases.map((phase) => phase.name), "implement", "approve", "cancel"]) {
      const text = files.get(`commands/${plugin}/${name}.toml`) ?? "";
      expect(text).toMatch(/^description = ".+"\nprompt = """\n/);
      const [, prompt = ""] = /prompt = """\n([\s\S]*)"""\n$/.exec(text) ?? [];
      expect(prompt, "nothing that TOML reads as something else").not.toMatch(/\\|"""/);
      const typed = prompt.replace("{{args}}", () => "demo --quick");
      expect(wire.parsePrompt?.({ cwd: "/p", prompt: typed }, {})?.text).toBe(
        `/${plugin}:${name} demo --quick`,
      );
    }
  });

  it("runs its gate at each event, in milliseconds", () => {
    const stop = hooks["AfterAgent"]?.[0]?.hooks.find(({ name }) => name.startsWith(plugin));
    expect(stop?.timeout).toBeGreaterThanOrEqual(900_000);
    const gate = `hooks/${id}.gate`;
    expect(stop?.command).toContain(`\${extensionPath}/${gate}`);
    expect(files.get(gate)).toContain(`${id} "$1" gemini`);
    expect(files.get(gate)).not.toContain("{{");
  });
});

it("is in the npm package", () => {
  for (const path of files.keys()) expect(manifest.files).toContain(path.split("/")[0]);
});
