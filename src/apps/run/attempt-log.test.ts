import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeRunLog } from "../../../test/support/run-log.ts";
import { appendEvent, createRun, openTranscript, runsFolder } from "../../runner/run-files.ts";
import type { Context, Input } from "../cli/command.ts";
import { showAttempt } from "./attempt-log.ts";

const RUN = "2026-11-16-0200-ab12";
let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "project-"));
  const runs = runsFolder() as string;
  mkdirSync(runs, { recursive: true });
  const run = createRun(runs, {
    run: RUN,
    project: cwd,
    specs: ["user-export"],
    tree: cwd,
    branch: null,
    session: "run-1",
    agents: ["claude"],
    began: "2026-11-16T01:00:00Z",
  });
  for (const event of makeRunLog().events) appendEvent(run, event);
  const say = (task: string, attempt: number, agent: string, text: string): void =>
    openTranscript(run, { spec: "user-export", task, attempt, agent })(
      JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } }),
    );
  say("1.2", 1, "claude", "first try");
  say("1.2", 2, "claude", "second try\nwith two lines");
  say("3.2", 1, "claude", "the last one");
});

const show = (args: readonly string[], options: Input["options"] = {}) =>
  showAttempt({ cwd } as Context, { args, options: { run: true, ...options } });

it("shows the transcript of the last attempt, or of the one that is named", () => {
  expect(show([]).text).toBe("the last one");
  expect(show([RUN], { task: "1.2" }).text).toBe("second try\nwith two lines");
  expect(show(["user-export"], { task: "1.2", attempt: "1" }).text).toBe("first try");
  expect(show([], { task: "1.2", lines: "1" }).text).toBe("with two lines");
  expect(show([], { task: "1.2" }).aside).toBe(`1.2 attempt 2, claude, run ${RUN}`);
});

it("shows the lines as the agent printed them with --raw", () => {
  expect(show([], { task: "1.2", attempt: "1", raw: true })).toMatchObject({
    text: '{"type":"assistant","message":{"content":[{"type":"text","text":"first try"}]}}',
    verbatim: true,
  });
});

it("says so if the transcript is empty or there is no such attempt", () => {
  expect(show([], { task: "1.1" }).text).toBe(
    `nothing was recorded for 1.1 attempt 1, claude, run ${RUN}`,
  );
  expect(() => show([], { task: "9.9" })).toThrow(/has no such attempt/);
});
