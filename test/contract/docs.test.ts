import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { GLOBAL_OPTIONS } from "../../src/apps/cli/arguments.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { pluginFiles } from "../../src/hosts/claude/package.ts";
import { journalSchema } from "../../src/run/journal.ts";
import { RUN_SETTINGS_HELP, SETTINGS_HELP } from "../../src/run/settings-help.ts";
import { stateSchema } from "../../src/run/state.ts";
import { RUN_ENDS } from "../../src/runner/run-status.ts";
import { CLIENTS } from "../e2e/install.ts";
import { NODES } from "../nodes/install.ts";
import { everyLayout as layouts } from "../support/editions.ts";

const commands = await loadCommands();

/** What the documentation says must be so: links lead somewhere, commands exist, tables are what the code knows. */
const pages = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const read = (path: string): string => readFileSync(path, "utf8");

const FENCE = /^(```+)[^\n]*\n([^]*?)^\1$/gm;
const prose = (text: string): string => text.replace(FENCE, "");

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (path: string): string[] =>
  [...prose(read(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => anchorOf(title));

describe.each(pages)("%s", (page) => {
  const text = read(page);

  it("links to what exists", () => {
    const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : join(dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsIn(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it("names slash commands that exist", () => {
    const files = layouts.flatMap((layout) =>
      pluginFiles(layout).flatMap(({ path }) => {
        const name = /\/commands\/(.*)\.md$/.exec(path)?.[1];
        return name === undefined ? [] : [`/${layout.plugin}:${name}`];
      }),
    );
    const known = new Set(files);
    const named = [...text.matchAll(/\/ralph-spec(?:um|kit):[a-z-]+/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it("names commands and options that exist", () => {
    expect(codeIn(text).flatMap(strangersIn)).toEqual([]);
  });
});

/** Code spans, and the lines of code blocks. */
const codeIn = (text: string): string[] => [
  ...[...prose(text).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = ""]) => code),
  ...[...text.matchAll(FENCE)].flatMap(([, , code = ""]) => code.split("\n")),
];

const CALL =
  /^(?:\$ |- run: .*?node \S*\/)?(?:smart-ralph(?:\.cjs)?|ralph-specum|ralph-speckit|\/ralph-spec(?:um|kit):(?<slash>[a-z-]+))(?: (?<rest>[^"`]*))?/;
/** Messages of the program begin with its name too. */
const SENTENCE = /^(?:is|has|runs) /;

function strangersIn(code: string): string[] {
  const { slash, rest = "" } = CALL.exec(code)?.groups ?? {};
  if (slash === undefined && (rest === "" || SENTENCE.test(rest))) return [];
  const words = [...(slash === undefined ? [] : [slash]), ...rest.trim().split(/\s+/)].filter(
    Boolean,
  );
  const [first = ""] = words;
  // The dispatcher's own, which is not in the list of commands.
  if (first.startsWith("-") || first === "help") return [];
  const command =
    commands.find(({ name }) => name === words.slice(0, 2).join(" ")) ??
    commands.find(({ name }) => name === first);
  // Slash commands are not all commands of the program: those are looked at above.
  if (command === undefined) return slash === undefined ? [code] : [];
  const known = Object.keys({ ...GLOBAL_OPTIONS, ...command.options });
  return words
    .filter((word) => word.startsWith("--"))
    .filter((word) => !known.includes(word.slice(2).replace(/=.*$/, "")))
    .map((word) => `${word} in ${code}`);
}

describe("README.md", () => {
  const blocks = [...read("README.md").matchAll(FENCE)].map(([, , code = ""]) => code);

  it("clones the repository that package.json names, then installs from the clone", () => {
    const { homepage, repository } = JSON.parse(read("package.json")) as {
      homepage: string;
      repository: { url: string };
    };
    expect(repository.url).toBe(`git+${homepage}.git`);
    const [install = ""] = blocks;
    expect(install.split("\n").slice(0, 2)).toEqual([
      `git clone ${homepage}`,
      `claude plugin marketplace add ./${homepage.split("/").at(-1)}`,
    ]);
  });

  it("has nothing in its commands that cannot be typed", () => {
    const typed = blocks.filter((code) => !code.startsWith("flowchart"));
    expect(typed.filter((code) => /<[a-z]|…/.test(code))).toEqual([]);
  });
});

