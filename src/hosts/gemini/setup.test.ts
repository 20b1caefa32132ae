import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gemini } from "../../../test/e2e/hosts/gemini.ts";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { setup } from "./setup.ts";

const PLUGIN = "ralph-specum";
const MANIFEST = JSON.stringify({ name: "smart-ralph", version: "4.6.0" });
const INSTALLED = ".gemini/extensions/smart-ralph/gemini-extension.json";
const RULES = ".gemini/extensions/extension-enablement.json";

/** A home in which the extension is installed, and a project. */
function make(
  settings: { readonly user?: object; readonly project?: object } = {},
  files: Readonly<Record<string, string>> = { [INSTALLED]: MANIFEST },
) {
  const home = fillFolder(makeFolder(), {
    ...files,
    ".gemini/settings.json": JSON.stringify(settings.user ?? {}),
  });
  const root = fillFolder(makeFolder(), {
    ".gemini/settings.json": JSON.stringify(settings.project ?? {}),
  });
  return { root, env: { HOME: home }, home };
}

const others = ({ root, env }: ReturnType<typeof make>): Record<string, string> =>
  Object.fromEntries(
    setup.checkOthers(root, env).map(({ code, severity }) => [code, severity] as const),
  );

it("asks for the client that is tested", () => {
  expect(setup.oldest).toBe(gemini.version);
});

describe("the extension", () => {
  const check = ({ root, env }: ReturnType<typeof make>) => setup.checkPlugin(PLUGIN, root, env);

  it("is found where it was copied to, and where it was linked to", () => {
    expect(check(make())).toMatchObject({ severity: "ok", message: /4\.6\.0/ });
    const source = fillFolder(makeFolder(), { "gemini-extension.json": MANIFEST });
    const link = JSON.stringify({ type: "link", source });
    const linked = ".gemini/extensions/smart-ralph/.gemini-extension-install.json";
    expect(check(make({}, { [linked]: link }))).toMatchObject({ severity: "ok" });
    expect(check(make({}, { [linked]: '{"type":"link","source":"/nowhere"}' })).severity).toBe(
      "info",
    );
    expect(check(make({}, {}))).toMatchObject({ severity: "info", fix: /init --client gemini/ });
  });

  it("may be disabled everywhere, or here", () => {
    const place = make();
    const rule = (...overrides: readonly string[]): void =>
      void fillFolder(place.home, { [RULES]: JSON.stringify({ "smart-ralph": { overrides } }) });
    rule(`${place.home}/*`, `!${place.root}/*`);
    expect(check(place)).toMatchObject({ severity: "warning", fix: /extensions enable/ });
    rule(`!${join(place.root, "sub")}/*`);
    expect(check(place).severity).toBe("ok");
    rule("!/*", `${place.root}/*`);
    expect(check(place).severity).toBe("ok");
  });
});

describe("settings of the client", () => {
  it.each([
    [{}, { "gemini-loops": "warning" }],
    [{ project: { model: { disableLoopDetection: true } } }, { "gemini-loops": "ok" }],
    [{ user: { model: { disableLoopDetection: true } } }, { "gemini-loops": "ok" }],
    [
      {
        user: { model: { disableLoopDetection: true } },
        project: { model: { disableLoopDetection: false } },
      },
      { "gemini-loops": "warning" },
    ],
    [{ user: { model: { maxSessionTurns: 50 } } }, { "gemini-turns": "warning" }],
    [{ user: { hooksConfig: { enabled: false } } }, { "gemini-hooks": "warning" }],
    [{ user: { hooksConfig: { disabled: ["ralph-specum stop"] } } }, { "gemini-hooks": "warning" }],
    [{ project: { hooks: { AfterAgent: [{}] } } }, { "own-stop-hook": "info" }],
  ])("%j", (settings, found) => {
    expect(others(make(settings))).toMatchObject(found);
  });

  it("are no concern of people who use us elsewhere", () => {
    expect(others(make({}, {}))).toEqual({});
    expect(others(make({ user: { hooksConfig: { disabled: ["lint"] } } }))).toEqual({
      "gemini-loops": "warning",
    });
  });
});

describe("init --client gemini", () => {
  const steps = ({ root, env }: ReturnType<typeof make>) =>
    setup.steps({ root, env, package: "/package", plugin: PLUGIN });

  it("links the package, and keeps what the project has set", () => {
    const [link, file, ...rest] = steps(make({ project: { ui: { theme: "x" } } }, {}));
    expect(link).toMatchObject({
      command: ["gemini", "extensions", "link", "/package", "--consent"],
    });
    expect(file).toMatchObject({ kind: "file", path: ".gemini/settings.json" });
    expect(JSON.parse(file?.kind === "file" ? file.text : "")).toEqual({
      ui: { theme: "x" },
      model: { disableLoopDetection: true },
    });
    expect(rest).toEqual([]);
  });

  it("takes an older one out first: the client refuses to link twice", () => {
    const [first] = steps(make());
    expect(first).toMatchObject({ command: ["gemini", "extensions", "uninstall", "smart-ralph"] });
  });

  it("leaves alone what the user has decided, and a file that it cannot read", () => {
    const decided = make({ user: { model: { disableLoopDetection: false } } }, {});
    expect(steps(decided).map(({ kind }) => kind)).toEqual(["run"]);
    for (const text of ["{ // mine\n}", '{"model":"flash"}']) {
      const odd = make({}, {});
      fillFolder(odd.root, { ".gemini/settings.json": text });
      const [, byHand] = steps(odd);
      expect(byHand).toMatchObject({
        kind: "by-hand",
        what: expect.stringContaining("add model.disableLoopDetection: true") as string,
      });
    }
  });
});
