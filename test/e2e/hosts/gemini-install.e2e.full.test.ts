import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { repoRoot } from "../install.ts";
import { specum } from "../place.ts";
import { stagePlace } from "../stage.ts";
import { installAdapter, installClientNode } from "./adapter.ts";
import { gemini, runGemini } from "./gemini.ts";
import { baseEnv } from "./session.ts";

// Nine starts of the client.
it("init installs the extension, and again; doctor finds it", { timeout: 300_000 }, async () => {
  const place = stagePlace(specum);
  const [client, node] = await Promise.all([installAdapter(gemini), installClientNode()]);
  const seat = { place, client, node };
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "gemini"), `#!/bin/sh\nexec '${node}' '${client}' "$@"\n`, {
    mode: 0o755,
  });
  const base = baseEnv(seat);
  const env = { ...base, PATH: `${bin}${delimiter}${base["PATH"]}` };
  const program = async (...words: string[]): Promise<string> => {
    const args = [join(repoRoot, "bin", "smart-ralph.cjs"), ...words];
    return (await promisify(execFile)(node, args, { cwd: place.root, env })).stdout;
  };

  expect(await program("doctor")).toContain("ralph-specum is not installed in gemini");
  expect(await program("init", "--client", "gemini", "--yes")).toContain(
    "✓ gemini extensions link",
  );
  expect(JSON.parse(place.read(".gemini/settings.json"))).toEqual({
    model: { disableLoopDetection: true },
  });
  expect(await runGemini(seat, ["extensions", "list"])).toMatch(/✓ smart-ralph[^]*Type: link/);
  const found = await program("doctor");
  expect(found).toContain(`gemini ${gemini.version}`);
  expect(found).toMatch(/gemini's extension smart-ralph \S+ is installed and enabled/);
  expect(found).toContain("gemini's own loop check is off");

  expect(await program("init", "--client", "gemini", "--yes")).not.toContain("✗");
  await runGemini(seat, ["extensions", "disable", "smart-ralph", "--scope=workspace"]);
  expect(await program("doctor")).toContain("is installed, but disabled here");
});