describe("docs/state.md", () => {
  const rows = (from: string): string[] => {
    const section = read("docs/state.md").split(from)[1] ?? "";
    return /(?:^\|.*\n)+/m.exec(section)?.[0].trimEnd().split("\n").slice(2) ?? [];
  };

  it.each([
    ["## Settings\n", SETTINGS_HELP],
    ["## Settings of run\n", RUN_SETTINGS_HELP],
  ])("%j has every setting, with its default", (heading, settings) => {
    const wanted = settings.map(
      ({ name, byDefault, help }) => `| \`${name}\` | ${byDefault} | ${help} |`,
    );
    expect(rows(heading)).toEqual(wanted);
  });

  it("says for every setting what counts in a project", () => {
    const cells = rows("### What counts in a project\n").map((row) => row.split("|")[1]);
    const named = cells.flatMap((cell = "") =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
    const wanted = SETTINGS_HELP.map(({ name }) => name.replace(/^weight_.*/, "weight_"));
    expect(named.toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  const described = (schema: object): string[] =>
    Object.entries((schema as Schema).properties).map(
      ([name, { description }]) => `| \`${name}\` | ${description} |`,
    );

  it("has every field of the state", () => {
    expect(rows("## State\n")).toEqual(described(stateSchema()));
  });

  it("has every field of a journal line", () => {
    const schema = journalSchema() as Schema;
    expect(rows("## Journal\n")).toEqual(expect.arrayContaining(described(schema)));
    expect(rows("Events:")).toEqual(described(schema.properties["loop"] as object));
  });
});

interface Schema {
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
}

describe("docs/troubleshooting.md", () => {
  const page = read("docs/troubleshooting.md");

  /** The fixed parts of the texts in a file of the source that are long enough to be recognized. */
  const partsOf = (path: string, pattern: RegExp): string[] =>
    [...read(path).matchAll(pattern)]
      .flatMap(([, text, other = ""]) => (text ?? other).split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/))
      .map((part) => part.replace(/^[\s:;,.()"\\`]+|[\s:;,.()"\\`]+$/g, ""))
      .filter((part) => part.split(" ").length > 2);

  it.each([
    ["src/run/user-messages.ts", /`((?:[^`\\]|\\.)*)`/g],
    ["src/run/claim/judge-claim.ts", /`((?:[^`\\]|\\.)*)`/g],
    ["src/run/claim/verification.ts", /is not done: ((?:[^`\\]|\\.)*)`/g],
    ["src/hosts/claude/setup.ts", /(?:ok|info|warning)\(\s*(?:"([^"]*)"|`([^`]*)`)/g],
    ["src/engine/doctor/project.ts", /(?:ok|info|warning|error)\(\s*(?:"([^"]*)"|`([^`]*)`)/g],
  ])("explains every line of %s", (path, pattern) => {
    const parts = partsOf(path, pattern);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter((part) => !page.includes(part))).toEqual([]);
  });
});

it("run.md explains every exit code that run can end with", () => {
  const rows = [...read("docs/run.md").matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  const codes = Object.values(RUN_ENDS).map(({ exit }) => exit);
  expect(rows).toEqual(expect.arrayContaining(codes));
  expect(new Set(codes).size).toBe(codes.length);
});

it("compatibility.md has a column for each client and each node that is tested", () => {
  const heads = [...read("docs/compatibility.md").matchAll(/^\| \|(.*\d)\s*\|$/gm)].map(
    ([, cells = ""]) => cells.split("|").map((cell) => cell.trim()),
  );
  expect(heads).toEqual([[...CLIENTS], [...NODES]]);
});
