import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import { crew, DONE } from "./crew.ts";
import { without } from "./documents.ts";
import { blocks, hookAnswers, linesIn } from "./hooks.ts";
import { fewLayouts, specFiles } from "./place.ts";
import { perform, stageClient, stageModel, stagePlace } from "./stage.ts";
import { sentBackIn } from "./team.ts";

const START = 'start "Add a greeting to the program" --quick';

describe.each(fewLayouts)("$id: quick mode", (layout) => {
  const [first, second] = layout.documents;
  const name = `${layout.id === "speckit" ? "001-" : ""}add-greeting-program`;
  const folder = `${layout.specs}/${name}`;

  test("from one sentence to the end, unattended; what fails its check is fixed", async () => {
    const place = stagePlace(layout);
    const spec = specFiles(place, folder);
    const { script, started, replies } = crew(place, {
      question: "Who is greeted?",
      draft(text, { document, round }) {
        if (round > 1) return text;
        if (document === second) return without(text, "(?:Goal|Summary)");
        // Tasks that serve no requirement.
        return document === "tasks.md" ? text.replace(/ \[US1\]|^ *- _Req.*\n/gm, "") : text;
      },
    });
    const writers = layout.documents.length;
    // The question, one call for each document, the task and the review, and the end. Two writers are sent back.
    const model = await stageModel(script, {
      main: 1 + writers + 1 + 1 + 1,
      sub: 2 * (writers + 2 + 1) + 1,
    });
    const asked: string[] = [];
    const client = await stageClient(place, model, {
      answer(question) {
        asked.push(question);
        return "Everybody";
      },
    });
    await client.say(place.slash(START), DONE);
    await client.end();

    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    expect(place.program("trace", "--check")).toContain("no problems");
    expect(started.map((one) => one.split(" ")[1])).toEqual([
      ...layout.documents,
      layout.taskId(0),
      "all",
    ]);

    // The question never reached the user: the hook answered it.
    expect(asked).toEqual([]);
    expect(replies).toEqual([expect.stringContaining("nobody is there to answer")]);
    expect(hookAnswers(client.events, "PreToolUse")[0]?.stdout).toContain('"deny"');

    expect(sentBackIn(client.events)).toEqual([
      expect.stringMatching(/The section "(?:Goal|Summary)" is missing/),
      expect.stringContaining("has no task."),
    ]);
    expect(blocks(client.events)).toEqual([]);
    expect(spec.progress()).toContain("\nLast review: no findings.\n");
    // Its own branch, and how to merge it.
    const branch = place.git("branch", "--show-current").trim();
    expect(branch).toBe(layout.id === "speckit" ? name : `feat/${name}`);
    expect(spec.progress()).toContain(`&& git merge ${branch}`);
    const commits = place.git("log", "--reverse", "--format=%s").trim().split("\n");
    expect(commits).toEqual([
      "start",
      ...layout.documents.map((document) => `docs(${name}): ${document.replace(".md", "")}`),
      expect.stringMatching(/^feat: part/),
      `docs(${name}): all tasks done`,
    ]);
  });

  // The rounds are counted without a client too: test/program/quick.test.ts.
  test.runIf(isFull)(
    "a document that never gets right is given up after three rounds",
    async () => {
      const place = stagePlace(layout);
      const { script, started } = crew(place, {
        draft: (text) => without(text, "(?:Risks|Requirements)"),
      });
      // Four agents, each sent back twice, and the end.
      const model = await stageModel(script, { main: 4 + 1, sub: 4 * 3 * 2 });
      const run = await perform(place, model, place.slash(START));
      expect(started).toHaveLength(4);
      expect(sentBackIn(run.events)).toHaveLength(4 * 2);
      expect(hookAnswers(run.events, "Stop").map(({ stdout }) => stdout)).toEqual([""]);
      expect(linesIn(run.events).at(-1)).toMatch(
        new RegExp(`${first} failed its check again: .* is missing.*/${layout.plugin}:resume$`),
      );
      expect(specFiles(place, folder).state()).toMatchObject({
        phase: layout.phases[0],
        quickMode: true,
      });
    },
  );

  test("a small goal: one planning document and its tasks", async () => {
    const place = stagePlace(layout);
    const small = `${layout.id === "speckit" ? "001-" : ""}add-json-flag-list`;
    const spec = specFiles(place, `${layout.specs}/${small}`);
    const { script, started } = crew(place, {
      draft: (text, { document }) =>
        layout.id === "specum" && document === "tasks.md"
          ? text.replace(/_Requirements: .*_/g, "_Requirements: AC-1, AC-2_")
          : text,
    });
    const model = await stageModel(script, { main: 2 + 1 + 1 + 1, sub: 2 * 3 + 1 });
    const client = await stageClient(place, model, {});
    await client.say(place.slash('start "Add a --json flag to the list command" --quick'), DONE);
    await client.end();
    const planned = layout.id === "specum" ? "requirements.md" : "spec.md";
    expect(started).toEqual([
      `architect-reviewer ${planned}`,
      "task-planner tasks.md",
      `spec-executor ${layout.taskId(0)}`,
      "spec-reviewer all",
    ]);
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    expect(place.program("trace", "--check")).toContain("no problems");
  });
});
