import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { REPOSITORY } from "./child.ts";
import { binOf, makePlace } from "./no-clients.ts";

describe("init --client", () => {
  const stub = (...names: string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [`../bin/${name}`, "#!/bin/sh\necho 9.9.9\n"]));
  const withStubs = (...names: string[]) => {
    const place = makePlace(specum, stub(...names));
    const bin = names.map((name) => binOf(place, name))[0] ?? join(place.root, "../none");
    const env = { PATH: `${place.env["PATH"]}${delimiter}${bin}` };
    return (...args: string[]) => place.run(["init", "--client", ...args], { env });
  };

  it("repeats what says where, and names clients that are not there", () => {
    const run = withStubs("codex");
    const { code, out } = run("codex, gemini,codex", "--layout", "speckit", "-C", ".");
    expect(code).toBe(0);
    expect(out).toContain("--client codex,gemini --layout speckit --directory . --yes does it.");
    expect(out).toMatch(/gemini:\n {2}✗ gemini extensions link .*\n {4}gemini is not on PATH\n/);
    expect(out).not.toContain("codex is not on PATH");
  });

  it("says what to type where it went well, and why it did not elsewhere", () => {
    const { code, out } = withStubs("codex", "claude")("codex,opencode,claude", "--yes");
    expect(code).toBe(EXIT.refused);
    expect(out).toContain(
      "  then: type $ralph-specum:help; where our program says /ralph-specum:…",
    );
    expect(out).toContain("and type /ralph-specum:help\n");
    expect(out).toMatch(/opencode:\n {2}✗ .*\n {4}opencode is not on PATH\nclaude:/);
  });

  it("has nothing to do where everything is set up", () => {
    const place = makePlace(specum, {
      "../.qwen/extensions/smart-ralph/.qwen-extension-install.json": JSON.stringify({
        type: "link",
        source: REPOSITORY,
      }),
      ".qwen/settings.json": '{"stopHookBlockingCap": 50}',
    });
    expect(place.run(["init", "--client", "qwen"]).out).toBe("qwen:\n  already set up\n");
  });
});
