import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { pluginFiles } from "../../src/hosts/claude/package.ts";
import { dialectOf } from "../../src/prompts/dialect.ts";
import { documentsOf } from "../../src/prompts/documents.ts";
import { parseFields } from "../../src/tasks/fields.ts";
import { lintTasks } from "../../src/tasks/lint/lint.ts";
import type { Task } from "../../src/tasks/model.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { fill, type Values } from "../../src/text/template.ts";
import { everyLayout as layouts } from "../support/editions.ts";

const commands = await loadCommands();

const AGENTS = "src/prompts/agents";
const TEMPLATES = "src/prompts/templates";

const MAX_TOKENS = 1500;
/** A description is in the context of every session that has the plugin. */
const MAX_DESCRIPTION_WORDS = 25;
const MAX_TEMPLATE_LINES = 90;
/** So many words in a row in two agents are one rule in two places. */
const SAME_WORDS = 8;

const readAll = (folder: string): [string, string][] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);

const agents = [AGENTS, ...layouts.map(({ id }) => join(AGENTS, id))]
  .filter((folder) => existsSync(folder))
  .flatMap(readAll);
const templates = readAll(TEMPLATES);

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const frontMatter = (text: string): string => /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
const field = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.+)$`, "m").exec(frontMatter(text))?.[1];

describe.each(agents)("agent %s", (file, text) => {
  it("has a name and a short description", () => {
    expect(`${field(text, "name")}.md`).toBe(file);
    const words = field(text, "description")?.split(/\s+/) ?? [];
    expect(words.length).toBeGreaterThan(5);
    expect(words.length).toBeLessThanOrEqual(MAX_DESCRIPTION_WORDS);
  });

  it("says what it gets, what it returns and what it must not do", () => {
    expect(text).toMatch(/\bYou get\b|\bYour prompt holds\b/);
    expect(text).toMatch(/^Your last message\b/m);
    expect(text).toMatch(/\b[Nn]ever\b/);
  });

  it("has one example, at the end", () => {
    expect(text.match(/^Example\b.*:$/gm)).toHaveLength(1);
    expect(text).toMatch(/^Example\b.*:\n(?:>.*\n)+$/m);
  });

  it("is no longer than it has to be", () => {
    expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS);
  });

  it("names commands and flags that exist", () => {
    expect(unknownCalls(text)).toEqual([]);
  });
});

it("an agent that writes a document names the template and the check", () => {
  for (const layout of layouts) {
    const files = new Map(pluginFiles(layout).map(({ path, text }) => [path, text]));
    for (const { agent, document } of [...layout.phases, ...layout.shortPhases]) {
      const text = files.get(`plugins/${layout.plugin}/agents/${agent}.md`);
      // One that writes two documents is told which by its orders.
      for (const verb of ["template", "check"])
        expect(
          [document, "<file>"].map((file) => `\`${layout.plugin} ${verb} ${file}\``),
        ).toSatisfy(
          (forms: readonly string[]) => forms.some((form) => text?.includes(form)),
          `${agent} ${verb}`,
        );
      // The client tells sub-agents to write no reports; and what they leave open is read from their last message.
      expect(text, agent).toMatch(/\bdeliver/);
      expect(text, agent).toMatch(/^- `OPEN: …`/m);
    }
  }
});

const ALL_FIELDS = ["do", "files", "done when", "verify", "commit", "requirements"];

const TASK_FIELDS = {
  specum: ALL_FIELDS,
  openspec: ALL_FIELDS,
  // Spec Kit says what to do in the title.
  speckit: ["verify", "files", "commit", "requirements"],
};

it.each(layouts)("$plugin: the planner's example is a task as it should be", (layout) => {
  const planner = pluginFiles(layout).find(({ path }) => path.endsWith("agents/task-planner.md"));
  const example = planner?.text.split("Example:\n")[1] ?? "";
  const list = parseTasks(example.replaceAll(/^> /gm, ""));
  const [task] = list.tasks as [Task];
  expect(list.tasks).toHaveLength(1);
  expect([...parseFields(list, task).keys()]).toEqual(TASK_FIELDS[layout.id]);
  expect(task.id.startsWith("T")).toBe(layout.firstTask.startsWith("T"));
  expect(lintTasks(list).filter(({ severity }) => severity !== "info")).toEqual([]);
});

it("the planner checks its order, and lets it be rewritten only if a task would move", () => {
  const planner = new Map(agents).get("task-planner.md") ?? "";
  expect(planner).toContain("tasks prioritize --check`");
  expect(planner).not.toContain("tasks prioritize --write");
});

it("the reviewer has nothing to write with", () => {
  const reviewer = new Map(agents).get("spec-reviewer.md") ?? "";
  // An allow list would be clearer, but newer clients search through Bash and have no Grep to allow.
  expect(field(reviewer, "disallowedTools")?.split(", ")).toEqual(
    expect.arrayContaining(["Write", "Edit", "NotebookEdit", "{{notForAgents}}"]),
  );
});

