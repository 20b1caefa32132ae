import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { makeGitFlow } from "./flow.ts";
import {
  expectRefusal,
  IN_SESSION,
  openPlace,
  type Place,
  pointerOf,
  SESSION,
  startPlace,
} from "./support.ts";
import { fillFolder } from "./temporary.ts";

const layout = specum;

const OTHER = "session-2";
const TASK = "- [ ] 1.1 Only\n";
const REPORT = ["--report", "TASK_COMPLETE"];

describe("two sessions with two specs", () => {
  const folder = layout.specsDirs[0];
  /** The first session runs `demo`, the second one `other`, which the pointer names. */
  const startBoth = (): { one: Place; two: Place } => {
    const one = startPlace(layout, { [`${folder}/other/tasks.md`]: TASK });
    const home = join(one.root, "..");
    const two = openPlace(layout, one.root, join(one.root, folder, "other"), home);
    const { out } = two.slash(["implement", "other"], OTHER);
    expect(out).not.toContain("is paused");
    return { one, two };
  };
  const pointer = (place: Place): string =>
    readFileSync(join(place.root, pointerOf(layout)), "utf8").trim();
  const by = (session: string) => ({ env: { CLAUDE_CODE_SESSION_ID: session } });

  it("each continues its own, and neither hears about the other", () => {
    const { one, two } = startBoth();
    expect(pointer(one)).toBe("other");
    expect(one.state()).not.toHaveProperty("paused", true);
    for (let i = 0; i < 2; i++) {
      expect(one.stop().reason).toContain("demo (Task 1/3");
      expect(two.stop({ session_id: OTHER }).reason).toContain("other (Task 1/1");
    }
    expect(one.stop({ session_id: "session-3" })).toEqual({});
    expect(one.entries().map(({ event }) => event)).toEqual(["start", "continue", "continue"]);
  });

  it("a command that names no spec means the caller's own, also when the other has ended", () => {
    const { one, two } = startBoth();
    expect(one.json(["done", "1.1", ...REPORT], by(SESSION))).toMatchObject({ total: 3 });
    expect(two.json(["done", "1.1", ...REPORT], by(OTHER))).toMatchObject({ total: 1 });
    expect(two.stop({ session_id: OTHER }).systemMessage).toContain("other: 1 task done");
    expect(two.state()).toBeUndefined();
    expect(one.stop().reason).toContain("demo (Task 2/3");
    expect(one.json(["done", "1.2", ...REPORT], by(SESSION))).toMatchObject({ total: 3 });
    expect(one.json(["status"], by(SESSION))).toMatchObject({ spec: "demo" });
    expect(one.json(["status"], by(OTHER))).toMatchObject({ spec: "other" });
    // A person in a shell goes by the pointer.
    expect(one.json(["status"])).toMatchObject({ spec: "other" });
  });

  it("a switch pauses the run of its own session, and no other", () => {
    const { one, two } = startBoth();
    fillFolder(one.root, { [`${folder}/third/tasks.md`]: TASK });
    expect(one.slash(["switch", "third"]).out).toContain('The run of "demo" is paused');
    expect(one.state()).toMatchObject({ paused: true });
    expect(two.state()).not.toHaveProperty("paused", true);
    expect(two.stop({ session_id: OTHER }).reason).toContain("other (Task 1/1");
    one.slash(["resume", "demo"]);
    expect(one.stop().reason).toContain("demo (Task 1/3");
    expect(two.stop({ session_id: OTHER }).reason).toContain("other (Task 1/1");
  });

  it("neither can be taken over by accident: implement without a name means the own one", () => {
    const { one, two } = startBoth();
    expect(one.slash(["implement"]).out).not.toMatch(/another session/);
    expect(two.state()).toMatchObject({ sessionId: OTHER });
    expect(one.state()).toMatchObject({ sessionId: SESSION });
  });

  it("start without words does not take what another session is working on", () => {
    const { one, two } = startBoth();
    fillFolder(one.folder, { "tasks.md": TASK.replace("[ ]", "[x]") });
    one.slash(["cancel"]);
    const { code, err } = one.slash(["start"]);
    expect({ code, err }).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining("say what you want to build"),
    });
    expect(two.state()).toMatchObject({ sessionId: OTHER });
  });

  it("one that is cancelled and removed leaves the other alone", () => {
    const { one, two } = startBoth();
    two.slash(["cancel", "other", "--delete-spec", "--yes"], OTHER);
    expect(existsSync(two.folder)).toBe(false);
    expect(pointer(one)).toBe("demo");
    expect(one.stop().reason).toContain("demo (Task 1/3");
    expect(two.stop({ session_id: OTHER })).toEqual({});
  });

  it("the end of one session is not the end of the other's run", () => {
    const { one, two } = startBoth();
    two.hook("session-end", { session_id: OTHER });
    expect(one.json(["status"], by(SESSION))).toMatchObject({ standing: "running" });
    expect(two.json(["status"], by(OTHER))).toMatchObject({ standing: "stopped" });
    expect(one.stop().reason).toContain("demo (Task 1/3");
  });

  it("what is started in a terminal waits for a session that has nothing to do", () => {
    const { one } = startBoth();
    fillFolder(one.root, { [`${folder}/third/tasks.md`]: TASK });
    expect(one.json(["implement", "third"])).toMatchObject({ ok: true, session: null });
    expect(one.stop().reason).toContain("demo (Task 1/3");
    expect(one.stop({ session_id: "session-3" }).reason).toContain("third (Task 1/1");
    expect(one.stop().reason).toContain("demo (Task 1/3");
  });

  it("status says what runs beside it", () => {
    const { one } = startBoth();
    expect(one.run(["status"], by(SESSION)).out).toMatch(/^beside other: running, 0 of 1 task/m);
  });

  it("a pointer that a person edits counts for a session without a run", () => {
    const { one } = startBoth();
    one.slash(["cancel"]);
    fillFolder(one.root, {
      [`${folder}/third/tasks.md`]: TASK,
      [pointerOf(layout)]: "third\n",
    });
    expect(one.slashJson(["implement"])).toMatchObject({ spec: "third" });
  });
});

describe("two specs in one work tree", () => {
  const VERIFIED =
    "- [ ] 1.1 Write it\n  - **Files**: `own.txt`\n  - **Verify**: `test -f own.txt`\n";

  it("nobody is blamed for the other's files, and nobody takes the other's commits back", () => {
    const flow = makeGitFlow(specum, {
      "specs/rate-limit/tasks.md": VERIFIED,
      "specs/other/tasks.md": TASK,
    });
    flow.type("implement", "rate-limit");
    flow.slash(["implement", "other"], OTHER);
    flow.git.commit({ "own.txt": "own\n" }, "own");
    fillFolder(flow.root, { "theirs.txt": "half done\n" });
    const report = ["done", "1.1", ...REPORT];
    expect(flow.json(report, IN_SESSION)).toMatchObject({ code: 0 });
    expectRefusal(
      flow.run(["undo", "1.1", "--spec", "rate-limit", "--yes"]),
      EXIT.refused,
      /"other" is being worked on in the same work tree.*pause it first/,
    );
    flow.slash(["pause"], OTHER);
    expect(flow.run(["undo", "1.1", "--spec", "rate-limit", "--yes", "--discard"]).err).not.toMatch(
      /being worked on/,
    );
  });
});
