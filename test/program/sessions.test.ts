import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  type Place,
  SESSION,
  startPlace,
} from "./support.ts";

const layout = specum;

const other = { session_id: "session-2" };

describe("a run", () => {
  it("continues in the session that started it, and in no other", () => {
    const place = startPlace(layout);
    expect(place.stop(other)).toEqual({});
    expect(place.stop({ session_id: undefined })).toEqual({});
    expect(place.stop()).toMatchObject({ decision: "block" });
    expect(place.entries().map(({ event }) => event)).toEqual(["start", "continue"]);
  });

  it("that was started in a terminal is bound by the first stop", () => {
    const place = makePlace(layout);
    expect(place.json(["implement"])).toMatchObject({ ok: true, session: null });
    expect(place.state()).not.toHaveProperty("sessionId");
    expect(place.stop(other)).toMatchObject({ decision: "block" });
    expect(place.state()).toMatchObject({ sessionId: "session-2" });
    expect(place.stop()).toEqual({});
  });

  it.each(["implement", "resume"])("is taken over by %s in another session", (verb) => {
    const place = startPlace(layout);
    place.stop();
    const { out } = place.slash([verb], "session-2");
    expect(out).toMatch(
      /(?:^|\n)This run was bound to another session; it now belongs to this one/,
    );
    expect(place.stop()).toEqual({});
    expect(place.stop(other)).toMatchObject({ decision: "block" });
    expect(place.slash([verb], "session-2").out).not.toMatch(/another session/);
  });

  it("is paused, and says so, when another spec is started", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/other/tasks.md`]: "- [ ] 1.1 x\n",
    });
    expect(place.slash(["implement", "other"]).out).toContain('The run of "demo" is paused');
    expect(place.state()).toMatchObject({ paused: true });
    expect(place.stop().reason).toContain("other (Task 1/1");
    place.slash(["resume", "demo"]);
    expect(place.stop().reason).toContain("demo (Task 1/3");
  });

  it("learns its session from the command line, if the client says it nowhere else", () => {
    const place = makePlace(layout);
    const older = { env: { CLAUDE_CODE_SESSION_ID: "" } };
    expect(place.slashJson(["implement"], "from-text", older)).toMatchObject({
      session: "from-text",
    });
    expect(place.stop({ session_id: "from-text" })).toMatchObject({ decision: "block" });
  });

  it("is not begun by a command line that nobody typed, whatever session it names", () => {
    const place = makePlace(layout);
    for (const session of [SESSION, "session-2", ""]) {
      const ran = place.run(["implement", "--typed", session], IN_SESSION);
      expectRefusal(ran, EXIT.refused, /only the user can run implement, and they have not typed/);
    }
    expect(place.state()).toBeUndefined();
  });

  it("is noted as over when its session ends, with the error that ended it", () => {
    const place = startPlace(layout);
    const ended = { code: 0, out: "", err: "" };
    expect(place.hook("session-end", other)).toEqual(ended);
    expect(place.json(["status"])).toMatchObject({ standing: "running" });
    expect(place.hook("session-end")).toEqual(ended);
    expect(place.json(["status"])).toMatchObject({
      standing: "stopped",
      why: "the session ended during the run",
    });
    place.slash(["resume"]);
    const transcript = join(place.root, "transcript.jsonl");
    const failed = {
      type: "assistant",
      isApiErrorMessage: true,
      message: { content: "API Error: 529" },
    };
    writeFileSync(transcript, JSON.stringify(failed));
    expect(place.hook("session-end", { transcript_path: transcript })).toEqual(ended);
    expect(place.json(["status"])).toMatchObject({ standing: "stopped", why: "API Error: 529" });
  });

  it("is found by commands where the hook finds it: from the session's own folder", () => {
    const place = startPlace(layout, {
      "vendor/lib/.git/HEAD": "",
      "vendor/lib/specs/x/tasks.md": "- [ ] 1.1 x\n",
    });
    const cwd = join(place.root, "vendor/lib");
    const env = { CLAUDE_PROJECT_DIR: place.root };
    expect(place.json(["done", "1.1", "--report", "TASK_COMPLETE"], { cwd, env })).toMatchObject({
      code: 0,
      total: 3,
    });
    expect(place.json(["doctor"], { cwd, env })["findings"]).toContainEqual(
      expect.objectContaining({ code: "pointer", severity: "ok" }),
    );
  });

  it("starts counting again after resume", () => {
    const place = startPlace(layout);
    for (let i = 0; i < 4; i++) place.stop({ stop_hook_active: i > 0 });
    expect(place.entries().at(-1)?.event).toBe("stalled");
    // The agent itself, in the middle of the run, does not reset the counts.
    expectRefusal(place.run(["resume"], IN_SESSION), EXIT.refused, "only the user can run resume");
    expect(place.stop({ stop_hook_active: true })).toEqual({});
    expect(place.slash(["resume"]).code).toBe(0);
    expect(place.entries().at(-1)?.loop).toMatchObject({ iteration: 1, stalled: 0, told: null });
    expect(place.stop({ stop_hook_active: true })).toMatchObject({ decision: "block" });
  });
});

describe("a session that begins next to a run", () => {
  const begin = (place: Place, session: string): string => {
    const { code, out } = place.hook("session-start", { session_id: session, source: "startup" });
    expect(code).toBe(0);
    return out === "" ? "" : (JSON.parse(out) as { systemMessage: string }).systemMessage;
  };

  it("hears nothing if there is none, and nothing of one that continues elsewhere", () => {
    expect(begin(makePlace(layout), "session-2")).toBe("");
    const place = startPlace(layout);
    place.stop();
    expect(begin(place, "session-2")).toBe("");
  });

  it("hears where a run was left, why, and how to continue", () => {
    const place = startPlace(layout);
    place.hook("stop-failure", { error: "rate_limit" });
    const line = begin(place, "session-2");
    expect(line).toContain("demo is at Task 1/3 (service-error: rate_limit)");
    expect(line).toContain(`/${layout.plugin}:resume continues`);
    expect(begin(place, SESSION)).toBe(line);
  });
});
