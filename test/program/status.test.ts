import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { vaultFile } from "../support/vault.ts";
import { expectRefusal, IN_SESSION, makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

const standing = (place: Place): unknown => place.json(["status"])["standing"];

/** What a client says about an agent that has ended, as the journal keeps it. */
function spend(place: Place, about: object, cost: object): void {
  const path = vaultFile(place.env["HOME"] as string, place.layout, place.folder, "journal");
  const last = JSON.parse(readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "") as object;
  const own = { toolUses: null, model: null, ...cost };
  const { loop, at } = last as { readonly loop: object; readonly at: string };
  const entry = {
    at,
    event: "returned",
    agent: `a-${Object.keys(about).length}`,
    ...about,
    cost: own,
  };
  appendFileSync(path, `${JSON.stringify({ ...entry, loop })}\n`);
}

describe("status", () => {
  it("names the spec in what to type, unless it is the active one", () => {
    const place = startPlace(layout, { [`${layout.specsDirs[0]}/b/tasks.md`]: "- [ ] 1.1 x\n" });
    const todo = (): unknown => place.json(["status", "b"])["todo"];
    expect(todo()).toBe(
      `smart-ralph run b, or /${layout.plugin}:implement b in your client, starts it`,
    );
    expect(place.json(["status"])["todo"]).toContain(":pause pauses it");
    place.slash(["implement", "b"]);
    expect(todo()).toContain(":pause pauses it");
    expect(place.json(["status", "demo"])["todo"]).toBe(`/${layout.plugin}:resume demo continues`);
    writeFileSync(join(place.folder, "../b/tasks.md"), "- [x] 1.1 x\n");
    place.stop();
    place.slash(["switch", "demo"]);
    expect(place.run(["status", "b"]).out).toContain(" summary b shows what was built");
  });

  it("says where a run is, from its start to its end", () => {
    const place = makePlace(layout);
    expect(standing(place)).toBe("ready");
    place.slash(["implement"]);
    expect(standing(place)).toBe("running");
    place.run(["await-approval", "--reason", "Now?"]);
    expect(place.json(["status"])).toMatchObject({
      standing: "waiting for your approval",
      why: "Now?",
    });
    place.slash(["approve"]);
    place.run(["pause"]);
    expect(standing(place)).toBe("paused");
    place.slash(["resume"]);
    for (let i = 0; i < 4; i++) place.stop();
    expect(place.json(["status"])).toMatchObject({
      standing: "stopped",
      why: expect.stringContaining("no progress") as string,
      todo: `/${layout.plugin}:resume continues`,
    });
    place.slash(["resume"]);
    expect(standing(place)).toBe("running");
    place.slash(["cancel"]);
    expect(standing(place)).toBe("cancelled");
    place.slash(["implement"]);
    writeFileSync(join(place.folder, "tasks.md"), "- [x] 1.1 a\n");
    place.stop();
    expect(standing(place)).toBe("finished");
  });

  it("in a shell says what to type in the client, and what is true", () => {
    const place = makePlace(layout, { [`${layout.specsDirs[0]}/b/tasks.md`]: "- [ ] 1.1 x\n" });
    const slash = (verb: string): string => `/${layout.plugin}:${verb}`;
    place.run(["implement", "demo"]);
    expect(place.json(["status"])).toMatchObject({
      standing: "waiting for a session",
      todo: `smart-ralph run demo, or ${slash("resume")} in your client, continues`,
    });
    expect(place.run(["switch", "b"]).out).toMatch(
      new RegExp(
        `b" is active now: ready, 0 of 1 task done\\.\nsmart-ralph run b, or ${slash("implement")} in your client, starts it\\.\n$`,
      ),
    );
    expect(place.json(["status", "demo"])).toMatchObject({
      standing: "paused",
      why: "b was chosen",
    });
    expect(place.run(["cancel", "demo"]).out).toContain(
      `; ${slash("implement")} demo starts again`,
    );
  });

  it("prints the facts on a few lines", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/other/tasks.md`]: "- [x] 1.1 a\n- [ ] 1.2 b\n",
    });
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    place.run(["fail", "1.2", "--reason", "no luck"]);
    const lines = place.run(["status"], IN_SESSION).out.split("\n");
    expect(lines[0]).toBe(`demo ./${layout.specsDirs[0]}/demo  running`);
    expect(lines[1]).toMatch(/^█{8}░{16} 1 of 3 tasks done: 1 reported$/);
    expect(lines[2]).toBe("now    1.2 Second (attempt 2 of 5)");
    expect(lines.join("\n"), "for people").not.toMatch(/^turn|session-1|heard/m);
    expect(lines.some((line) => line.endsWith("  ✗ failed 1.2: no luck"))).toBe(true);
    expect(lines).toContain(`others 1 ${layout.unit}; /${layout.plugin}:switch lists them`);
    expect(place.run(["status"]).out).toContain(`; ${layout.plugin} list shows them\n`);
    expect(lines).toContain(
      `→ /${layout.plugin}:pause pauses it; if its session is gone, /${layout.plugin}:resume continues`,
    );
  });

  it("shows what it cost, in all and for the next task, and evidence does for each", () => {
    const place = startPlace(layout);
    expect(place.run(["status"]).out).not.toContain("cost");
    expect(place.json(["status"])).toMatchObject({ spent: null, spentByPurpose: [] });
    spend(place, { task: "1.1" }, { role: "spec-executor", tokens: 41_000, ms: 130_000 });
    expect(place.run(["status"]).out).toContain(
      "\nnow    1.1 First (41k tokens, 2 min 10 s so far)\ncost   sub-agents 41k tokens, 2 min 10 s, all for execution; the main agent's own tokens are not counted\n",
    );
    spend(place, {}, { role: "task-planner", tokens: 9000, ms: null });
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    const status = place.run(["status"]).out;
    expect(status).toContain(
      "\nnow    1.2 Second\ncost   sub-agents 50k tokens, 2 min 10 s (planning 9k tokens; execution 41k tokens, 2 min 10 s); the main agent's own tokens are not counted\n",
    );
    expect(status).not.toMatch(/UTC {2}cost/);
    expect(place.json(["status"])).toMatchObject({
      spent: { tokens: 50_000, ms: 130_000 },
      spentByPurpose: [{ purpose: "planning" }, { purpose: "execution", tokens: 41_000 }],
      next: [{ id: "1.2", spent: null }],
    });
    expect(place.run(["evidence", "1.1"]).out).toContain("(41k tokens, 2 min 10 s");
    expect(place.json(["evidence", "1.1"])["tasks"]).toMatchObject([{ spent: { tokens: 41_000 } }]);
  });

  it("says what ended a turn that the client could not finish", () => {
    const place = startPlace(layout);
    place.hook("stop-failure", { error: "overloaded", error_details: "529\u001b[2J" });
    expect(place.json(["status"])).toMatchObject({
      standing: "stopped",
      why: "overloaded: 529\u001b[2J",
    });
    // eslint-disable-next-line no-control-regex -- none may reach the terminal
    expect(place.run(["status"]).out).not.toMatch(/\u001b/);
  });

  it.each(["{", "[]", ""])("takes the state %j for corrupt, and changes nothing", (text) => {
    const place = makePlace(layout);
    writeFileSync(join(place.folder, layout.stateFile), text);
    expect(place.json(["status"])).toMatchObject({ code: 0, ok: true, standing: "corrupt" });
    expect(place.run(["status"]).out).toContain(`→ /${layout.plugin}:implement rebuilds the state`);
    expect(readdirSync(place.folder).sort()).toEqual([layout.stateFile, "tasks.md"].sort());
  });

  it("works without a tasks.md", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, "tasks.md"));
    expect(place.json(["status"])).toMatchObject({ code: 0, ok: true, done: 0 });
  });

  it("names another spec, and refuses one that is not there", () => {
    const place = makePlace(layout, { [`${layout.specsDirs[0]}/other/tasks.md`]: "- [ ] 1.1 a\n" });
    expect(place.json(["status", "other"])).toMatchObject({ spec: "other", total: 1 });
    expect(place.json(["status", "--spec", "other"])).toMatchObject({ spec: "other" });
    expectRefusal(
      place.run(["status", "gone"]),
      EXIT.missing,
      /there is no .* "gone"; there are: demo, other/,
    );
  });
});

describe("status", () => {
  it("shows a hostile state or journal only as plain text", () => {
    const evil = "\u001b]0;owned\u0007\u009b31m\nsecond line";
    const place = startPlace(specum);
    const [entry] = place.entries();
    const loop = { ...entry?.loop, session: evil };
    const lines = [
      { ...entry, at: evil, event: evil, task: evil, note: evil, loop },
      { ...entry, task: { a: 1 }, note: 5, loop },
    ];
    const journal = lines.map((line) => JSON.stringify(line)).join("\n");
    writeFileSync(join(place.folder, ".ralph-journal.jsonl"), `${journal}\n`);
    const state = { phase: evil, sessionId: evil, name: evil };
    writeFileSync(join(place.folder, ".ralph-state.json"), JSON.stringify(state));
    const { code, out } = place.run(["status"]);
    expect(code).toBe(0);
    // eslint-disable-next-line no-control-regex -- none may reach the terminal
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(out).not.toMatch(/^second line/m);
  });

  it("is read from a subfolder", () => {
    const place = startPlace(specum, { "src/deep/x.ts": "" });
    expect(place.json(["status"], { cwd: join(place.root, "src/deep") })).toMatchObject({
      spec: "demo",
    });
  });

  it("lists no folder whose name would play tricks on the terminal", () => {
    const place = makePlace(specum);
    mkdirSync(join(place.root, "specs", "\u001b[2Jx"));
    expect(place.json(["status"])).toMatchObject({ others: [] });
  });
});
