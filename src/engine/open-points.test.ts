import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { localRunner } from "../exec/local-runner.ts";
import { openProject } from "../store/project.ts";
import { readNow } from "./now.ts";
import { noteOpenPoints } from "./open-points.ts";
import type { Request } from "./request.ts";
import { readOpenPoints } from "./spec-facts.ts";
import { startSpec } from "./start-spec.ts";

afterEach(() => vi.unstubAllEnvs());

function begin() {
  const cwd = makeFolder();
  vi.stubEnv("XDG_STATE_HOME", makeFolder());
  const request: Request = {
    caller: { session: "s", authority: "user" },
    layout: specum,
    editions: [specum],
    cwd,
    starts: [cwd],
    env: {},
    now: readNow,
    verifier: localRunner,
    signal: () => new AbortController().signal,
    program: "ralph-specum",
  };
  const { spec } = startSpec(request, openProject(specum, cwd), {
    name: "demo",
    goal: "Count requests",
    exact: true,
    folder: undefined,
    given: undefined,
    options: { fields: {}, intent: undefined },
    branch: undefined,
    skipFirstPhase: false,
  });
  const agent: Request = { ...request, caller: { session: "s", authority: "agent" } };
  return { spec, agent, read: (): string => readFileSync(spec.progress, "utf8") };
}

it("notes what an agent leaves open, once", () => {
  const { spec, agent, read } = begin();
  const report = "Found it.\n- OPEN: per key?\n- CONFLICT: FR-1 and FR-2\n";
  expect(noteOpenPoints(agent, spec, { name: "research" }, report)).toHaveLength(2);
  const once = read();
  expect(once).toContain(
    "## Open Questions\n\n- research: OPEN: per key?\n- research: CONFLICT: FR-1 and FR-2\n",
  );
  noteOpenPoints(agent, spec, { name: "research" }, report);
  expect(read()).toBe(once);
  expect(readOpenPoints(spec)).toEqual([
    { phase: "research", kind: "open", text: "per key?" },
    { phase: "research", kind: "conflict", text: "FR-1 and FR-2" },
  ]);
});

it("leaves the notes alone if nothing is open, and for another session", () => {
  const { spec, agent, read } = begin();
  const before = read();
  expect(noteOpenPoints(agent, spec, { name: "research" }, "All settled.")).toEqual([]);
  const other: Request = { ...agent, caller: { session: "t", authority: "agent" } };
  expect(() => noteOpenPoints(other, spec, { name: "research" }, "OPEN: a")).toThrow(
    "belongs to another session",
  );
  expect(read()).toBe(before);
});
