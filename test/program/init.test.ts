import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { binOf, makePlace } from "./no-clients.ts";
import { expectRefusal, findingOf, IN_SESSION, type Place } from "./support.ts";

const layout = specum;

const LOCAL = ".claude/settings.local.json";
const PACKAGE = JSON.stringify({ scripts: { test: "node --test", lint: "x", deploy: "rm -rf /" } });
const FORK = { CLAUDE_CODE_FORK_SUBAGENT: "0" };

const readLocal = ({ root }: Place): unknown => JSON.parse(readFileSync(join(root, LOCAL), "utf8"));

describe("init", () => {
  it("shows what it would write, writes it when told, and then has nothing to do", () => {
    const place = makePlace(layout, { "package.json": PACKAGE });
    for (const args of [["init"], ["init", "--yes", "--dry-run"]]) {
      const { out } = place.run(args);
      expect(out).toContain(`Would write ${LOCAL}:`);
      expect(out).toContain("CLAUDE_CODE_FORK_SUBAGENT: 0   (agents run in the foreground");
      expect(out).toContain("  + permissions.allow: Bash(npm run lint:*)\n");
      expect(out).toContain("Nothing is written yet");
      expect(existsSync(join(place.root, ".claude"))).toBe(false);
    }
    expect(place.run(["init", "--yes"]).out).toContain(`Wrote ${LOCAL}:`);
    expect(readLocal(place)).toEqual({
      permissions: {
        allow: [
          "Bash(git add:*)",
          "Bash(git commit:*)",
          "Bash(npm test:*)",
          "Bash(npm run test:*)",
          "Bash(npm run lint:*)",
        ],
      },
      env: FORK,
    });
    expect(place.json(["init", "--yes"])).toMatchObject({ written: false, files: [] });
    expect(place.run(["init"]).out).toContain("Everything is set up.");
    expect(findingOf(place, "unattended")).toMatchObject({
      severity: "ok",
      message: expect.stringContaining("nobody to answer claude, if its permission") as string,
    });
    // A file that says only what holds anyway.
    expect(existsSync(join(place.root, layout.settingsFile))).toBe(false);
  });

  it("offers the Verify commands of the active spec, and says where they come from", () => {
    const verify = (...commands: string[]) =>
      commands.map((one, i) => `- [ ] 1.${i + 1} Do it\n  - **Verify**: \`${one}\`\n`).join("");
    const place = makePlace(layout, {
      "package.json": PACKAGE,
      [`${layout.specsDirs[0]}/demo/tasks.md`]: `${verify("node greet.mjs Ada", "npm test -- x", "node greet.mjs Ada")}- [x] 2.1 Done\n  - **Verify**: \`node old.mjs\`\n`,
    });
    expect(findingOf(place, "unattended")?.severity).toBe("info");
    const { out } = place.run(["init"]);
    expect(out).toContain(
      `  + permissions.allow: Bash(node greet.mjs Ada)   (a Verify in ./${layout.specsDirs[0]}/demo/tasks.md)\n`,
    );
    expect(out.match(/Bash\(node/g)).toHaveLength(1);
    expect(out).not.toContain("npm test -- x");
    place.run(["init", "--yes"]);
    expect(findingOf(place, "unattended")?.severity).toBe("ok");
    writeFileSync(join(place.folder, "tasks.md"), verify("ls *.md"));
    expect(place.run(["init"]).out).toContain("No exact rule can allow this Verify: ls *.md");
    expect(findingOf(place, "unattended")).toMatchObject({
      severity: "info",
      message: "claude may ask during a run: no rule allows the Verify ls *.md",
    });
  });

  it("adds to what the user has, and changes none of it", () => {
    const mine = { permissions: { defaultMode: "plan", deny: ["Read(.env)"], allow: ["X"] }, z: 1 };
    const settings = "---\nstall_limit: 2\n---\n";
    const place = makePlace(layout, {
      [LOCAL]: JSON.stringify(mine),
      [layout.settingsFile]: settings,
    });
    expect(place.json(["init", "--yes"])).toMatchObject({
      written: true,
      files: [{ path: LOCAL, new: false }],
    });
    expect(readLocal(place)).toEqual({
      permissions: { ...mine.permissions, allow: ["X", "Bash(git add:*)", "Bash(git commit:*)"] },
      z: 1,
      env: FORK,
    });
    expect(readFileSync(join(place.root, layout.settingsFile), "utf8")).toBe(settings);
  });

  it("needs nothing twice: what other settings of the client say counts", () => {
    const place = makePlace(layout, {
      "../.claude/settings.json": JSON.stringify({
        permissions: { defaultMode: "bypassPermissions", allow: ["Bash(git add:*)"] },
        env: FORK,
      }),
      ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Bash(git commit:*)"] } }),
      [layout.settingsFile]: "---\nenabled: true\n---\n",
    });
    expect(place.run(["init", "--yes"]).out).toContain("Everything is set up.");
    expect(existsSync(join(place.root, LOCAL))).toBe(false);
  });
});

describe("init", () => {
  it("sets a mode if it is asked to, or if the client knows no better one", () => {
    const mode = { permissions: { defaultMode: "acceptEdits" } };
    const place = makePlace(specum);
    place.run(["init", "--yes", "--accept-edits"]);
    expect(readLocal(place)).toMatchObject(mode);
    for (const [version, isSet] of [
      ["2.1.113", true],
      ["2.1.325", false],
    ] as const) {
      const other = makePlace(specum, { "../bin/claude": `#!/bin/sh\necho ${version}\n` });
      const bin = binOf(other, "claude");
      other.run(["init", "--yes"], { env: { PATH: `${bin}${delimiter}${other.env["PATH"]}` } });
      expect(JSON.stringify(readLocal(other)).includes("acceptEdits")).toBe(isSet);
    }
  });

  it.each(["{", "[]", '{"permissions": 5}', '{"permissions": {"allow": "all"}}', '{"env": []}'])(
    "does not touch settings such as %s",
    (text) => {
      const place = makePlace(specum, { [LOCAL]: text });
      expectRefusal(place.run(["init", "--yes"]), EXIT.broken, `${LOCAL} is not valid; fix it`);
      expect(readFileSync(join(place.root, LOCAL), "utf8")).toBe(text);
      expect(existsSync(join(place.root, specum.settingsFile))).toBe(false);
      expect(findingOf(place, "unattended")).toMatchObject({ severity: "info" });
    },
  );

  it("is not for somebody who has only another client", () => {
    const place = makePlace(specum, { "../bin/qwen": "#!/bin/sh\necho 0.24.4\n" });
    const env = { PATH: `${binOf(place, "qwen")}${delimiter}${place.env["PATH"]}` };
    expectRefusal(
      place.run(["init", "--yes"], { env }),
      EXIT.refused,
      "this sets up Claude Code, which is not on PATH; for qwen: ralph-specum init --client qwen",
    );
    expect(existsSync(join(place.root, ".claude"))).toBe(false);
    expect(findingOf(place, "unattended", { env })).toBeUndefined();
  });

  it("is not for an agent, which would allow itself whatever it likes", () => {
    const place = makePlace(specum);
    expectRefusal(place.run(["init", "--yes"], IN_SESSION), EXIT.refused, "only the user can run");
    expect(existsSync(join(place.root, ".claude"))).toBe(false);
  });

  it("writes through no link that leads out of the project", () => {
    const place = makePlace(specum);
    mkdirSync(join(place.root, "../elsewhere"));
    symlinkSync(join(place.root, "../elsewhere"), join(place.root, ".claude"));
    expect(place.run(["init", "--yes"]).code).toBe(EXIT.broken);
    expect(existsSync(join(place.root, "../elsewhere/settings.local.json"))).toBe(false);
  });

  it.each([
    ["pnpm-lock.yaml", "", "Bash(pnpm test:*)"],
    ["Cargo.toml", "", "Bash(cargo test:*)"],
    ["go.mod", "", "Bash(go test:*)"],
    ["pyproject.toml", "", "Bash(pytest:*)"],
    ["Makefile", "", "Bash(make test:*)"],
  ])("finds the commands of a project with %s", (name, text, rule) => {
    const place = makePlace(specum, { "package.json": PACKAGE, [name]: text });
    expect(place.run(["init"]).out).toContain(rule);
  });
});

describe("doctor", () => {
  it("says what is missing where nothing is set up yet", () => {
    const place = makePlace(specum);
    rmSync(join(place.root, "specs"), { recursive: true });
    const { out } = place.run(["doctor"]);
    expect(out).toContain("ralph-specum is not installed in claude");
    expect(out).toContain("→ smart-ralph init --client claude --yes");
    expect(out).toContain("not in a git repository: commits and undo need one");
  });

  const installed = { plugins: { "ralph-specum@smart-ralph": [{ version: "4.5.0" }] } };
  const enabled = (on: boolean): string =>
    JSON.stringify({ enabledPlugins: { "ralph-specum@smart-ralph": on } });

  it.each<[says: string, files: Record<string, string>, severity: string]>([
    ["ralph-specum is not installed in claude", {}, "info"],
    [
      "ralph-specum@smart-ralph 4.5.0 is installed and enabled",
      {
        "../.claude/settings.json": enabled(true),
        "../.claude/plugins/installed_plugins.json": JSON.stringify(installed),
      },
      "ok",
    ],
    [
      "ralph-specum@smart-ralph is installed, but disabled",
      { "../.claude/settings.json": enabled(true), ".claude/settings.json": enabled(false) },
      "warning",
    ],
    [
      "ralph-specum@smart-ralph is enabled in claude, but not installed",
      { ".claude/settings.json": enabled(true) },
      "warning",
    ],
  ])("says: %s", (says, files, severity) => {
    const finding = findingOf(makePlace(specum, files), "plugin");
    expect(finding?.message).toContain(says);
    expect(finding?.severity).toBe(severity);
  });
});
