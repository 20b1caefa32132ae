import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import type { Ask } from "./ask.ts";
import { crew, DONE, READY } from "./crew.ts";
import { BESIDE, SPEC_KIT, without } from "./documents.ts";
import { blocks } from "./hooks.ts";
import { type Layout, type Place, specFiles, specum, speckit } from "./place.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";
import { bash } from "./wire.ts";

const GOAL = "Add a greeting to the program";

interface Site {
  readonly what: string;
  readonly layout: Layout;
  readonly files: Readonly<Record<string, string>>;
  /** What the user types first. */
  readonly first: string;
  readonly folder: string;
}

const sites: readonly Site[] = [
  {
    what: "specum: from an empty project",
    layout: specum,
    files: {},
    first: `start "${GOAL}"`,
    folder: "specs/add-greeting-program",
  },
  {
    what: "speckit: on what specify init leaves",
    layout: speckit,
    files: SPEC_KIT,
    first: `specify ${GOAL}`,
    folder: "specs/001-add-greeting-program",
  },
  {
    what: "speckit: features in .specify/specs",
    layout: speckit,
    files: { ".specify/specs/006-older/spec.md": "# Older\n" },
    first: `start "${GOAL}"`,
    folder: ".specify/specs/007-add-greeting-program",
  },
];

/** Commits since the first one: message and files. */
const commitsOf = ({ git }: Place): { message: string; files: string[] }[] =>
  git("log", "--reverse", "--format=%x00%s", "--name-only")
    .split("\0")
    .slice(2)
    .map((entry) => {
      const [message = "", ...files] = entry.trim().split("\n").filter(Boolean);
      return { message, files };
    });

/** What a slash command put into the conversation. */
const promptsOf = (asks: readonly Ask[]): string[] =>
  asks.flatMap(({ asker, text }) =>
    asker === "main" && text.includes("<command-name>") ? [text] : [],
  );

/** The longest prompt that a command may cost, in characters: about 800 tokens. */
const MAX_PROMPT = 800 * 4;

describe.each(isFull ? sites : sites.slice(0, 2))("$what", ({ layout, files, first, folder }) => {
  test("from a goal to the last task, with the user's approval of each document", async () => {
    const place = stagePlace(layout, { ...files, "README.md": "# Program\n" });
    const spec = specFiles(place, folder);
    place.write("README.md", "# Program, being changed\n");
    place.write("staged.txt", "not ours\n");
    place.git("add", "staged.txt");
    const [, second] = layout.documents;
    const [, next] = layout.phases;
    const { script, started, replies } = crew(place, {
      tasks: 2,
      prints: true,
      question: "Who is greeted?",
      eager: {
        [layout.documents[0]]: `${layout.plugin} ${next}`,
        "tasks.md": `${layout.plugin} implement`,
      },
      // The second document comes without one of its sections at first.
      draft: (text, { document, round }) =>
        document === second && round === 1 ? without(text, "(?:Goal|Summary)") : text,
      instead(ask, role) {
        if (role.kind !== "lead" || !ask.text.includes(":clarify</command-name>")) return undefined;
        const file = place.path(`${folder}/spec.md`);
        const text = "\n## Clarifications\n\n- Q: Who is greeted? → A: Everybody\n";
        return { call: [bash(`printf '%s' '${text}' >> '${file}'; ralph-speckit check spec.md`)] };
      },
    });
    const writers = layout.documents.length + 1;
    const model = await stageModel(script, {
      // A document: one call, and words for the user. A task: one call; and the end. One question, two tries, clarify.
      main: 2 * layout.documents.length + 2 + 1 + 1 + 2 + (layout.id === "speckit" ? 2 : 0),
      sub: 3 * writers + 2 * 2,
    });
    const client = await stageClient(place, model, { answer: () => "Everybody" });

    for (const [index, phase] of layout.phases.entries()) {
      const typed = phase === "tasks" ? "tasks list's parts stay small" : phase;
      await client.say(place.slash(index === 0 ? first : typed), READY);
      expect(spec.state()).toMatchObject({ phase, awaitingApproval: true, quickMode: false });
      expect(place.git("status", "--porcelain", "--", folder)).toBe("");
      if (phase === "specify") await client.say(place.slash("clarify"), /^Waiting\.$/);
    }
    // No stop was held up so far, and the agent that wanted to continue on its own was refused.
    expect(blocks(client.events)).toEqual([]);
    expect(replies).toEqual([
      expect.stringContaining("Everybody"),
      expect.stringContaining(`only the user can run ${next}`),
      expect.stringContaining("only the user can run implement"),
    ]);

    await client.say(place.slash("implement"), DONE);
    await client.end();
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    expect(blocks(client.events)).toEqual([]);
    expect(place.program("trace", "--check")).toContain("no problems");
    expect(started).toEqual(
      layout.id === "specum"
        ? [
            "research-analyst research.md",
            "product-manager requirements.md",
            "architect-reviewer design.md",
            "task-planner tasks.md",
            "spec-executor 1.1",
            "spec-executor 1.2",
          ]
        : [
            "product-manager spec.md",
            "architect-reviewer plan.md",
            "task-planner tasks.md",
            "spec-executor T001",
            "spec-executor T002",
          ],
    );
    const added = `From the user, by .progress.md (this phase): "list's parts stay small"`;
    expect(promptsOf(model.asks).filter((prompt) => prompt.includes(added))).toHaveLength(1);
    for (const prompt of promptsOf(model.asks)) expect(prompt.length).toBeLessThan(MAX_PROMPT);

    // Each document in its own commit, as it was approved, and nothing else.
    const name = folder.split("/").at(-1);
    const ours = commitsOf(place).filter(({ message }) => message.startsWith("docs"));
    expect(ours.at(-1)).toEqual({
      message: `docs(${name}): all tasks done`,
      files: [".progress.md", "receipt.json", "tasks.md"].map((file) => `${folder}/${file}`),
    });
    const documents = ours.slice(0, -1);
    const titles = layout.documents.map((document) => document.replace(".md", ""));
    expect(documents.map(({ message }) => message)).toEqual(
      titles.flatMap((title) => {
        const message = `docs(${name}): ${title}`;
        return title === "spec" ? [message, message] : [message];
      }),
    );
    for (const commit of documents) {
      const title = commit.message.split(" ")[1] as string;
      const own = [`${title}.md`, ".progress.md", ...(BESIDE[title] ?? [])].map(
        (file) => `${folder}/${file}`,
      );
      expect(commit.files.filter((file) => !own.includes(file))).toEqual([]);
      expect(commit.files).toContain(own[0]);
    }
    expect(place.git("status", "--porcelain")).toMatch(/^ M README\.md$[^]*^A  staged\.txt$/m);
  });
});
