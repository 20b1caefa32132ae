import { describe, expect, test } from "vitest";
import { fewOf } from "../support/full.ts";
import { crew, DONE, READY } from "./crew.ts";
import { hookAnswers } from "./hooks.ts";
import { type Layout, specFiles, specum, speckit } from "./place.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";

const COUNTS = {
  taskIndex: 0,
  totalTasks: 0,
  taskIteration: 1,
  maxTaskIterations: 5,
  globalIteration: 1,
  maxGlobalIterations: 100,
  maxFixTasksPerOriginal: 3,
  fixTaskMap: {},
};

interface Older {
  readonly layout: Layout;
  readonly folder: string;
  readonly waits: string;
  /** Fields of the state that we have no use for. */
  readonly kept: object;
  readonly state: object;
  readonly files: Readonly<Record<string, string>>;
}

const SPECUM_KEPT = {
  discoveredSkills: [{ name: "rest", source: "plugin", matchedAt: "start", invoked: true }],
  nativeTaskMap: {},
  nativeSyncEnabled: true,
};

/** As the older plugins left their folders when a document waited for approval. */
const olders: readonly Older[] = [
  {
    layout: specum,
    folder: "specs/rate-limit",
    waits: "design.md",
    kept: SPECUM_KEPT,
    state: {
      source: "spec",
      name: "rate-limit",
      basePath: "./specs/rate-limit",
      phase: "design",
      ...COUNTS,
      commitSpec: true,
      quickMode: false,
      awaitingApproval: true,
      granularity: "fine",
      epicName: "api",
      relatedSpecs: [{ name: "keys", relevance: "medium", reason: "Keys", mayNeedUpdate: false }],
      ...SPECUM_KEPT,
    },
    files: {
      "specs/.current-spec": "rate-limit",
      "specs/.current-epic": "api",
      "specs/_epics/api/epic.md": "# Epic: api\n\n## Specs\n\n### 1. rate-limit\n",
      "specs/_epics/api/.epic-state.json": JSON.stringify({
        name: "api",
        goal: "An API that survives its users",
        specs: [
          { name: "usage-report", status: "pending", dependencies: ["rate-limit"] },
          { name: "rate-limit", status: "in_progress", dependencies: [] },
        ],
        output: "specs",
      }),
      ".claude/ralph-specum.local.md":
        '---\nenabled: true\nspecs_dirs: ["./specs"]\ndefault_max_iterations: 3\nauto_commit_spec: true\nquick_mode_default: false\n---\n\n# Settings\n',
      "specs/rate-limit/research.md":
        "# Research: rate-limit\n\n## Executive Summary\n\nFeasible.\n",
      "specs/rate-limit/requirements.md":
        "# Requirements: Rate limit\n\n## User Stories\n\n### US-1: Limit\n\n**Acceptance Criteria:**\n- [ ] AC-1.1: Ten pass\n- [ ] AC-1.2: The eleventh does not\n\n## Functional Requirements\n\n| ID | Requirement | Priority | Acceptance Criteria |\n|----|----|----|----|\n| FR-1 | Count | High | AC-1.1 |\n\n## Non-Functional Requirements\n\n| ID | Requirement | Metric | Target |\n|----|----|----|----|\n| NFR-1 | Fast | Time | 1 ms |\n",
      "specs/rate-limit/design.md": "# Design: Rate limit\n\n## Overview\n\nA counter.\n",
      "specs/rate-limit/.progress.md":
        "# Progress: rate-limit\n\n## Original Goal\n\nLimit requests by key\n\n## Learnings\n\n- Keys are short\n",
    },
  },
  {
    layout: speckit,
    folder: ".specify/specs/001-rate-limit",
    waits: "plan.md",
    kept: { featureId: "001" },
    state: {
      featureId: "001",
      name: "rate-limit",
      basePath: ".specify/specs/001-rate-limit",
      phase: "plan",
      ...COUNTS,
      awaitingApproval: true,
      recoveryMode: false,
    },
    files: {
      ".specify/.current-feature": "001-rate-limit",
      ".specify/memory/constitution.md": "# Constitution\n",
      ".claude/ralph-speckit.local.md": "---\nenabled: true\n---\n",
      ".specify/specs/001-rate-limit/spec.md":
        "# Feature Specification: Rate limit\n\n## User Scenarios & Testing\n\n### User Story 1 - Limit (Priority: P1)\n\nTen pass.\n\n## Requirements\n\n- **FR-001**: System MUST count\n",
      ".specify/specs/001-rate-limit/plan.md": "# Implementation Plan: Rate limit\n\nA counter.\n",
      ".specify/specs/001-rate-limit/.progress.md":
        "# Progress\n\n## Original Goal\n\nLimit requests by key\n\n## Learnings\n\n- Keys are short\n",
    },
  },
];

describe.each(fewOf(olders))("$layout.id: a spec that an older version began", (older) => {
  const { layout, folder, waits } = older;

  test("is resumed as it is", async () => {
    const place = stagePlace(layout, older.files);
    const spec = specFiles(place, folder);
    spec.writeState(JSON.stringify(older.state));
    const { script, started } = crew(place);
    // One command that only reports; tasks.md, a task; and in the epic the research of the next spec.
    const model = await stageModel(script, { main: 1 + 4 + 3 + 4, sub: 2 + 2 + 2 });
    const client = await stageClient(place, model, {});

    await client.say(place.slash("start"), /^Noted\.$/);
    expect(hookAnswers(client.events, "SessionStart").at(-1)?.systemMessage).toContain(
      "has a run that was not started on this machine, so it is not continued",
    );
    expect(model.asks[0]?.text).toContain(`${waits} waits for the user's approval`);
    expect(spec.state()).toEqual(older.state);

    await client.say(place.slash("tasks"), READY);
    expect(model.asks.find(({ text }) => text.includes("phase tasks of"))?.text).toContain(
      "Goal: Limit requests by key",
    );
    expect(spec.state()).toMatchObject({ ...older.kept, phase: "tasks", awaitingApproval: true });

    await client.say(place.slash("implement"), DONE);
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    expect(spec.progress()).toContain("- Keys are short");
    expect(place.program("trace", "--check")).toContain("no problems");
    if (layout.id === "specum") {
      await client.say(place.slash("start"), READY);
      expect(specFiles(place, "specs/usage-report").state()).toMatchObject({
        phase: "research",
        epicName: "api",
      });
      expect(place.program("epic", "status")).toContain("1 of 2 specs done");
    }
    expect(started).toHaveLength(layout.id === "specum" ? 3 : 2);
    await client.end();
  });
});
