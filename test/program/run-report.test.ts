import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  appendEvent,
  createRun,
  openTranscript,
  type RunFolder,
  updateRun,
} from "../../src/runner/run-files.ts";
import { specum } from "../support/editions.ts";
import { makeRunLog } from "../support/run-log.ts";
import { vaultOf } from "../support/ticket.ts";
import { type Ran, runChild } from "./child.ts";
import { PROGRAM } from "./run/night.ts";
import { makePlace, type Place } from "./support.ts";

const RUN = "2026-11-16-0200-ab12";

/** A project with a recorded run of its spec. */
function stageRun(): { place: Place; run: RunFolder } {
  const progress = "# Progress\n\n## Interview\n\n- Assumed: semicolons, as in the old export\n";
  const place = makePlace(specum, { "specs/demo/.progress.md": progress });
  const run = createRun(join(vaultOf(place.env["HOME"] as string), "runs"), {
    run: RUN,
    project: place.root,
    specs: ["demo"],
    tree: place.root,
    branch: "smart-ralph/demo",
    session: "run-1",
    agents: ["claude", "codex"],
    began: "2026-11-16T01:00:00Z",
  });
  for (const event of makeRunLog({ spec: "demo", tree: place.root }).events)
    appendEvent(run, event);
  return { place, run: updateRun(run, { ended: "2026-11-16T02:00:00Z", status: "budget" }) };
}

describe("a spec that was run", () => {
  it("has the report in its summary, with what was assumed", () => {
    const { place } = stageRun();
    const { out } = place.run(["summary"]);
    expect(out).toContain(`demo  budget used up  ${RUN}\n`);
    expect(out).toContain("Assumed for you: semicolons, as in the old export\n");
    expect(place.json(["summary"])["run"]).toMatchObject({
      status: "budget",
      counts: { done: 7 },
      assumptions: ["semicolons, as in the old export"],
    });
  });

  it("has its events, from any number", () => {
    const { place } = stageRun();
    const run = (...args: readonly string[]): Ran =>
      runChild(process.execPath, [PROGRAM, ...args], { cwd: place.root, env: place.env });
    const log = makeRunLog({ spec: "demo", tree: place.root }).events;
    const rest = log.slice(-3);
    const from = ["--from", String(rest[0]?.seq)];
    const lines = (verb: string, ...more: readonly string[]): string[] =>
      run(verb, ...from, ...more)
        .out.trimEnd()
        .split("\n");
    expect(lines("watch", "--json").map((line): unknown => JSON.parse(line))).toEqual(rest);
    expect(JSON.parse(run("replay", "--json", ...from).out)).toMatchObject({ events: rest });
    expect([lines("watch").length, lines("replay").length]).toEqual([3, 3]);
    expect(run("watch", "--json", "--from", String(log.length + 1))).toMatchObject({ out: "" });
    expect(run("watch", "--from", "0").err).toMatch(/--from takes a whole number from 1/);
  });

  it("has the agents' logs", () => {
    const { place, run } = stageRun();
    const name = { spec: "demo", task: "1.2", attempt: 2, agent: "claude" };
    openTranscript(run, name)('{"type":"later","message":"\\u001b[2Jhello"}');
    expect(place.run(["logs", "--run", "--task", "1.2"]).out).toBe("· later: [2Jhello\n");
    expect(place.json(["logs", "demo", "--run", "--task", "1.2"])).toMatchObject({
      run: RUN,
      attempt: 2,
      lines: ["· later: [2Jhello"],
    });
    expect(place.run(["logs", "--task", "1.2"]).err).toMatch(
      /--task is about the agents of a run; add --run/,
    );
  });
});

it("a spec that was never run has no report and no logs", () => {
  const place = makePlace(specum);
  expect(place.json(["summary"])).not.toHaveProperty("run");
  expect(place.run(["logs", "--run"]).err).toMatch(
    /no run is recorded on this machine; start one: smart-ralph run "what you want to build"/,
  );
});
