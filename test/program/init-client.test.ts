import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { makePlace, type Place } from "./support.ts";

const CLIENTS = ["qwen", "gemini", "codex"] as const;

/** A project, and clients that do whatever they are told. */
function make(files: Readonly<Record<string, string>> = {}): Place & { readonly PATH: string } {
  const programs = CLIENTS.map((name) => [`../bin/${name}`, "#!/bin/sh\nexit 0\n"] as const);
  const place = makePlace(specum, { ...Object.fromEntries(programs), ...files });
  const bin = join(place.root, "../bin");
  for (const name of CLIENTS) chmodSync(join(bin, name), 0o755);
  return { ...place, PATH: `${bin}${delimiter}${place.env["PATH"]}` };
}

describe.skipIf(process.platform === "win32")("init --client", () => {
  it("says of every step how it went, also if a folder leads out of the project", () => {
    const place = make();
    const out = join(place.root, "../elsewhere");
    mkdirSync(out);
    for (const name of [".qwen", ".codex"]) symlinkSync(out, join(place.root, name));
    const env = { PATH: place.PATH };
    const run = place.run(["init", "--client", CLIENTS.join(","), "--yes"], { env });
    expect(run.code).toBe(EXIT.refused);
    expect(run.out).toContain("✓ qwen extensions link");
    expect(run.out).toMatch(/✗ write \.qwen\/settings\.json.*\n.*cannot be used/);
    expect(run.out).toContain("✓ write .gemini/settings.json");
    expect(run.out).toContain("✓ codex plugin add");
    expect(run.out).toContain("✗ write .codex/");
    expect(existsSync(join(out, "settings.json"))).toBe(false);
  });

  it("leaves a setting of the user's alone, and says what to add by hand", () => {
    const settings = '{"model":"flash"}';
    const place = make({ ".gemini/settings.json": settings });
    const env = { PATH: place.PATH };
    const run = place.run(["init", "--client", "gemini", "--yes"], { env });
    expect(run.code).toBe(0);
    expect(run.out).toContain("- add model.disableLoopDetection: true to .gemini/settings.json");
    expect(readFileSync(join(place.root, ".gemini/settings.json"), "utf8")).toBe(settings);
  });
});