it("no rule is in two agents", () => {
  const owners = new Map<string, string>();
  const doubled: string[] = [];
  for (const [file, text] of agents) {
    for (const run of new Set(runsOfWords(text))) {
      const owner = owners.get(run);
      if (owner === undefined) owners.set(run, file);
      else doubled.push(`${owner} and ${file}: ${run}`);
    }
  }
  expect(doubled).toEqual([]);
});

describe.each(templates)("template %s", (file, text) => {
  it("is filled by name, goal and date", () => {
    const values = {
      name: "limit",
      title: "Limit",
      path: "specs/limit",
      goal: "limit requests",
      date: "2026-01-02",
    };
    const more: Readonly<Record<string, Values>> = {
      "progress.md": { intent: "trivial", related: "none" },
      "tasks.md": { intent: "trivial", granularity: "fine", plan: "1 Do it", design: "design.md" },
      "speckit-tasks.md": { input: "spec.md" },
      "openspec-tasks.md": { intent: "trivial", granularity: "fine", plan: "1 Do it" },
    };
    expect(() => fill(text, { ...values, ...more[file] })).not.toThrow();
  });

  it("is short and has sections", () => {
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(MAX_TEMPLATE_LINES);
    expect(text).toMatch(/^## \S/m);
  });

  // One word in brackets could as well be a tag of HTML or a type, and would be no proof of a gap.
  it("marks what to replace with several words on one line", () => {
    const withoutComments = text.replace(/<!--[\s\S]*?-->/g, "");
    expect(withoutComments.replace(/<[^<>\n]+ [^<>\n]+>/g, "")).not.toMatch(/[<>]/);
  });

  it("names no section twice", () => {
    const headings = text.match(/^## .+$/gm) ?? [];
    expect(new Set(headings).size).toBe(headings.length);
  });
});

it.each(["tasks.md", "speckit-tasks.md", "openspec-tasks.md"])(
  "%s is itself a list of tasks",
  (file) => {
    const list = parseTasks(new Map(templates).get(file) ?? "");
    expect(list.tasks.length).toBeGreaterThan(2);
    expect(list.tasks.filter(({ tags }) => tags.includes("VERIFY")).length).toBeGreaterThan(1);
    expect(lintTasks(list).filter(({ severity }) => severity === "error")).toEqual([]);
  },
);

it("the dialects have the same words, and agents speak only their own", () => {
  const [one, ...others] = layouts.map(({ id }) => Object.keys(dialectOf(id)));
  for (const other of others) expect(other).toEqual(one);
  const foreign = {
    specum: /\bT0\d\d\b|\[US\d\]|\bFR-00\d/,
    speckit: /\b\d\.\d\b(?!\.\d)|\bAC-\d/,
    openspec: /\bT0\d\d\b|\[US\d\]|\bFR-\d|\bAC-\d/,
  };
  for (const layout of layouts) {
    const texts = pluginFiles(layout).filter(({ path }) => path.includes("/agents/"));
    for (const { path, text } of texts) expect(text.match(foreign[layout.id]), path).toBeNull();
  }
});

it("every phase has its agent and its template", () => {
  for (const layout of layouts)
    for (const { agent, document } of [...layout.phases, ...layout.shortPhases]) {
      expect(agents.map(([file]) => file)).toContain(`${agent}.md`);
      expect(documentsOf(layout)).toContain(document);
    }
});

/** What an agent is told to call but does not exist: commands, and their flags. */
function unknownCalls(text: string): string[] {
  const unknown: string[] = [];
  for (const [, call = ""] of text.matchAll(/\{\{plugin\}\} ([a-z][^`\n]*)/g)) {
    const isCalled = (name: string): boolean => `${call} `.startsWith(`${name} `);
    // `tasks lint` is called by two words, `tasks` by one.
    const command = commands.findLast(({ name }) => isCalled(name));
    if (command === undefined) {
      // "the {{plugin}} coordinator" is not a call.
      if (isInCode(text, call)) unknown.push(call);
      continue;
    }
    for (const [, flag = ""] of call.matchAll(/ --([a-z-]+)/g)) {
      if (command.options?.[flag] === undefined) unknown.push(`${command.name} --${flag}`);
    }
  }
  return unknown;
}

const isInCode = (text: string, call: string): boolean => text.includes(`\`{{plugin}} ${call}\``);

/** Every run of words within a sentence; code is not a rule. */
function runsOfWords(text: string): string[] {
  return text
    .replace(/`[^`\n]*`/g, "")
    .split(/[.:;?!](?=\s)|\n/)
    .flatMap((sentence) => {
      const words = sentence.toLowerCase().match(/[\w{}'-]+/g) ?? [];
      return words
        .slice(SAME_WORDS - 1)
        .map((_, start) => words.slice(start, start + SAME_WORDS).join(" "));
    });
}
