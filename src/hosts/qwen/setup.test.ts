import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { setup } from "./setup.ts";

const PACKAGE = "/clone";

/** What `init` would do in a project with these files, for a user with those. */
function plan(project: Readonly<Record<string, string>>, home: Readonly<Record<string, string>>) {
  const folder = makeFolder();
  const root = fillFolder(join(folder, "project"), { "README.md": "", ...project });
  const env = { HOME: fillFolder(join(folder, "home"), { README: "", ...home }) };
  return setup.steps({ root, package: PACKAGE, plugin: "ralph-specum", env });
}

const linked = (source: string) => ({
  ".qwen/extensions/smart-ralph/.qwen-extension-install.json": JSON.stringify({
    type: "link",
    source,
  }),
});

describe("init --client qwen", () => {
  it("links the package, says yes for its user, and raises the client's cap", () => {
    const [link, settings] = plan({}, {});
    expect(link).toMatchObject({
      command: ["qwen", "extensions", "link", PACKAGE],
      input: "y\n",
    });
    expect(settings).toMatchObject({
      path: ".qwen/settings.json",
      text: '{\n  "stopHookBlockingCap": 100\n}\n',
    });
  });

  it("keeps what is there, and does nothing twice", () => {
    const settings = { ".qwen/settings.json": '{"theme": "x"}' };
    expect(plan(settings, linked(PACKAGE))).toEqual([
      expect.objectContaining({ text: expect.stringContaining('"theme": "x"') as string }),
    ]);
    expect(plan({ ".qwen/settings.json": '{"stopHookBlockingCap": 20}' }, linked(PACKAGE))).toEqual(
      [],
    );
    expect(plan({ ".qwen/settings.json": "{ // mine\n}" }, linked(PACKAGE))).toEqual([
      expect.objectContaining({
        kind: "by-hand",
        what: expect.stringContaining(
          "add stopHookBlockingCap: 100 to .qwen/settings.json",
        ) as string,
      }),
    ]);
    const large = '{"id": 12345678901234567890}';
    expect(plan({ ".qwen/settings.json": large }, linked(PACKAGE))).toEqual([
      expect.objectContaining({
        text: '{"stopHookBlockingCap": 100, "id": 12345678901234567890}',
      }),
    ]);
    const own = { ...linked(PACKAGE), ".qwen/settings.json": '{"stopHookBlockingCap": 9}' };
    expect(plan({}, own)).toEqual([]);
  });

  it("moves an extension that is somewhere else", () => {
    expect(plan({}, linked("/old"))[0]).toMatchObject({
      command: ["qwen", "extensions", "uninstall", "smart-ralph"],
    });
  });
});

describe("doctor", () => {
  const look = async (files: Readonly<Record<string, string>>, more: object = {}) => {
    const folder = fillFolder(makeFolder(), { "project/README": "", "home/README": "", ...files });
    const env = { HOME: join(folder, "home"), ...more };
    const root = join(folder, "project");
    const found = [
      await setup.checkPlugin("ralph-specum", root, env),
      ...((await setup.checkOthers?.(root, env)) ?? []),
    ];
    return found.map(({ severity, message }) => `${severity}: ${message}`);
  };
  const installed = {
    "home/.qwen/extensions/smart-ralph/.qwen-extension-install.json": '{"type": "git"}',
    "home/.qwen/extensions/smart-ralph/qwen-extension.json": '{"version": "1.2.3"}',
  };

  it("finds nothing, an extension, and one that is off", async () => {
    expect(await look({})).toEqual(["info: ralph-specum is not installed in qwen"]);
    expect((await look(installed))[0]).toBe("ok: qwen's extension smart-ralph 1.2.3 is enabled");
    const off = '{"smart-ralph": {"overrides": ["!/home/*"]}}';
    const file = "home/.qwen/extensions/extension-enablement.json";
    expect((await look({ ...installed, [file]: off }))[0]).toMatch(/^warning: .* disabled/);
  });

  it("knows how often the client lets a prompt continue", async () => {
    const cap = async (value: string, more: object = {}) =>
      (await look({ ...installed, "project/.qwen/settings.json": value }, more)).at(-1);
    expect(await cap("{}")).toMatch(/^info: .* 7 times \(stopHookBlockingCap 8\)/);
    expect(await cap('{"stopHookBlockingCap": 1000}')).toMatch(/^ok: .* 99 times/);
    expect(await cap("{}", { QWEN_CODE_STOP_HOOK_BLOCK_CAP: "20" })).toMatch(/ 19 times/);
    expect(await cap('{"disableAllHooks": true}')).toMatch(/7 times/);
    expect(
      await look({ ...installed, "project/.qwen/settings.json": '{"disableAllHooks": true}' }),
    ).toContain("warning: qwen's hooks are off (disableAllHooks)");
  });
});
